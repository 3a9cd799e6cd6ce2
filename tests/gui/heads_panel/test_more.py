"""More: the choices of the experiment under it, the line beside it, and the room they take."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QSize, Qt

from askew.examples import example
from askew.vectors import open_vectors
from askew_gui import intents
from askew_gui.panels.heads_more import MoreForm, not_at_default, why_not
from askew_gui.store import Store

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew_gui.panels.heads import HeadsPanel

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


def test_positions_and_special_tokens_are_chosen_where_the_model_has_them(qtbot: QtBot) -> None:
    vectors = open_vectors("minilm-l6-v2")
    store = Store(example("trained", vectors), vectors)
    form = MoreForm(store)
    qtbot.addWidget(form)
    form.show()
    assert not_at_default(store.experiment) == "positions learned, layer norm"
    assert form.choices["normalize"].currentText() == "model's own"
    assert form.choices["specials"].isVisible()
    choose(form, "positions", "none")
    assert (store.evaluation.measures[2].previous or 1) < 0.2
    choose(form, "specials", "off")
    assert len(store.evaluation.tokens) == 12
    assert not_at_default(store.experiment) == "no special tokens, layer norm"
    choose(form, "specials", "on")
    choose(form, "positions", "rope")
    assert store.experiment.specials
    assert not_at_default(store.experiment) == "positions rope, layer norm"
    store.undo()
    store.undo()
    assert form.choices["specials"].name == "off"
    store.jobs.close()


def test_positions_that_cannot_be_are_greyed_with_the_reason(panel: HeadsPanel, store: Store) -> None:
    form = panel.more.body
    assert isinstance(form, MoreForm)
    assert why_not(store.experiment, "learned") == state_of(form, "learned") != ""
    assert state_of(form, "rope") == ""
    intents.set_shape(store, d_k=3)
    assert "d_k is 3" in state_of(form, "rope")
    panel.more.unfold()
    assert not form.choices["specials"].isVisible()
    assert form.choices["normalize"].currentText() == "layer norm"


def choose(form: MoreForm, field: str, value: str) -> None:
    choice = form.choices[field]
    choice.setCurrentIndex(choice.findData(value))
    choice.activated.emit(choice.currentIndex())


def state_of(form: MoreForm, value: str) -> str:
    """Return why an item of the positions is greyed; empty if it is not."""
    choice = form.choices["positions"]
    index = choice.model().index(choice.findData(value), 0)
    greyed = not choice.model().flags(index) & Qt.ItemFlag.ItemIsEnabled
    return str(index.data(Qt.ItemDataRole.ToolTipRole)) if greyed else ""
