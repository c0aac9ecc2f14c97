"""Read forms and queries; a 400 page refuses nonsense, and says why."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeVar

from flask import abort, request
from werkzeug.datastructures import MultiDict

Choice = TypeVar("Choice", bound=str)
Given = TypeVar("Given")
Read = TypeVar("Read")

MOST_VALUES = 100  # the largest form sends some 80
MOST_LENGTH = 2000  # characters of a query
MAX_HOST_LENGTH = 253  # characters, as DNS has it


def one(values: MultiDict[str, str], name: str) -> str | None:
    """Return the value for `name`, None where left out; refuse two."""
    given = values.getlist(name)
    if len(given) > 1:
        abort(400, f"{name} was given {len(given)} times: give it once.")
    return given[0] if given else None


def chosen(values: MultiDict[str, str], name: str, allowed: Collection[Choice]) -> Choice | None:
    """Return the value for `name`, None where left out; refuse a value not `allowed`."""
    given = one(values, name)
    if given is not None and given not in allowed:
        abort(400, f"{name} is one of {', '.join(allowed)}.")
    return next((choice for choice in allowed if choice == given), None)


def number(values: MultiDict[str, str], name: str, most: int) -> int | None:
    """Return the value for `name`, from 0 to `most`, None where left out; refuse any above."""
    given = one(values, name)
    if given is not None and given not in map(str, range(most + 1)):
        abort(400, f"{name} is a number from 0 to {most}.")
    return None if given is None else int(given)


def up_to(values: MultiDict[str, str], name: str, most: int, usual: int) -> int:
    """Return the number for `name`, at most `most`, `usual` where left out; refuse what is none."""
    given = one(values, name)
    if given is None:
        return usual
    if not (given.isascii() and given.isdigit()):
        abort(400, f"{name} is a number, 0 or more.")
    return min(int(given), most)


def required(value: Read | None, name: str) -> Read:
    """Return `value`; refuse a request without."""
    return abort(400, f"{name} is missing.") if value is None else value


def parsed(parse: Callable[[Given], Read], given: Given) -> Read:
    """Return `parse(given)`; where that raises ValueError, refuse with the same reason."""
    try:
        return parse(given)
    except ValueError as error:
        reason = str(error)
        abort(400, f"{reason[0].upper()}{reason[1:]}.")


def refuse_other_sites() -> None:
    """Refuse with a 403 page a POST that the browser says another site began."""
    if request.method == "POST" and not _from_this_site():
        abort(403, "This came from another site, so nothing was done.")


def _from_this_site() -> bool:
    if site := request.headers.get("Sec-Fetch-Site"):
        return site in ("same-origin", "none")
    if (origin := request.headers.get("Origin")) is None:
        return True
    # The header as it came: `request.host` is empty for a name with an underscore.
    host = request.headers.get("Host", "")
    return host != "" and origin == f"{request.scheme}://{host}"


def refuse_long_addresses() -> None:
    """Refuse with a 400 page a host no name can have, and more values than any form here sends.

    A page that repeats them in its links would grow with the address, and parts of pages are kept.
    """
    if len(request.host) > MAX_HOST_LENGTH:
        abort(400, f"A host name has at most {MAX_HOST_LENGTH} characters.")
    query = request.query_string
    if len(query) > MOST_LENGTH:
        abort(400, f"The address is too long: after its ? it has at most {MOST_LENGTH} characters.")
    if query and sum(map(len, request.args.listvalues())) > MOST_VALUES:
        abort(400, f"The address is too long: after its ? it has at most {MOST_VALUES} values.")
