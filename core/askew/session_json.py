"""Reading and writing `session.json`: limits first, then the format, then every field."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import msgspec

from askew.session_errors import NewerSessionError, SessionError, in_document
from askew.session_schema import FORMAT, SessionJson

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_BYTES = 1 << 23
MAX_VALUES = 2_000_000
MAX_DIGITS = 40
DAMAGED = "Open a copy of it that is whole"

MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""For each older format, what turns its document into one of the next format."""

_HALF = re.compile(r"\\ud[89a-f][0-9a-f]{2}")
_ERROR = re.compile(r"(?P<what>.*?)(?: - at `(?P<path>[^`]*)`)?", re.DOTALL)


def dumped(document: SessionJson) -> bytes:
    """Return a document as text, in ASCII, its keys in the order of the schema.

    Raises
    ------
    SessionError
        If it holds a number that is not finite, or is larger than is read.
    """
    try:
        text = json.dumps(msgspec.to_builtins(document), indent=1, allow_nan=False)
    except ValueError as error:
        raise SessionError(
            "a setting of the session is no finite number", remedy="Look at temperature and gain"
        ) from error
    data = text.encode("ascii") + b"\n"
    if len(data) > MAX_BYTES or _values(data) > MAX_VALUES:
        raise SessionError(
            "the session is too large to be written", remedy="Use a shorter text, or fewer heads"
        )
    return data


def loaded(data: bytes, name: str) -> tuple[SessionJson, int]:
    """Return the document of the file `name`, converted from older formats, and the format it had.

    Raises
    ------
    NewerSessionError
        If its format is above `FORMAT`.
    SessionError
        If it is no document of its format; the message names the path.
    """
    raw, twice = _parsed(data, name)
    if not isinstance(raw, dict):
        raise SessionError("it holds no session", where=in_document(name, "$"), remedy=DAMAGED)
    found = _format(raw, name)
    if twice:
        path, key = next(_places(raw, "$", twice))
        raise SessionError(
            f"the key '{_short(key)}' is there twice", where=in_document(name, path), remedy=DAMAGED
        )
    for number in range(found, FORMAT):
        raw = _migrated(raw, number, name)
    try:
        return _converted(raw), found
    except msgspec.ValidationError as error:
        raise _invalid(str(error), name) from error
    except RecursionError as error:
        raise _too_deep(name) from error


def _converted(raw: dict[str, Any]) -> SessionJson:
    """Return the document; half a character where a name is wanted is an error like any other wrong name."""
    try:
        return msgspec.convert(raw, SessionJson)
    except UnicodeEncodeError:
        whole = json.loads(_HALF.sub("?", json.dumps(raw)))
        return msgspec.convert(whole, SessionJson)


def _parsed(data: bytes, name: str) -> tuple[Any, dict[int, str]]:
    """Return the parsed text, and by id the objects that have a key twice."""
    if len(data) > MAX_BYTES or _values(data) > MAX_VALUES:
        raise SessionError(
            f"it is larger than a session can be ({len(data):,} bytes)",
            where=in_document(name),
            remedy=DAMAGED,
        )
    twice: dict[int, str] = {}

    def whole(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            keys = [key for key, _ in pairs]
            twice[id(made)] = next(key for key in keys if keys.count(key) > 1)
        return made

    try:
        text = data.decode("utf-8")
        return json.loads(text, object_pairs_hook=whole, parse_int=_integer, parse_constant=_no_number), twice
    except RecursionError as error:
        raise _too_deep(name) from error
    except json.JSONDecodeError as error:
        if error.pos >= len(text.rstrip()) - 1 or error.msg.startswith("Unterminated"):
            raise SessionError("it is cut short", where=in_document(name), remedy=DAMAGED) from error
        place = f"line {error.lineno}, column {error.colno}"
        raise SessionError(f"it is damaged at {place}", where=in_document(name), remedy=DAMAGED) from error
    except UnicodeDecodeError as error:
        raise SessionError(
            f"it is damaged at byte {error.start + 1}", where=in_document(name), remedy=DAMAGED
        ) from error
    except ValueError as error:
        raise SessionError(str(error), where=in_document(name), remedy=DAMAGED) from error


def _values(data: bytes) -> int:
    """Return about how many values a text holds, before any is made."""
    return sum(data.count(mark) for mark in (b",", b"[", b"{"))


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a whole number has {len(digits):,} digits")
    return int(digits)


def _no_number(word: str) -> float:
    raise ValueError(f"'{word}' is no number")


def _places(value: Any, path: str, twice: dict[int, str]) -> Iterator[tuple[str, str]]:  # noqa: ANN401
    """Give the paths of objects that have a key twice."""
    if id(value) in twice:
        yield path, twice[id(value)]
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _places(each, f"{path}.{_short(key)}", twice)
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from _places(each, f"{path}[{index}]", twice)


def _format(raw: dict[str, Any], name: str) -> int:
    """Return the format of a document, if it can be read."""
    found = raw.get("format")
    where = in_document(name, "$.format")
    if type(found) is not int or found < 0:
        raise SessionError("it does not say its format", where=where, remedy=DAMAGED)
    if found > FORMAT:
        raise NewerSessionError(
            f"it was made by a newer Askew: its format is {found}, and {FORMAT} is the newest known here",
            where=name,
            remedy="Update Askew; the file is left as it is",
        )
    if any(number not in MIGRATIONS for number in range(found, FORMAT)):
        raise SessionError(f"there is no format {found}", where=where, remedy=DAMAGED)
    return found


def _migrated(raw: dict[str, Any], number: int, name: str) -> dict[str, Any]:
    """Return a document in the next format; one that is not what it says it is gives an error in words."""
    try:
        return {**MIGRATIONS[number](raw), "format": number + 1}
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise SessionError(
            f"it is no session of format {number}", where=in_document(name), remedy=DAMAGED
        ) from error


def _invalid(message: str, name: str) -> SessionError:
    """Return the error for a field that is not as the schema has it."""
    match = _ERROR.fullmatch(message)
    what, path = (match["what"], match["path"]) if match else (message, None)
    known = what.replace("Object contains unknown field", "there is an unknown key").replace(
        "Object missing required field", "there is no key"
    )
    remedy = "It may be damaged, or made by a newer Askew"
    return SessionError(
        _short(known, 300).replace("`", "'"), where=in_document(name, path or "$"), remedy=remedy
    )


def _too_deep(name: str) -> SessionError:
    return SessionError("it is nested too deep", where=in_document(name), remedy=DAMAGED)


def _short(text: str, most: int = 60) -> str:
    """Return a text that fits in a message."""
    return text if len(text) <= most else f"{text[:most]}…"
