"""Read what a browser sent, and refuse with a 400 page, and the reason, what cannot be meant."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeVar

from flask import abort, request
from werkzeug.datastructures import MultiDict

Choice = TypeVar("Choice", bound=str)
Given = TypeVar("Given")
Read = TypeVar("Read")


def one(values: MultiDict[str, str], name: str) -> str | None:
    """Return the one value for `name`, None where it is left out; refuse more than one."""
    given = values.getlist(name)
    if len(given) > 1:
        abort(400, f"{name} was given {len(given)} times: give it once.")
    return given[0] if given else None


def chosen(values: MultiDict[str, str], name: str, allowed: Collection[Choice]) -> Choice | None:
    """Return the value for `name`, None where it is left out; refuse what is not `allowed`."""
    given = one(values, name)
    if given is not None and given not in tuple(allowed):
        abort(400, f"{name} is one of {', '.join(allowed)}.")
    return next((choice for choice in allowed if choice == given), None)


def number(values: MultiDict[str, str], name: str, most: int) -> int | None:
    """Return the value for `name`, None where it is left out; refuse what is not 0 to `most`."""
    given = one(values, name)
    if given is not None and given not in map(str, range(most + 1)):
        abort(400, f"{name} is a number from 0 to {most}.")
    return None if given is None else int(given)


def required(value: Read | None, name: str) -> Read:
    """Return `value`; refuse a request that left it out."""
    return abort(400, f"{name} is missing.") if value is None else value


def parsed(parse: Callable[[Given], Read], given: Given) -> Read:
    """Return what `parse` makes of what was given; refuse it with the reason of its ValueError."""
    try:
        return parse(given)
    except ValueError as error:
        reason = str(error)
        abort(400, f"{reason[0].upper()}{reason[1:]}.")


def refuse_other_sites() -> None:
    """Refuse with a 403 page a POST that, by what the browser says, another site made it send."""
    if request.method == "POST" and not _from_this_site():
        abort(403, "This came from another site, so nothing was done.")


def _from_this_site() -> bool:
    if site := request.headers.get("Sec-Fetch-Site"):
        return site in ("same-origin", "none")
    if (origin := request.headers.get("Origin")) is None:
        return True
    # The header as it came: `request.host` is empty for a name with an underscore.
    host = request.headers.get("Host", "")
    return host != "" and origin.partition("://")[2] == host


def refuse_cut_bodies() -> None:
    """Refuse with a 413 page a body sent in chunks that is longer than may be.

    Its length is not known before, and what has been read of it by then would pass for a form.
    """
    if request.content_length is None and request.form and request.environ["wsgi.input"].read(1):
        abort(413)
