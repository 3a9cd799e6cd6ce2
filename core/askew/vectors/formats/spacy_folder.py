"""A folder of spaCy's: a matrix, a table from hashes of words to rows, and the words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from askew.errors import VectorsError
from askew.vectors.formats.contents import Contents, Request, contents_of_table
from askew.vectors.formats.hashes import hashes_of
from askew.vectors.formats.npy_header import stored_matrix
from askew.vectors.formats.packed_map import numbers_by_number
from askew.vectors.formats.scattered import ScatteredRows
from askew.vectors.formats.source import read_beside
from askew.vectors.formats.word_list import as_bytes, parsed

if TYPE_CHECKING:
    from pathlib import Path

    from askew.arrays import Float32, IntArray
    from askew.vectors.formats.matrix import StoredMatrix
    from askew.vectors.problems import Problems

_MATRIX, _ROWS, _WORDS, _SETTINGS = "vectors", "key2row", "strings.json", "vectors.cfg"
_LARGEST = 1 << 29


def matrix_of_folder(folder: Path) -> Path:
    """Return the matrix of a spaCy folder: of the vectors, of a vocabulary, or of a whole model.

    Raises
    ------
    VectorsError
        If there is none.
    """
    inside = [folder / _MATRIX, folder / "vocab" / _MATRIX, *sorted(folder.glob(f"*/vocab/{_MATRIX}"))[:1]]
    for file in inside:
        if file.is_file():
            return file
    raise VectorsError(
        "this folder holds no vectors that Askew knows",
        where=folder.name or str(folder),
        remedy="Open a vector file, or a spaCy folder with the files vectors, key2row and strings.json",
    )


def is_spacy(matrix: Path) -> bool:
    """Whether a matrix lies among the other files of spaCy."""
    return matrix.name == _MATRIX and any(matrix.with_name(name).is_file() for name in (_ROWS, _SETTINGS))


def read(request: Request) -> Contents:
    """Read the words and vectors of a spaCy folder."""
    folder = request.source.path.parent
    _refuse_floret(folder)
    matrix = stored_matrix(request.source)
    rows = numbers_by_number(read_beside(_there(folder / _ROWS), _LARGEST), _ROWS)
    if not all(row < matrix.rows for row in rows.values()):
        raise VectorsError(f"{_ROWS} refers to rows that are not in {_MATRIX}", where=folder.name)
    words, places = _words_of(folder, rows, request.reading.problems)
    _tell_shared(words, places, request.reading.problems)
    shared = SharedRows(matrix, places)
    return contents_of_table("spacy", words, shared, request, unit="word", name=_name_of(folder))


def _name_of(folder: Path) -> str:
    """Return the name of the model that a folder belongs to."""
    return folder.parent.name if folder.name == "vocab" and folder.parent.name else folder.name


def _there(file: Path) -> Path:
    if not file.is_file():
        raise VectorsError(
            f"the spaCy folder lacks the file {file.name}",
            where=file.parent.name,
            remedy=f"Put {_MATRIX}, {_ROWS} and {_WORDS} of the model into one folder",
        )
    return file


def _refuse_floret(folder: Path) -> None:
    settings = folder / _SETTINGS
    mode = None
    if settings.is_file():
        content = parsed(read_beside(settings, 1 << 20), settings.name)
        mode = content.get("mode") if isinstance(content, dict) else None
    if mode == "floret":
        raise VectorsError(
            "these are floret vectors, which have no row per word; Askew does not read them",
            where=folder.name,
            remedy="Open a spaCy model whose vectors are not in floret mode, such as en_core_web_md",
        )


def _words_of(folder: Path, rows: dict[int, int], problems: Problems) -> tuple[list[bytes], IntArray]:
    """Return the words that have rows, in the order of the rows, and these."""
    listed = parsed(read_beside(_there(folder / _WORDS), _LARGEST), _WORDS)
    if not isinstance(listed, list) or not all(isinstance(word, str) for word in listed):
        raise VectorsError("the file holds no list of words", where=_WORDS)
    texts = [as_bytes(word) for word in listed]
    found: list[tuple[int, int]] = []
    named: set[int] = set()
    for place, key in enumerate(hashes_of(texts).tolist()):
        row = rows.get(key, -1)
        if row >= 0 and key not in named:
            named.add(key)
            found.append((row, place))
    missing = sum(row >= 0 for row in rows.values()) - len(found)
    if missing:
        problems.add("words", f"{missing} of the keys in {_ROWS} without a word in {_WORDS} left out")
    found.sort()
    places = np.array([row for row, _ in found], dtype=np.intp)
    return [texts[place] for _, place in found], places


def _tell_shared(words: list[bytes], places: IntArray, problems: Problems) -> None:
    """Note how many words have the vector of another word, which spaCy does to save room."""
    same = np.flatnonzero(np.diff(places) == 0)
    if len(same):
        first, second = (words[int(same[0]) + step].decode("utf-8", "replace") for step in (0, 1))
        have = "word has" if len(same) == 1 else "words have"
        problems.add(
            "shared",
            f"{len(same)} {have} the vector of another word, such as '{second}' that of '{first}'; "
            "such words look exactly alike",
        )


class SharedRows:
    """Rows of a matrix, one a word; several words may have the same."""

    def __init__(self, matrix: StoredMatrix, places: IntArray) -> None:
        self._rows = ScatteredRows(matrix)
        self._places = places

    @property
    def rows(self) -> int:
        """How many words there are."""
        return len(self._places)

    @property
    def dim(self) -> int:
        """Numbers per word."""
        return self._rows.dim

    def block(self, start: int, stop: int) -> Float32:
        """Return rows `start` to `stop`, (k, dim)."""
        return self._rows.at(self._places[start:stop], few=stop - start == 1)
