"""Read what a browser sent, and refuse with a 400 page, and the reason, what cannot be meant."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeVar
from urllib.parse import parse_qsl

from flask import Request, abort, request
from werkzeug.datastructures import ImmutableMultiDict, MultiDict
from werkzeug.utils import cached_property

Choice = TypeVar("Choice", bound=str)
Given = TypeVar("Given")
Read = TypeVar("Read")


class FormRequest(Request):
    """A request whose body is read as the page's own forms write it, and no other way."""

    @cached_property  # Werkzeug's: before 3.12 Python's own locks out all others meanwhile
    def form(self) -> ImmutableMultiDict[str, str]:
        """Return the fields of the body; none where it is anything else, such as multipart."""
        return ImmutableMultiDict(parse_qsl(self.get_data(as_text=True), keep_blank_values=True))


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


def from_this_site() -> bool:
    """Say whether the browser says that this site sent the request, or no browser sent it."""
    if site := request.headers.get("Sec-Fetch-Site"):
        return site in ("same-origin", "none")
    origin = request.headers.get("Origin")
    return origin is None or origin.partition("://")[2] == request.host
