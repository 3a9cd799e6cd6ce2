"""Word vectors in use: words, rows fetched on demand, nearest words."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Protocol

import numpy as np

from askew.errors import VectorsError
from askew.experiment import VectorsRef
from askew.tokens import Found
from askew.vectors.search import inverse_norms, nearest_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from askew.arrays import Float32
    from askew.vectors.options import Options
    from askew.vectors.problems import Problem


@dataclass(frozen=True, slots=True)
class Origin:
    """What a file turned out to be: format, containers around it (outermost last), member, header line."""

    format: str
    container: tuple[str, ...] = ()
    member: str | None = None
    header: str | None = None


class Index(Protocol):
    """Words and their rows, in the order of the file."""

    def __len__(self) -> int:
        """Return how many words there are."""

    def row(self, word: str) -> int | None:
        """Return the row of a word, looked up exactly as given."""

    def word(self, row: int) -> str:
        """Return the word of a row."""

    def starting_with(self, prefix: str) -> Iterator[int]:
        """Return the rows of words that begin so, in the order of the file."""


class Rows(Protocol):
    """The numbers of each row, read when asked for."""

    @property
    def dim(self) -> int:
        """Numbers per row."""

    def fetch(self, rows: Sequence[int]) -> Float32:
        """Return the rows asked for, (k, dim)."""

    def matrix(self) -> Float32 | None:
        """Return all rows, (n, dim), perhaps a map of a file; None while they cannot be had at once."""


class Letters(Protocol):
    """Builds vectors of words outside the table from their letters."""

    def vector(self, word: str) -> Float32 | None:
        """Return the vector, (dim,), or None where the word has no known part."""


class DictIndex:
    """An index in memory; of a repeated word the first row counts."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._rows = dict(zip(reversed(words), range(len(words) - 1, -1, -1), strict=True))

    def __len__(self) -> int:
        return len(self._words)

    def row(self, word: str) -> int | None:
        """Return the row of a word, looked up exactly as given."""
        return self._rows.get(word)

    def word(self, row: int) -> str:
        """Return the word of a row."""
        return self._words[row]

    def starting_with(self, prefix: str) -> Iterator[int]:
        """Return the rows of words that begin so, in the order of the file."""
        return (row for row, word in enumerate(self._words) if word.startswith(prefix))


class ArrayRows:
    """Rows of a matrix in memory."""

    def __init__(self, matrix: Float32) -> None:
        self._matrix = matrix

    @property
    def dim(self) -> int:
        """Numbers per row."""
        return int(self._matrix.shape[1])

    def fetch(self, rows: Sequence[int]) -> Float32:
        """Return the rows asked for, (k, dim)."""
        return np.take(self._matrix, np.asarray(rows, dtype=np.intp), axis=0)

    def matrix(self) -> Float32:
        """Return all rows, (n, dim)."""
        return self._matrix


