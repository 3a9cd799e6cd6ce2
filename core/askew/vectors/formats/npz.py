"""numpy's .npz: one array with the words and one with their vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askew.errors import VectorsError
from askew.vectors.formats.contents import Contents, Request, contents_of_table
from askew.vectors.formats.matrix import StoredMatrix, is_number
from askew.vectors.formats.text_arrays import fixed_width, is_text, joined_lines
from askew.vectors.formats.word_list import words_for
from askew.vectors.formats.zip_arrays import list_arrays, numbers_of
from askew.vectors.problems import ChoiceNeededError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askew.vectors.formats.npy_header import Array
    from askew.vectors.formats.zip_arrays import Named

WORDS = (
    "words",
    "vocab",
    "vocabulary",
    "tokens",
    "index_to_key",
    "index2word",
    "keys",
    "labels",
    "vocab_utf8",
)
VECTORS = ("vectors", "embeddings", "embedding", "matrix", "weights", "emb", "vecs", "wv")


def read(request: Request) -> Contents:
    """Read the words and vectors of a .npz."""
    arrays = list_arrays(request.source)
    matrix = _matrix(arrays, request)
    if request.options.words is not None:
        words = words_for(request.source.path, matrix.rows, matrix.dim, request)
    else:
        words = _words(arrays, matrix, request)
    return contents_of_table("npz", words, matrix, request)


def _matrix(arrays: Sequence[Named], request: Request) -> StoredMatrix:
    """Return the matrix that is meant: the one asked for, the one with a usual name, or the only one."""
    tables = [each for each in arrays if each.array is not None and len(each.array.shape) == 2]
    tables = [each for each in tables if each.array is not None and is_number(each.array.kind)]
    chosen = pick(tables, VECTORS, request.options.member)
    if chosen is None or chosen.array is None:
        names = tuple(each.name for each in tables)
        if names:
            raise ChoiceNeededError(
                f"the file holds {len(names)} matrices",
                flag="--member",
                choices=names,
                where=request.source.name,
            )
        for each in arrays:
            if each.error is not None:
                raise each.error
        raise VectorsError("the file holds no matrix of numbers", where=request.source.name)
    array = chosen.array
    rows, dim = array.shape
    return StoredMatrix(
        numbers_of(request.source, chosen), array.start, rows, dim, array.kind, array.by_columns
    )


def pick(tables: Sequence[Named], usual: Sequence[str], asked: str | None) -> Named | None:
    """Return the array asked for, else the only one with a usual name, else the only one; None if unclear."""
    if asked is not None:
        tables = [each for each in tables if each.name == asked]
    named = [each for each in tables if each.name.lower() in usual]
    if len(named) == 1:
        return named[0]
    return tables[0] if len(tables) == 1 else None


def _words(arrays: Sequence[Named], matrix: StoredMatrix, request: Request) -> list[bytes]:
    lists = [each for each in arrays if each.array is not None and _may_hold_words(each.name, each.array)]
    chosen = pick(lists, WORDS, None)
    if chosen is None or chosen.array is None:
        for each in arrays:
            if each.error is not None and each.name.lower() in WORDS:
                what = each.error.what.replace("not numbers", "not text")
                raise VectorsError(
                    what, where=each.error.where, remedy="Save the words as numpy.array(words)"
                )
        raise VectorsError(
            "the file holds no array of words" if not lists else "it is unclear which array holds the words",
            where=request.source.name,
            remedy="Name the arrays 'words' and 'vectors', or say where the words are: --words FILE",
        )
    start, count, kind = chosen.array.start, chosen.array.shape[0], chosen.array.kind
    source = numbers_of(request.source, chosen)
    joined = kind.endswith("u1")
    words = joined_lines(source.read(start, count)) if joined else fixed_width(source, start, count, kind)
    if len(words) != matrix.rows:
        raise VectorsError(
            f"there are {len(words)} words in '{chosen.name}', but {matrix.rows} rows in the matrix",
            where=request.source.name,
        )
    return words


def _may_hold_words(name: str, array: Array) -> bool:
    return len(array.shape) == 1 and (
        is_text(array.kind) or (array.kind.endswith("u1") and name.lower() in WORDS)
    )
