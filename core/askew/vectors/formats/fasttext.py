"""fastText's .bin: words, letter groups and their vectors, read where they lie.

The vector of a word is the mean of its own row and the rows of its letter groups (Bojanowski et al. 2017,
Enriching Word Vectors with Subword Information), computed here as fastText's FastText::getWordVector does.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

from askew.errors import VectorsError
from askew.vectors.formats.composed import Composed
from askew.vectors.formats.contents import Contents, Request, contents_of_table
from askew.vectors.formats.letters import LONGEST_GROUP, LettersPlace
from askew.vectors.formats.matrix import StoredMatrix
from askew.vectors.formats.source import INCOMPLETE

if TYPE_CHECKING:
    from askew.vectors.formats.source import Source
    from askew.vectors.problems import Problems

_SUPERVISED = 3
_HEADER = struct.Struct("<14id3iqq")
_ENTRY = 9  # bytes after the zero that ends a word: a count and a type
_CHUNK = 1 << 20
_LONGEST_WORD = 4096


class Header(NamedTuple):
    """What the file says of itself."""

    version: int
    dim: int
    model: int
    buckets: int
    shortest: int
    longest: int
    entries: int
    words: int
    labels: int
    pruned: int


def read(request: Request) -> Contents:
    """Read a fastText .bin."""
    source = request.source
    header = _header(source)
    words, place = _dictionary(source, header)
    matrix = _matrix(source, header, place, request.reading.problems)
    own = StoredMatrix(source, matrix.start, len(words), header.dim, "<f4")
    buckets = StoredMatrix(
        source, matrix.start + 4 * len(words) * header.dim, header.buckets, header.dim, "<f4"
    )
    letters = LettersPlace(buckets, header.shortest, header.longest)
    composed = Composed(words, own, letters)
    kept = letters if letters.usable else None
    return contents_of_table("fasttext-bin", words, composed, request, unit="word", letters=kept)


def _header(source: Source) -> Header:
    if source.size < _HEADER.size:
        raise _cut(source)
    values = _HEADER.unpack(source.read(0, _HEADER.size))
    version, dim = values[1:3]
    model, buckets, shortest, longest = values[9:13]
    entries, words, labels = values[15:18]
    header = Header(version, dim, model, buckets, shortest, longest, entries, words, labels, values[19])
    if header.model == _SUPERVISED or header.labels > 0:
        raise VectorsError(
            "this is a fastText classifier (supervised), which Askew does not read",
            where=source.name,
            remedy="Open a fastText model that was trained with cbow or skipgram",
        )
    wrong = _what_is_wrong(header, source.size)
    if wrong:
        raise VectorsError(f"the fastText file is damaged: {wrong}", where=source.name, remedy=INCOMPLETE)
    return header


def _what_is_wrong(header: Header, size: int) -> str:
    """Return which number of the header cannot be true, or ""."""
    if header.version not in (11, 12):
        return f"its version is {header.version}, not 11 or 12"
    if header.words < 1 or header.entries != header.words or header.labels < 0:
        return f"it lists {header.entries} words of which {header.words} have vectors"
    if header.buckets < 0 or header.longest > LONGEST_GROUP:
        return f"it has {header.buckets} groups of up to {header.longest} letters"
    if header.dim < 1 or (header.words + header.buckets) * header.dim * 4 > size:
        rows = header.words + header.buckets
        return f"{rows} rows of {header.dim} numbers do not fit into it"
    if 8 * header.pruned > size:
        return f"{header.pruned} pruned letter groups do not fit into it"
    return ""


def _cut(source: Source) -> VectorsError:
    return VectorsError("the fastText file is incomplete", where=source.name, remedy=INCOMPLETE)


def _dictionary(source: Source, header: Header) -> tuple[list[bytes], int]:
    """Return the words, and the place after them and what was pruned."""
    words: list[bytes] = []
    place, data = _HEADER.size, b""
    base = place
    while len(words) < header.words:
        end = data.find(b"\0", place - base)
        if end < 0 or end + 1 + _ENTRY > len(data):
            left = data[place - base :]
            more = source.read(base + len(data), min(_CHUNK, source.size - base - len(data)))
            if not more:
                raise _cut(source)
            if len(left) > _LONGEST_WORD + _ENTRY:
                raise VectorsError(
                    f"the fastText file is damaged: word {len(words) + 1} has no end", where=source.name
                )
            base, data = place, left + more
            continue
        words.append(data[place - base : end])
        place = base + end + 1 + _ENTRY
    return words, place + 8 * max(0, header.pruned)


def _matrix(source: Source, header: Header, place: int, problems: Problems) -> StoredMatrix:
    """Return the matrix of words and letter groups; before it stand whether it is quantized and its size."""
    if place + 17 > source.size:
        raise _cut(source)
    quantized, rows, dim = struct.unpack("<?qq", source.read(place, 17))
    if quantized:
        raise VectorsError(
            "this is a quantized fastText model (.ftz), which Askew does not read",
            where=source.name,
            remedy="Open the .bin that it was made of",
        )
    if (rows, dim) != (header.words + header.buckets, header.dim):
        raise VectorsError(
            f"the fastText file is damaged: its matrix is said to be {rows} by {dim}, "
            f"not {header.words + header.buckets} by {header.dim}",
            where=source.name,
            remedy=INCOMPLETE,
        )
    matrix = StoredMatrix(source, place + 17, rows, dim, "<f4")
    _look_at_the_end(source, matrix.start + 4 * rows * dim, problems)
    return matrix


def _look_at_the_end(source: Source, place: int, problems: Problems) -> None:
    """Note if the second matrix, which only training needs, is not whole."""
    whole = place + 17 <= source.size
    if whole:
        _, rows, dim = struct.unpack("<?qq", source.read(place, 17))
        whole = rows >= 0 and dim >= 0 and place + 17 + 4 * rows * dim <= source.size
    if not whole:
        problems.add(
            "incomplete", "the file ends early; all vectors of words are there, training data is missing"
        )
