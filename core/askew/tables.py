"""Numbers as tables with labelled rows and columns: a map, or the measures of all heads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from askew.captions import caption, state
from askew.compare import compare
from askew.measures import MEASURES, Energy, Sink
from askew.results import rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askew.arrays import Float32
    from askew.evaluation import Evaluation
    from askew.measures import Measures

Cell = float | int | str | None
Side = Literal["raw", "head", "difference"]

SIDES: tuple[Side, ...] = ("raw", "head", "difference")


@dataclass(frozen=True, slots=True)
class Table:
    """A table of numbers.

    Parameters
    ----------
    state
        What the numbers are and what they were computed from, in sentences.
    row_labels, column_labels
        Plain text, one a row and one a column; positions, not names: repeats are kept apart.
    cells
        Rows of numbers and words; None is no value.
    """

    state: str
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]

    @property
    def values(self) -> Float32:
        """The numbers, (rows, columns); NaN is no value."""
        shape = len(self.row_labels), len(self.column_labels)
        return np.array(self.cells, dtype=np.float32).reshape(shape)

    def turned(self) -> Table:
        """Return the table with rows for columns."""
        cells = tuple(zip(*self.cells, strict=True)) if self.cells else ((),) * len(self.column_labels)
        return Table(self.state, self.column_labels, self.row_labels, cells)


class Measured(NamedTuple):
    """One number or word of a head's measures: its path in the JSON, its title, what it is."""

    path: str
    title: str
    value: Cell


def map_table(evaluation: Evaluation, side: Side) -> Table:
    """Return one of the three maps that are shown, with the tokens as labels.

    It is of the quantity, the selected heads and the comparison of the experiment, as
    `askew.compare.compare` returns them.
    """
    comparison = compare(evaluation, evaluation.experiment.selected)
    words = caption(evaluation, side)
    if side != "head" and comparison.note:
        words = f"{words} {comparison.note[0].upper()}{comparison.note[1:]}."
    tokens = tuple(token.text for token in evaluation.tokens)
    values = {"raw": comparison.raw, "head": comparison.head, "difference": comparison.difference}[side]
    return Table(words, tokens, tokens, tuple(tuple(row) for row in rows(values)))


def measures_table(evaluation: Evaluation, *, titles: bool = False) -> Table:
    """Return the measures of all heads, a head a row.

    Columns have their keys in the JSON, or `titles` for people, for whom a sink is named by its token alone.
    """
    every = [tuple(measured(one)) for one in evaluation.measures]
    if titles:
        every = [tuple(each for each in one if each.path != "sink/index") for one in every]
    columns = tuple(each.title if titles else each.path.replace("/", "_") for each in every[0])
    heads = tuple(f"head {h}" for h in range(len(every)))
    cells = tuple(tuple(each.value for each in one) for one in every)
    return Table(f"Measures of the heads. {state(evaluation)}", heads, columns, cells)


def measured(measures: Measures) -> Iterator[Measured]:
    """Give the measures of a head one by one, in the order of `MEASURES`."""
    for text in MEASURES:
        value = getattr(measures, text.key)
        if isinstance(value, Sink):
            yield Measured("sink/value", text.title, value.value)
            yield Measured("sink/token", f"{text.title} token", value.token)
            yield Measured("sink/index", f"{text.title} index", value.index)
        elif isinstance(value, Energy):
            for part in ("row", "column", "pairing"):
                yield Measured(f"energy/{part}", f"{part.capitalize()} energy", getattr(value, part))
        else:
            yield Measured(text.key, text.title, value)
