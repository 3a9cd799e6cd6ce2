"""More: the choices of the experiment under it, the line beside it, and the room they take."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QSize, Qt

from askew_gui import intents
from askew_gui.panels.heads_more import not_at_default

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew_gui.panels.heads import HeadsPanel
    from askew_gui.store import Store

LEFT = Qt.MouseButton.LeftButton


def test_the_line_beside_more_names_what_is_not_at_its_default(
    panel: HeadsPanel, store: Store, qtbot: QtBot
) -> None:
    assert panel.more.note.whole_text == "not at default: layer norm"
    assert panel.more.body.isHidden()
    intents.set_field(store, "mask", "causal", "mask")
    intents.set_field(store, "temperature", 0.5, "temperature")
    assert panel.more.note.whole_text == "not at default: layer norm, mask causal, temperature 0.5"
    intents.set_field(store, "normalize", "none", "n")
    intents.set_field(store, "mask", "none", "m")
    intents.set_field(store, "temperature", 1.0, "t")
    assert panel.more.note.whole_text == ""
    qtbot.mouseClick(panel.more.button, LEFT)
    assert panel.more.body.isVisible()


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("normalize", "unit", "unit length"),
        ("mask", "causal", "mask causal"),
        ("raw", "cosine", "raw cosine"),
        ("scoring", "cosine", "scoring cosine"),
        ("unknown", "keep", "unknown words kept"),
        ("stretch", "row", "colours stretched to each row's own"),
    ],
)
def test_every_choice_under_more_changes_the_experiment_and_is_named(
    panel: HeadsPanel, store: Store, qtbot: QtBot, field: str, value: str, said: str
) -> None:
    panel.more.unfold()
    more = panel.more.body
    choice = more.choices[field]  # type: ignore[attr-defined]
    choice.setCurrentIndex(choice.findData(value))
    choice.activated.emit(choice.currentIndex())
    now = store.experiment
    shown = {head.scoring for head in now.heads} if field == "scoring" else {getattr(now, field)}
    assert shown == {value}
    assert said in not_at_default(now)
    assert store.undo_stack.count() == 1
    store.undo()
    assert choice.name != value


def test_the_panel_is_no_wider_than_its_place(panel: HeadsPanel) -> None:
    panel.more.unfold()
    inner = panel.widget()
    assert inner is not None
    assert inner.minimumSizeHint().width() <= 232
    assert panel.minimumSizeHint().expandedTo(QSize(0, 0)).width() <= 232
