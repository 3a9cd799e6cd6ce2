"""Numbers as people type them, and as the program writes them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from askew.errors import AskewError
from askew_gui.i18n import tr

if TYPE_CHECKING:
    from askew.arrays import FloatArray

NO_VALUE = "\u2013"
MINUS = "\u2212"


class NotANumber(AskewError):
    """A text that a person typed or pasted is not a number the program can hold."""


def parse_number(text: str) -> float:
    """Return the number that a person meant; 0.5 and 0,5 are both a half, whatever the locale.

    Raises
    ------
    NotANumber
        For empty text, words, "nan" and "inf", two separators (1.234,5), and numbers beyond float32.
    """
    from askew.weights.typed import typed_number  # all that reads weights comes with it

    typed = text.strip()
    if not typed:
        raise NotANumber(tr("an empty cell is no number"), remedy=tr("Type 0 if nothing is meant"))
    value = typed_number(text)
    if value is None:
        what = tr("'{text}' is not a number").format(text=_shortened(typed))
        raise NotANumber(what, remedy=tr("Type it like 0.5 or 0,5"))
    if math.isinf(value):
        what = tr("'{text}' is too large").format(text=_shortened(typed))
        raise NotANumber(what, remedy=tr("The largest number is 3.4e38"))
    return value


def full_digits(value: float | np.floating) -> str:
    """Return the shortest digits that give the float32 back."""
    number = np.float32(value)
    if number == 0:
        return "0"
    if 1e-4 <= abs(float(number)) < 1e7:
        return np.format_float_positional(number, unique=True, trim="-")
    return np.format_float_scientific(number, unique=True, trim="-", exp_digits=1)


def signed(value: float | np.floating, digits: int = 3) -> str:
    """Return a number with its sign, `+0.123`; from 1000 on four digits, whatever their size."""
    number = float(value)
    if math.isnan(number):
        return NO_VALUE
    text = f"{number:+.{digits}f}" if abs(number) < 1000 else f"{number:+.4g}"
    return text.replace("-", MINUS)


def plain(value: float | np.floating | None, digits: int = 3) -> str:
    """Return a number without a plus sign, or a dash where there is no value."""
    if value is None or math.isnan(float(value)):
        return NO_VALUE
    return f"{float(value):.{digits}f}".replace("-", MINUS)


def table_text(values: FloatArray) -> str:
    """Return a matrix as a spreadsheet takes it: tabs, line ends, digits that give the float32 back."""
    return "\n".join("\t".join(full_digits(number) for number in row) for row in np.atleast_2d(values))


def _shortened(text: str, limit: int = 40) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
