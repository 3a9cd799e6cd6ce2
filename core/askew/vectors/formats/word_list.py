"""The words of a bare matrix: a text file beside it, one word a line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from askew.errors import VectorsError
from askew.vectors.companions import COMMON_LISTS, LIST_ENDINGS
from askew.vectors.formats.source import read_beside
from askew.vectors.lines import numbers_at_the_end
from askew.vectors.problems import ChoiceNeededError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askew.vectors.formats.contents import Request

Value: TypeAlias = Any  # whatever JSON says

_LARGEST = 1 << 28
_COUNTED = re.compile(rb"\S+[ \t]\d{1,18}")


def words_for(path: Path, count: int, dim: int, request: Request) -> list[bytes]:
    """Return the words of a matrix of `count` rows.

    Raises
    ------
    VectorsError
        If there is no list, or it does not fit the matrix.
    ChoiceNeededError
        If several lists would fit by their names.
    """
    name = request.source.name
    if request.options.words is not None:
        return _fitting(Path(request.options.words), count, request)
    found = [each for each in _beside(path) if not _holds_vectors(each, dim)]
    if len(found) > 1:
        names = tuple(each.name for each in found)
        raise ChoiceNeededError(
            "several files beside it may hold its words", flag="--words", choices=names, where=name
        )
    if not found:
        raise VectorsError(
            f"the file holds {count} rows of {dim} numbers, but no words",
            where=name,
            remedy=f"Say where they are, one a line: --words FILE (or name that {path.stem}_vocab.txt)",
        )
    if found[0].name in COMMON_LISTS:
        request.reading.problems.add("words", f"the words are those of {found[0].name}, in the same folder")
    return _fitting(found[0], count, request)


def _beside(path: Path) -> Iterator[Path]:
    """Return the files that may be the list, those of the matrix's name first."""
    own = [path.with_name(path.stem + ending) for ending in LIST_ENDINGS]
    there = [each for each in own if each.is_file()]
    yield from there or (each for each in map(path.with_name, COMMON_LISTS) if each.is_file())


def _holds_vectors(path: Path, dim: int) -> bool:
    """Whether a file has numbers after its words, and so is no list of them."""
    try:
        with path.open("rb") as file:
            line = file.readline(1 << 20)
    except OSError:
        return False
    return dim > 1 and numbers_at_the_end(line.rstrip(b"\r\n")) == dim


def _fitting(path: Path, count: int, request: Request) -> list[bytes]:
    words = list_of(path)
    if len(words) != count:
        raise VectorsError(
            f"{path.name} has {len(words)} words, but the matrix has {count} rows",
            where=request.source.name,
            remedy="Choose the list that belongs to it: --words FILE",
        )
    if words and all(map(_COUNTED.fullmatch, words)):
        request.reading.problems.add(
            "words", f"the number after each word of {path.name} was taken for a count and left out"
        )
        return [word.replace(b"\t", b" ").partition(b" ")[0] for word in words]
    return words


def list_of(path: Path) -> list[bytes]:
    """Return the words of a list: one a line, or a JSON array of texts, or an object of their rows.

    Raises
    ------
    VectorsError
        If the file cannot be read.
    """
    if not path.is_file():
        raise VectorsError("there is no such list of words", where=path.name or str(path))
    data = read_beside(path, _LARGEST).removeprefix(b"\xef\xbb\xbf")
    if path.suffix == ".json" and data.lstrip()[:1] in (b"[", b"{"):
        return _from_json(data, path.name)
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    return [line.removesuffix(b"\r") for line in lines]


def _from_json(data: bytes, name: str) -> list[bytes]:
    listed = parsed(data, name)
    if isinstance(listed, dict):
        listed = by_number(listed)
    if not isinstance(listed, list) or not all(isinstance(word, str) for word in listed):
        raise VectorsError("the JSON holds no list of words", where=name)
    return [as_bytes(word) for word in listed]


def by_number(numbers: dict[str, Any]) -> list[str] | None:
    """Return words in the order of their numbers, None if these are not 0, 1, 2 and so on."""
    values = list(numbers.values())
    if not all(type(value) is int for value in values) or sorted(values) != list(range(len(values))):
        return None
    return sorted(numbers, key=numbers.__getitem__)


def parsed(data: bytes, name: str) -> Value:
    """Return what JSON says.

    Raises
    ------
    VectorsError
        If it is not JSON.
    """
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise VectorsError("the file is damaged: it is not JSON", where=name) from error


def as_bytes(word: str) -> bytes:
    """Return a word in UTF-8; halves of surrogate pairs are shown by code."""
    return word.encode("utf-8", "backslashreplace")
