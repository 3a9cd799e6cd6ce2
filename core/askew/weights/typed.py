"""Numbers as people type them."""

from __future__ import annotations

import math
import re

_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_MINUS_SIGNS = str.maketrans({"\u2212": "-", "\u2013": "-", "\ufe63": "-", "\uff0d": "-"})
LARGEST = float.fromhex("0x1.ffffffp127")  # from here on, float32 rounds to infinity


def typed_number(text: str) -> float | None:
    """Return the number that a person meant; 0.5 and 0,5 are both a half, whatever the locale.

    None is no number: empty text, words, "nan" and "inf", two separators (1.234,5). What is beyond float32 is
    infinite.
    """
    cleaned = text.strip().translate(_MINUS_SIGNS)
    if not _NUMBER.fullmatch(cleaned):
        return None
    value = float(cleaned.replace(",", "."))
    return value if abs(value) < LARGEST else math.copysign(math.inf, value)
