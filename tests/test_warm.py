"""The application that workers inherit: warmed up, each with random numbers of its own."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.templating import Environment

from tests.conftest import HTMX, KEY
from tests.pages import PAGES
from tools import serve


@pytest.fixture(scope="module")
def warm() -> Iterator[Flask]:
    serve.warm_app.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FLASK_SECRET_KEY", KEY)
        patch.setattr(
            Flask, "jinja_environment", Environment
        )  # without the templates of other apps
        gc.unfreeze()  # the objects that earlier tests froze
        threshold = gc.get_threshold()
        yield serve.warm_app()
    serve.warm_app.cache_clear()
    gc.set_threshold(*threshold)
    gc.unfreeze()


def test_no_request_waits_for_a_template_to_compile(
    warm: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compile_again(*_: Any, **__: Any) -> None:
        raise AssertionError("a template that was not compiled at the start")

    monkeypatch.setattr(warm.jinja_env, "compile", compile_again)
    warm.testing = True  # otherwise a page would hide the exception
    client = warm.test_client()
    for page in PAGES.values():
        client.get(page)
    for address, form in serve.CLICKS.items():
        for headers in ({}, HTMX):
            assert client.post(address, data=form, headers=headers).status_code in (200, 303)


def test_all_pages_requested_at_the_start_but_one_exist(warm: Flask) -> None:
    statuses = {page: warm.test_client().get(page).status_code for page in serve.PAGES}
    missing = {page for page, status in statuses.items() if status != 200}
    assert missing == {"/nowhere"}  # requested to warm up the error page


def test_workers_share_the_application_but_not_its_random_numbers(warm: Flask) -> None:
    assert gc.isenabled() and gc.get_freeze_count() > 100_000
    assert gc.get_threshold()[0] == 10_000
    rng_states = []
    for _ in range(2):
        assert serve.create_worker_app() is warm
        rng_states.append(warm.config["RNG"].getstate())
    assert rng_states[0] != rng_states[1]