class WordVectors:
    """A table of words and their vectors; a `Vocabulary` for `tokenize`.

    Parameters
    ----------
    name
        Shown to people and kept in sessions; never a path.
    index, rows
        Where words and numbers come from; they may be swapped for faster ones while in use.
    fingerprint
        What experiments refer to: hash of a small file, or of size, head and tail of a big one, and of what
        is read of it; known at once and the same before and after an import.
    report
        Problems found when opening.
    origin
        What the file turned out to be.
    letters
        Builder of vectors for other words, where the format has one.
    inverse_norms
        1 / norm of each row, NaN for a zero row; computed when needed if not given.
    source
        The file and the choices made, for a big file whose store may still be built.
    content
        Hash of every byte of the file, once its store is built.
    unaccented
        Whether the words have neither capitals nor accents, so that a word is looked up without them.
    """

    def __init__(
        self,
        name: str,
        index: Index,
        rows: Rows,
        *,
        fingerprint: str,
        report: Iterable[Problem] = (),
        origin: Origin | None = None,
        letters: Letters | None = None,
        inverse_norms: Float32 | None = None,
        source: tuple[Path, Options] | None = None,
        content: str | None = None,
        unaccented: bool = False,
    ) -> None:
        self.name = name
        self.unaccented = unaccented
        self.content = content
        self.fingerprint = fingerprint
        self.report = tuple(report)
        self.origin = origin or Origin("memory")
        self._parts = index, rows  # replaced together, for other threads may be reading
        self._letters = letters
        self.source = source
        self._inverse_norms = inverse_norms

    @classmethod
    def from_arrays(cls, words: Sequence[str], matrix: Float32, name: str = "unnamed") -> WordVectors:
        """Make a table of `words` and their rows in `matrix`, (n, dim).

        Raises
        ------
        VectorsError
            If the words and rows differ in number, or a word is there twice.
        """
        array = np.ascontiguousarray(matrix, dtype=np.float32)
        if array.ndim != 2 or len(words) != array.shape[0]:
            raise VectorsError(f"{len(words)} words do not fit a matrix of shape {array.shape}")
        if len(set(words)) != len(words):
            raise VectorsError("a word is there twice", remedy="Give each word one row")
        array = array.copy() if array is matrix else array
        array.setflags(write=False)
        digest = hashlib.blake2b("\n".join(words).encode("utf-8", "surrogatepass"), digest_size=16)
        digest.update(array.tobytes())
        return cls(name, DictIndex(list(words)), ArrayRows(array), fingerprint=digest.hexdigest())

    @property
    def _index(self) -> Index:
        return self._parts[0]

    @property
    def _rows(self) -> Rows:
        return self._parts[1]

    @property
    def dim(self) -> int:
        """Numbers per word."""
        return self._rows.dim

    @property
    def ref(self) -> VectorsRef:
        """The reference that experiments keep."""
        return VectorsRef(self.name, self.fingerprint, self.dim)

    @property
    def builds_from_letters(self) -> bool:
        """Whether words outside the table get vectors too."""
        return self._letters is not None

    @property
    def searchable(self) -> bool:
        """Whether nearest words can be had now; a big file needs its store for them."""
        return self.source is None

    def adopt(self, store: WordVectors) -> None:
        """Go on with the store of the same file: nearest words, and a report that is complete.

        Raises
        ------
        VectorsError
            If it is of another file.
        """
        if store.fingerprint != self.fingerprint or store.dim != self.dim:
            raise VectorsError(f"the store is not one of {self.name}")
        self._inverse_norms = store._inverse_norms
        self._parts = store._parts
        self.report = store.report
        self.content = store.content
        self.source = None

    def grow(self, longer: WordVectors) -> None:
        """Go on with more words of the same file; the rows so far keep their numbers."""
        self._parts = longer._parts
        self.report = longer.report

    def __len__(self) -> int:
        return len(self._index)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self._index.row(word) is not None

    def __iter__(self) -> Iterator[str]:
        return (self._index.word(row) for row in range(len(self)))

    def word(self, row: int) -> str:
        """Return the word of a row."""
        return self._index.word(row)

    def completions(self, prefix: str, n: int = 10) -> list[str]:
        """Return up to `n` words that begin so, the first of the table first."""
        return [self._index.word(row) for row in islice(self._index.starting_with(prefix), n)]

    def find(self, word: str) -> Found | None:
        """Return where the word's vector is, looked up exactly as given, or None."""
        row = self._index.row(word)
        if row is not None:
            return Found(row)
        if self._letters is not None and self._letters.vector(word) is not None:
            return Found(None)
        return None

    def get(self, word: str) -> Float32 | None:
        """Return the vector of a word, (dim,), looked up exactly as given, or None."""
        row = self._index.row(word)
        if row is not None:
            return self.vectors([word]).reshape(-1)
        return None if self._letters is None else self._letters.vector(word)

    def vectors(self, words: Sequence[str]) -> Float32:
        """Return the vectors of words that `find` finds, (k, dim).

        Raises
        ------
        VectorsError
            If a word has no vector.
        """
        result = np.empty((len(words), self.dim), dtype=np.float32)
        index, numbers = self._parts
        rows = [index.row(word) for word in words]
        known = [place for place, row in enumerate(rows) if row is not None]
        result[known] = numbers.fetch([row for row in rows if row is not None])
        for place, row in enumerate(rows):
            if row is None:
                built = self.get(words[place])
                if built is None:
                    raise VectorsError(f"'{words[place]}' has no vector in {self.name}")
                result[place] = built
        return result

    def neighbours(self, word_or_vector: str | Float32, n: int = 10) -> list[tuple[str, float]]:
        """Return the `n` words with the largest cosine, largest first; a word is not its own neighbour.

        Zero vectors have no cosine and are left out; a zero query has no neighbours.

        Parameters
        ----------
        word_or_vector
            A word that `find` finds, or a vector, (dim,).
        n
            How many at most.

        Raises
        ------
        VectorsError
            If the word has no vector, the vector has another length, or the table is not `searchable`.
        """
        return self.neighbours_of_many([word_or_vector], n)[0]

    def neighbours_of_many(
        self, words_or_vectors: Sequence[str | Float32], n: int = 10, *, first: int | None = None
    ) -> list[list[tuple[str, float]]]:
        """Return the neighbours of each of many words or vectors, in one pass over the table.

        Parameters
        ----------
        words_or_vectors
            As for `neighbours`.
        n
            How many at most for each.
        first
            Search only so many rows from the start of the table, its most frequent words.

        Raises
        ------
        VectorsError
            As for `neighbours`.
        """
        if n < 1 or not words_or_vectors:
            return [[] for _ in words_or_vectors]
        matrix = self._matrix()
        queries = np.array([self._query(each) for each in words_or_vectors])
        without = [self._index.row(each) if isinstance(each, str) else None for each in words_or_vectors]
        found = nearest_rows(matrix[:first], self._norms(matrix)[:first], queries, n, without)
        return [
            [(self.word(row), cosine) for row, cosine in zip(rows.tolist(), cosines.tolist(), strict=True)]
            for rows, cosines in found
        ]

    def _query(self, word_or_vector: str | Float32) -> Float32:
        if not isinstance(word_or_vector, str):
            query = np.asarray(word_or_vector, dtype=np.float32)
            if query.shape != (self.dim,):
                raise VectorsError(f"the vector has shape {query.shape}, not ({self.dim},)")
            return query
        found = self.get(word_or_vector)
        if found is None:
            raise VectorsError(f"'{word_or_vector}' has no vector in {self.name}")
        return found

    def _matrix(self) -> Float32:
        matrix = self._rows.matrix()
        if matrix is None:
            raise VectorsError(
                "the nearest words are not ready yet",
                where=self.name,
                remedy="Wait until the file is imported",
            )
        return matrix

    def _norms(self, matrix: Float32) -> Float32:
        if self._inverse_norms is None:
            self._inverse_norms = inverse_norms(matrix)
        return self._inverse_norms
