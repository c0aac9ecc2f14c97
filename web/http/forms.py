"""Read values from forms and queries, and refuse bad requests with a page that says why."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeVar

from flask import abort, request
from werkzeug.datastructures import MultiDict

Choice = TypeVar("Choice", bound=str)
Raw = TypeVar("Raw")
Value = TypeVar("Value")

MAX_QUERY_VALUES = 100  # the largest form sends about 80
MAX_QUERY_LENGTH = 2000  # characters in a query
MAX_HOST_LENGTH = 253  # characters; the limit of DNS


def get_single(values: MultiDict[str, str], name: str) -> str | None:
    """Return the value of `name`, or None if there is none; refuse a request with several."""
    given_values = values.getlist(name)
    if len(given_values) > 1:
        abort(400, f"{name} was given {len(given_values)} times: give it once.")
    return given_values[0] if given_values else None


def get_choice(
    values: MultiDict[str, str], name: str, allowed: Collection[Choice]
) -> Choice | None:
    """Return the value of `name`, or None if there is none; refuse a value that is not allowed."""
    value = get_single(values, name)
    if value is not None and value not in allowed:
        abort(400, f"{name} must be one of: {', '.join(allowed)}.")
    return next((choice for choice in allowed if choice == value), None)


def get_number(values: MultiDict[str, str], name: str, maximum: int) -> int | None:
    """Return the number in `name`, or None if there is none; refuse any but 0 to `maximum`."""
    value = get_single(values, name)
    if value is not None and value not in map(str, range(maximum + 1)):
        abort(400, f"{name} must be a number from 0 to {maximum}.")
    return None if value is None else int(value)


def get_capped_number(values: MultiDict[str, str], name: str, maximum: int, default: int) -> int:
    """Return the number in `name`, or `default` if there is none.

    A number above `maximum` becomes `maximum`; anything but a number is refused.
    """
    value = get_single(values, name)
    if value is None:
        return default
    if not (value.isascii() and value.isdigit()):
        abort(400, f"{name} must be a number, 0 or more.")
    return min(int(value), maximum)


def require(value: Value | None, name: str) -> Value:
    """Return `value`; if it is None, refuse the request."""
    return abort(400, f"{name} is missing.") if value is None else value


def parse_or_refuse(parse: Callable[[Raw], Value], raw: Raw) -> Value:
    """Return `parse(raw)`; if it raises ValueError, refuse the request with the reason."""
    try:
        return parse(raw)
    except ValueError as error:
        reason = str(error)
        abort(400, f"{reason[0].upper()}{reason[1:]}.")


def refuse_other_sites() -> None:
    """Refuse, with a 403 page, any POST that the browser says came from another site."""
    if request.method == "POST" and not _is_from_this_site():
        abort(403, "This came from another site, so I ignored it.")


def _is_from_this_site() -> bool:
    """Return whether the headers say that the request came from this site, or say nothing."""
    if site := request.headers.get("Sec-Fetch-Site"):
        return site in ("same-origin", "none")
    if (origin := request.headers.get("Origin")) is None:
        return True
    # `request.host` would not do: it is empty for a name with an underscore.
    host = request.headers.get("Host", "")
    return host != "" and origin == f"{request.scheme}://{host}"


def refuse_long_addresses() -> None:
    """Refuse, with a 400 page, any host name or query longer than this site needs.

    Links repeat the query, so a long one would swell pages and the cached parts of pages.
    """
    if len(request.host) > MAX_HOST_LENGTH:
        abort(400, f"A host name has at most {MAX_HOST_LENGTH} characters.")
    query = request.query_string
    message = "That address is too long: at most {} may follow the ?."
    if len(query) > MAX_QUERY_LENGTH:
        abort(400, message.format(f"{MAX_QUERY_LENGTH} characters"))
    if query and sum(map(len, request.args.listvalues())) > MAX_QUERY_VALUES:
        abort(400, message.format(f"{MAX_QUERY_VALUES} values"))
