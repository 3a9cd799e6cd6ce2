"""Numbers as a person reads them: in cells, at the ends of colour bars, in tooltips."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from askew_gui.i18n import tr

if TYPE_CHECKING:
    from askew.heatmap import Heatmap

MINUS = "−"


def number_text(value: float, digits: int = 3, signed: bool = False) -> str:
    """Return a number with so many decimals; smaller ones keep two digits, "no value" says so."""
    if math.isnan(value):
        return tr("no value")
    text = f"{abs(value):.{digits}f}"
    if float(text) == 0 and value != 0:
        text = f"{abs(value):.1e}" if abs(value) < 10.0 ** -(digits + 3) else f"{abs(value):.2g}"
    return _sign(value, signed) + text


def cell_text(value: float, signed: bool = False) -> str:
    """Return a number short enough for a cell: two decimals, fewer for large numbers."""
    size = abs(value)
    digits = 2 if size < 9.995 else 1 if size < 99.95 else 0
    text = f"{size:.{digits}f}"
    return (_sign(value, signed) if float(text) else "") + text


def limit_texts(heatmap: Heatmap) -> tuple[str, str]:
    """Return what stands at the two ends of the colour bar."""
    if heatmap.row_stretch:
        return "0", tr("row’s largest")
    low, high = heatmap.limits
    signed = heatmap.colours == "diverging"
    return _limit(low, signed), _limit(high, signed)


def _limit(value: float, signed: bool) -> str:
    text = f"{abs(value):.3g}"
    return _sign(value, signed and value != 0) + text


def _sign(value: float, signed: bool) -> str:
    if value < 0:
        return MINUS
    return "+" if signed and value > 0 else ""
