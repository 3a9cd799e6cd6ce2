"""What a cell, a label or a colour bar says in words, for tooltips and screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from askew_gui.i18n import tr
from askew_gui.maps.labels import drawable
from askew_gui.maps.numbers import number_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askew.heatmap import Heatmap
    from askew_gui.focus import Cell


def value_text(heatmap: Heatmap, row: int, column: int) -> str:
    """Return the value of a cell, or why it has none."""
    if heatmap.masked is not None and heatmap.masked[row, column]:
        return tr("masked")
    return number_text(float(heatmap.values[row, column]), signed=heatmap.colours == "diverging")


def cell_sentence(heatmap: Heatmap, cell: Cell) -> str:
    """Return where a cell is and its value, rows and columns counted from 1."""
    row, column = cell
    text = tr("row {} looks at column {}: {}")
    return text.format(row + 1, column + 1, value_text(heatmap, row, column))


def cell_text(heatmaps: Sequence[Heatmap], cell: Cell, index: int = 0) -> str:
    """Return a cell of map `index` as a sentence, its tokens, and the same cell of all maps."""
    row, column = cell
    one = heatmaps[index]
    words = f"{drawable(one.row_labels[row])} → {drawable(one.column_labels[column])}"
    lines = [cell_sentence(one, cell), words]
    if len(heatmaps) > 1:
        lines.append(" · ".join(f"{each.title} {value_text(each, row, column)}" for each in heatmaps))
    return "\n".join(lines)


def nudge_hint() -> str:
    """Say how a cell of the head's map is given another value."""
    return tr("Ctrl+drag up or down changes it through W_q (with Shift W_k); so do + and − once it is locked")


def row_text(heatmaps: Sequence[Heatmap], row: int) -> str:
    """Return a row's token, and what it looks at most in each map whose values are weights."""
    lines = [tr("row {}: {}").format(row + 1, drawable(heatmaps[0].row_labels[row]))]
    for one in heatmaps:
        values = one.values[row]
        if one.colours != "sequential" or not np.isfinite(values).any():
            continue
        if not values.any():
            lines.append(tr("{}: sees no token").format(one.title))
        else:
            best = int(np.nanargmax(values))
            most = tr("{}: most at column {}, {}, {}")
            word, weight = drawable(one.column_labels[best]), number_text(float(values[best]))
            lines.append(most.format(one.title, best + 1, word, weight))
    return "\n".join(lines)


def column_text(heatmap: Heatmap, column: int) -> str:
    """Return a column's token."""
    return tr("column {}: {}").format(column + 1, drawable(heatmap.column_labels[column]))


def bar_text(heatmap: Heatmap) -> str:
    """Return the smallest and the largest value of a map."""
    values = heatmap.values
    if heatmap.masked is not None:
        values = values[~heatmap.masked]
    if not np.isfinite(values).any():
        return tr("No value in any cell")
    signed = heatmap.colours == "diverging"
    low, high = (number_text(float(f(values)), signed=signed) for f in (np.nanmin, np.nanmax))
    return tr("smallest value {}, largest {}").format(low, high)


def title_text(heatmap: Heatmap) -> str:
    """Return title and formula in full."""
    return f"{heatmap.title}\n{heatmap.subtitle}" if heatmap.subtitle else heatmap.title
