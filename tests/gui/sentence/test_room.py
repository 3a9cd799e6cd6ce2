"""Many tokens, long words, small windows, larger text, both themes."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt

from askew_gui import intents, theme
from askew_gui.panels.chip_painter import flow
from askew_gui.panels.sentence import SentencePanel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from askew_gui.focus import Focus
    from askew_gui.store import Store


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("count", [0, 1, 300])
def test_the_panel_opens_with_any_number_of_tokens(
    store: Store, focus: Focus, qtbot: QtBot, dressed_app: QApplication, name: theme.ThemeName, count: int
) -> None:
    theme.apply_theme(dressed_app, name)
    intents.set_text(store, "cat " * count)
    qtbot.waitUntil(lambda: not store.stale)
    panel = SentencePanel(store, focus)
    qtbot.addWidget(panel)
    panel.resize(900, 100)
    panel.show()
    assert len(panel.chips.tokens) == count
    assert not panel.grab().isNull()


def test_many_tokens_scroll_and_never_widen_or_fill_the_window(
    panel: SentencePanel, store: Store, qtbot: QtBot
) -> None:
    intents.set_text(store, "the animal did not cross " * 60)
    qtbot.waitUntil(lambda: not store.stale)
    panel.resize(1400, panel.sizeHint().height())
    assert panel.minimumSizeHint().width() < 600
    assert panel.chips.height() < 120
    assert panel.chips.verticalScrollBar().maximum() > 0
    panel.chips.setFocus()
    qtbot.keyClick(panel.chips, Qt.Key.Key_End)
    last = panel.chips.chip_rect(299)
    assert panel.chips.viewport().rect().contains(last)


def test_a_long_word_is_shortened(panel: SentencePanel, store: Store) -> None:
    intents.set_text(store, "x" * 5000)
    assert panel.chips.chip_rect(0).width() < 300
    assert panel.minimumSizeHint().width() < 600


def test_only_the_chips_in_sight_are_painted(
    panel: SentencePanel, store: Store, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    intents.set_text(store, "the animal did not cross " * 60)
    qtbot.waitUntil(lambda: not store.stale)
    painted: list[object] = []
    monkeypatch.setattr(panel.chips._painter, "paint", lambda *args: painted.append(args))
    panel.chips.viewport().grab()
    assert 0 < len(painted) < 150


@given(
    widths=st.lists(st.integers(1, 400), max_size=60),
    available=st.integers(20, 900),
)
def test_chips_never_overlap_and_never_leave_the_line(widths: list[int], available: int) -> None:
    rects = flow(widths, 20, available)
    assert len(rects) == len(widths)
    for rect in rects:
        assert rect.left() >= 0
        assert rect.left() + rect.width() <= available
    for first, second in pairwise(rects):
        assert second.top() > first.top() or second.left() >= first.left() + first.width()


def test_the_sentence_is_larger_than_other_text_and_follows_its_size(
    panel: SentencePanel, dressed_app: QApplication
) -> None:
    edit = panel.edit
    assert edit.font().pointSizeF() > dressed_app.font().pointSizeF()
    old = dressed_app.font()
    try:
        larger = dressed_app.font()
        larger.setPointSizeF(old.pointSizeF() * 2)
        dressed_app.setFont(larger)
        theme.apply_theme(dressed_app, "light")
        assert edit.font().pointSizeF() > larger.pointSizeF()
    finally:
        dressed_app.setFont(old)
