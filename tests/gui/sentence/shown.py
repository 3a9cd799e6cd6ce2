"""What the chips show, and characters that are made of several."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from askew_gui.panels.sentence import SentencePanel

FAMILY = "👩‍👩‍👧‍👦"
THUMB = "👍🏽"


def texts(panel: SentencePanel) -> list[str]:
    return [token.text for token in panel.chips.tokens]


def statuses(panel: SentencePanel) -> list[str]:
    return [token.status for token in panel.chips.tokens]
