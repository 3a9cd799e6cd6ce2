"""What a reader of a format hands over: rows in the order of the file, unchecked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from askew.vectors.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import BinaryIO

    from askew.arrays import Float32
    from askew.vectors.detect import Detected
    from askew.vectors.formats.letters import LettersPlace
    from askew.vectors.formats.source import Source
    from askew.vectors.options import Options
    from askew.vectors.rows import Reading
    from askew.vectors.streams import Progress

_BLOCK = 1 << 22


@dataclass(frozen=True, slots=True)
class Request:
    """What a reader gets: the file, how to read, what the person chose.

    Parameters
    ----------
    stream
        Stands at the first row, for formats that are read forwards.
    """

    source: Source
    reading: Reading
    options: Options
    detected: Detected
    stream: BinaryIO
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class Contents:
    """The rows of a file.

    Parameters
    ----------
    format
        Its name in `vectors info`.
    dim
        Numbers per word.
    blocks
        The rows, unchecked; to be gone through once.
    unit
        How rows are counted in messages.
    name
        Shown to people, where it is not that of the file.
    letters
        Where the vectors of letter groups are, if the format has them.
    table
        Words and rows again, where they can be read from any place on.
    """

    format: str
    dim: int
    blocks: Iterable[Rows]
    unit: str = "row"
    header: str | None = None
    name: str | None = None
    letters: LettersPlace | None = None
    table: tuple[Sequence[bytes], Matrix] | None = None


class Matrix(Protocol):
    """Rows that can be read from any place on."""

    @property
    def rows(self) -> int:
        """How many rows there are."""

    @property
    def dim(self) -> int:
        """Numbers per row."""

    def block(self, start: int, stop: int) -> Float32:
        """Return rows `start` to `stop`, (k, dim)."""


def blocks_of(words: Sequence[bytes], matrix: Matrix, progress: Progress | None = None) -> Iterator[Rows]:
    """Return words and their rows in blocks of a few MB."""
    width = 4 * matrix.dim
    step = max(1, _BLOCK // width)
    for start in range(0, matrix.rows, step):
        stop = min(start + step, matrix.rows)
        yield Rows(list(words[start:stop]), matrix.block(start, stop), list(range(start + 1, stop + 1)))
        if progress is not None:
            progress(stop * width, matrix.rows * width)


def contents_of_table(
    kind: str,
    words: Sequence[bytes],
    matrix: Matrix,
    request: Request,
    *,
    unit: str = "row",
    name: str | None = None,
    letters: LettersPlace | None = None,
) -> Contents:
    """Return the contents of a file whose rows can be read from any place on."""
    blocks = blocks_of(words, matrix, request.progress)
    return Contents(kind, matrix.dim, blocks, unit, name=name, letters=letters, table=(words, matrix))
