"""ConceptNet Numberbatch: word2vec text whose words are `/c/language/word_and_word`."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from askew.vectors.containers import unpack
from askew.vectors.fast import QuickParser
from askew.vectors.formats.contents import Contents, Request
from askew.vectors.lines import split_line
from askew.vectors.problems import ChoiceNeededError
from askew.vectors.rows import Rows, bad_line, compare_with_header, read_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from askew.errors import VectorsError

_LANGUAGE = re.compile(rb"/c/([^/ \t]{1,20})/")
_WORTH_IT = 1 << 16  # bytes; below, loading the quick parser costs more than it saves


class _Line(NamedTuple):
    number: int
    text: bytes


def read(request: Request) -> Contents:
    """Read the words of one language."""
    language = request.options.language or _only_language(request)
    detected = request.detected
    blocks = _rows(request, language.encode())
    return Contents("numberbatch", detected.dim, blocks, "line", header=detected.header)


def _only_language(request: Request) -> str:
    """Return the language of a file of one.

    Raises
    ------
    ChoiceNeededError
        If there are several.
    """
    found: Counter[bytes] = Counter()
    path = request.source.path
    with unpack(path, request.progress, request.options.member) as unpacked:
        stream = cast("BinaryIO", unpacked.stream)
        stream.read(request.detected.start)
        for text in read_blocks(stream, request.detected.newline, path.name):
            found.update(_languages(text.split(request.detected.newline)))
    if len(found) != 1:
        raise _question(found, request)
    return next(iter(found)).decode("utf-8", "replace")


def _languages(lines: list[bytes]) -> Iterator[bytes]:
    return (match[1] for match in map(_LANGUAGE.match, lines) if match)


def _question(found: Counter[bytes], request: Request) -> VectorsError:
    names = tuple(name.decode("utf-8", "replace") for name, _ in found.most_common())
    asked = request.options.language
    what = f"the file has words of {len(names)} languages"
    if asked is not None:
        what = f"the file has no words of the language '{asked}'"
    return ChoiceNeededError(what, flag="--language", choices=names, where=request.source.name)


def _rows(request: Request, language: bytes) -> Iterator[Rows]:
    """Return the rows of a language, the words without their prefix and with blanks for underscores."""
    prefix, dim, newline = b"/c/" + language + b"/", request.detected.dim, request.detected.newline
    quick = QuickParser(dim)
    found: Counter[bytes] = Counter()
    number, seen, hashed = request.detected.first_line, 0, False
    for text in read_blocks(request.stream, newline, request.source.name):
        lines = text.removesuffix(newline).split(newline)
        found.update(_languages(lines))
        kept = [_Line(place, line) for place, line in enumerate(lines, number) if line.startswith(prefix)]
        rows = _parsed(kept, dim, request, quick)
        words = [word[len(prefix) :].replace(b"_", b" ") for word in rows.words]
        hashed = hashed or any(b"#" in word for word in words)
        number += len(lines)
        seen += sum(map(bool, lines))
        if words:
            yield Rows(words, rows.matrix, rows.lines)
    if not found[language]:
        raise _question(found, request)
    compare_with_header(seen, request.detected, request.reading)
    if hashed:
        request.reading.problems.add("digits", "the file writes digits as #; look up '##' instead of '12'")


def _parsed(lines: list[_Line], dim: int, request: Request, quick: QuickParser) -> Rows:
    """Turn lines into words, whole as they stand there, and numbers."""
    text = b"\n".join([line.text for line in lines]) + b"\n"
    plain = quick.rows(text) if len(text) > _WORTH_IT else None
    if plain is not None:
        return Rows(*plain, [line.number for line in lines])
    words: list[bytes] = []
    values: list[list[float]] = []
    numbers: list[int] = []
    for line in lines:
        split = split_line(line.text, dim)
        if split is None:
            bad_line(line.text, line.number, dim, request.reading)
        else:
            words.append(split[0])
            values.append(split[1])
            numbers.append(line.number)
    with np.errstate(over="ignore"):
        matrix = np.array(values, dtype=np.float64).astype(np.float32).reshape(len(words), dim)
    return Rows(words, matrix, numbers)
