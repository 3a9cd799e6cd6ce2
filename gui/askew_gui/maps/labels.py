"""Token texts fit to be drawn: no empty boxes, no markup, never too long."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF

from askew_gui.maps.style import LABEL_PX, bundled_font

LONGEST = 300  # letters worth measuring

# Joiners, variation selectors and other letters that are only ever seen through their neighbours.
_UNSEEN = frozenset({0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, *range(0xFE00, 0xFE10)})


@lru_cache(maxsize=4096)
def drawable(text: str) -> str:
    """Return `text` with every letter that no font has replaced by its code point, as in ``U+1F44D``."""
    metrics = QFontMetricsF(bundled_font(LABEL_PX))
    shown = "".join([_drawable_letter(letter, metrics) for letter in text[:LONGEST]])
    return shown + "…" if len(text) > LONGEST else shown


def _drawable_letter(letter: str, metrics: QFontMetricsF) -> str:
    code = ord(letter)
    if code in _UNSEEN:
        return letter
    if unicodedata.category(letter) in {"Cc", "Zl", "Zp", "Cs", "Cn", "Co"} or not metrics.inFontUcs4(code):
        return f"U+{code:04X}"
    return letter


@lru_cache(maxsize=8192)
def elided(text: str, px: int, width: int, bold: bool = False) -> str:
    """Return what of a text fits into `width` pixels, ending in … if not all of it does."""
    metrics = QFontMetricsF(bundled_font(px, bold))
    return metrics.elidedText(drawable(text), Qt.TextElideMode.ElideRight, width)


@lru_cache(maxsize=8192)
def text_width(text: str, px: int, bold: bool = False) -> float:
    """Return how wide a text is as it stands."""
    return QFontMetricsF(bundled_font(px, bold)).horizontalAdvance(text)


def wrapped(text: str, px: int, width: float, bold: bool = False) -> list[str]:
    """Return a text in lines of at most `width` pixels; a longer word is broken."""
    metrics = QFontMetricsF(bundled_font(px, bold))
    lines: list[str] = []
    for word in map(drawable, text.split()):
        longer = f"{lines[-1]} {word}" if lines else ""
        if lines and metrics.horizontalAdvance(longer) <= width:
            lines[-1] = longer
            continue
        lines.append("")
        for letter in word:
            if lines[-1] and metrics.horizontalAdvance(lines[-1] + letter) > width:
                lines.append("")
            lines[-1] += letter
    return lines


@lru_cache(maxsize=64)
def text_widths(labels: tuple[str, ...], px: int) -> tuple[float, ...]:
    """Return how wide each label is at a size."""
    metrics = QFontMetricsF(bundled_font(px))
    return tuple(metrics.horizontalAdvance(drawable(label)) for label in labels)


def tip(text: str) -> str:
    """Return a tooltip that shows `text` character for character, whatever markup it looks like."""
    from html import escape  # its table of entities would be read at every start

    return f'<p style="white-space:pre-wrap">{escape(text)}</p>'
