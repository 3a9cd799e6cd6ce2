"""numpy's .npy: a bare matrix, whose words stand in a list beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from askew.errors import VectorsError
from askew.vectors.formats.contents import Contents, Request, blocks_of
from askew.vectors.formats.matrix import StoredMatrix, is_number
from askew.vectors.formats.word_list import words_for

if TYPE_CHECKING:
    from askew.vectors.formats.source import Source

_MAGIC = b"\x93NUMPY"
_LONGEST = 1 << 16
_DESCR = re.compile(rb"'descr'\s*:\s*(?:'([^'\\]*)'|\[)")
_ORDER = re.compile(rb"'fortran_order'\s*:\s*(True|False)\b")
_SHAPE = re.compile(rb"'shape'\s*:\s*\(([\d, L]*)\)")
_PART = re.compile(
    r"(.+?)(?:\.(?:wv|docvecs|dv|trainables|vocabulary))?"
    r"\.(?:vectors|vectors_vocab|vectors_ngrams|vectors_docs|vectors_lockf|vectors_vocab_lockf"
    r"|vectors_ngrams_lockf|syn0|syn0norm|syn0_vocab|syn0_ngrams|syn0_all|syn0_lockf|syn1|syn1neg|doctag_syn0)"
    r"\.npy"
)


@dataclass(frozen=True, slots=True)
class Array:
    """What the header of an array says, and where its numbers begin."""

    kind: str
    shape: tuple[int, ...]
    by_columns: bool
    start: int


def read_header(source: Source) -> Array:
    """Return what the header of a .npy says.

    Raises
    ------
    VectorsError
        If there is none, or the array holds anything but numbers or text.
    """
    head = source.head(12)
    wide = head[6:7] in (b"\x02", b"\x03")
    length = int.from_bytes(head[8:12] if wide else head[8:10], "little")
    start = (12 if wide else 10) + length
    if not head.startswith(_MAGIC) or head[6:7] not in (b"\x01", b"\x02", b"\x03") or length > _LONGEST:
        raise VectorsError("this is not a whole .npy file", where=source.name)
    text = source.read(start - length, length)
    descr, order, shape = _DESCR.search(text), _ORDER.search(text), _SHAPE.search(text)
    if descr is None or order is None or shape is None:
        raise VectorsError("the header of the .npy file cannot be read", where=source.name)
    kind = (descr[1] or b"").decode("latin-1")
    if kind[1:2] == "O" or not kind:
        raise VectorsError(
            "the array holds Python objects, not numbers" if kind else "the array has named fields",
            where=source.name,
            remedy="Save it as float32 (array.astype('float32'))",
        )
    sizes = tuple(int(size) for size in re.findall(rb"\d{1,18}", shape[1]))
    return Array(kind, sizes, order[1] == b"True", start)


def stored_matrix(source: Source) -> StoredMatrix:
    """Return the matrix of a .npy.

    Raises
    ------
    VectorsError
        If it holds no matrix of numbers, or is cut short.
    """
    array = read_header(source)
    if len(array.shape) != 2 or not is_number(array.kind):
        raise VectorsError(
            f"the array has shape {array.shape} and type '{array.kind}', not a row of numbers per word",
            where=source.name,
            remedy="Save the vectors as one matrix of float32, a row per word",
        )
    return StoredMatrix(source, array.start, *array.shape, array.kind, array.by_columns)


def read(request: Request) -> Contents:
    """Read a .npy and its word list."""
    source = request.source
    part = _PART.fullmatch(source.name)
    if part and request.options.words is None:
        there = "which is" if source.path.with_name(part[1]).exists() else "which should be"
        raise VectorsError(
            f"this is a part of the gensim file {part[1]}",
            where=source.name,
            remedy=f"Open {part[1]} instead, {there} in the same folder",
        )
    matrix = stored_matrix(source)
    words = words_for(source.path, matrix.rows, matrix.dim, request)
    return Contents("npy", matrix.dim, blocks_of(words, matrix))
