"""The measures tab: every measure of every head, how heads differ, one row in detail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from askew.measure_texts import MEASURES
from askew.measures import diversity, effective_heads
from askew_gui import intents, theme
from askew_gui.focus import Focus
from askew_gui.panels import measures as measures_module
from askew_gui.panels.measures import MeasuresPanel
from askew_gui.panels.measures_table import short_text

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from askew.evaluation import Evaluation
    from askew_gui.jobs import Job
    from askew_gui.panels.measures import Summary
    from askew_gui.store import Store


@pytest.fixture
def focus() -> Focus:
    return Focus()


@pytest.fixture
def panel(store: Store, focus: Focus, qtbot: QtBot) -> MeasuresPanel:
    panel = MeasuresPanel(store, focus)
    qtbot.addWidget(panel)
    panel.resize(900, 300)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def column(key: str) -> int:
    return [measure.key for measure in MEASURES].index(key)


def counted(monkeypatch: pytest.MonkeyPatch) -> list[Evaluation]:
    """Note every evaluation whose measures are computed."""
    calls: list[Evaluation] = []
    summarize = measures_module.summarize

    def noted(job: Job | None, *, evaluation: Evaluation) -> Summary:
        calls.append(evaluation)
        return summarize(job, evaluation=evaluation)

    monkeypatch.setattr(measures_module, "summarize", noted)
    return calls


def test_the_table_holds_every_measure_of_every_head(panel: MeasuresPanel, store: Store) -> None:
    model = panel.numbers
    assert model.rowCount() == 5
    assert model.columnCount() == len(MEASURES)
    found = store.evaluation.measures[2]
    assert model.index(2, column("sharpness")).data() == f"{found.sharpness:.3f}"
    assert model.index(2, column("sink")).data() == f"{found.sink.token} {found.sink.value:.3f}"
    assert model.headerData(2, Qt.Orientation.Vertical) == "head 2"


def test_formula_and_meaning_are_shown_on_hover(panel: MeasuresPanel) -> None:
    tip = panel.numbers.headerData(
        column("sharpness"), Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
    )
    measure = MEASURES[column("sharpness")]
    assert measure.formula in str(tip)
    assert measure.explanation in str(tip)


def test_what_is_undefined_is_a_dash(panel: MeasuresPanel, store: Store, qtbot: QtBot) -> None:
    intents.set_text(store, "cat")
    qtbot.waitUntil(lambda: panel.numbers.measures == store.evaluation.measures, timeout=5000)
    assert panel.numbers.index(0, column("sharpness")).data() == "\u2013"
    assert panel.numbers.index(0, column("energy")).data() == "\u2013"
    assert short_text(None) == "\u2013"


def test_the_copied_table_gives_the_numbers_back(panel: MeasuresPanel, store: Store, qtbot: QtBot) -> None:
    qtbot.mouseClick(panel.copy, Qt.MouseButton.LeftButton)
    lines = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert len(lines) == 6
    assert {len(line) for line in lines} == {len(MEASURES) + 1 + 1 + 2}
    place = lines[0].index("Sharpness")
    assert float(lines[4][place]) == store.evaluation.measures[3].sharpness


def test_a_copy_right_after_an_edit_has_the_new_numbers(panel: MeasuresPanel, store: Store) -> None:
    intents.randomize(store, seed=7)
    panel.copy_table()
    lines = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert float(lines[1][lines[0].index("Sharpness")]) == store.evaluation.measures[0].sharpness


def test_the_sink_is_a_column_counted_from_one(panel: MeasuresPanel, store: Store) -> None:
    sink = store.evaluation.measures[0].sink
    assert sink.index is not None
    tip = panel.numbers.index(0, column("sink")).data(Qt.ItemDataRole.ToolTipRole)
    assert f"{sink.token}, column {sink.index + 1}: {sink.value:.6f}" in tip


def test_diversity_is_zero_on_its_diagonal_and_the_effective_number_is_said(
    panel: MeasuresPanel, store: Store
) -> None:
    expected = diversity(store.evaluation.pattern)
    np.testing.assert_array_equal(panel.diversity.values, expected)
    assert not panel.diversity.values.diagonal().any()
    count = effective_heads(store.evaluation.pattern)
    assert panel.effective.whole_text == f"{count:.2f} effective heads of 5"


def test_the_diversity_map_says_what_is_under_the_pointer(panel: MeasuresPanel) -> None:
    cell = panel.diversity._cell()
    assert panel.diversity.cell_at(20 + 3.5 * cell, 20 + 1.5 * cell) == (1, 3)
    assert panel.diversity.cell_at(5, 5) is None
    assert panel._explain_pair(1, 3).startswith("heads 1 and 3: mean row divergence 0.")


def test_nothing_is_computed_while_the_tab_is_hidden(
    panel: MeasuresPanel, store: Store, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    calls = counted(monkeypatch)
    panel.hide()
    intents.randomize(store, seed=4)
    qtbot.wait(2 * measures_module.PAUSE_MS)
    assert calls == []
    panel.show()
    assert calls == [store.evaluation]
    assert panel.numbers.measures == store.evaluation.measures


def test_quick_edits_are_computed_once(
    panel: MeasuresPanel, store: Store, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    calls = counted(monkeypatch)
    for seed in range(5):
        intents.randomize(store, seed=seed)
    qtbot.waitUntil(lambda: panel.numbers.measures == store.evaluation.measures, timeout=5000)
    assert calls == [store.evaluation]


def test_a_long_text_is_computed_by_the_worker(
    panel: MeasuresPanel, store: Store, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(measures_module, "INLINE_CELLS", 1)
    intents.set_text(store, "the cat sat on the mat")
    qtbot.waitUntil(
        lambda: panel._shown is not None and panel._shown.evaluation is store.evaluation, timeout=5000
    )
    assert panel.numbers.index(0, column("sink")).data().split()[0] in {"the", "cat", "sat", "on", "mat"}


def test_measures_of_an_older_state_that_come_late_are_dropped(
    panel: MeasuresPanel, store: Store, qtbot: QtBot
) -> None:
    late = measures_module.summarize(None, evaluation=store.evaluation)
    intents.randomize(store, seed=11)
    qtbot.waitUntil(lambda: panel.numbers.measures == store.evaluation.measures, timeout=5000)
    panel._show_summary(late)
    assert panel.numbers.measures == store.evaluation.measures


def test_the_locked_row_is_shown_raw_against_head(panel: MeasuresPanel, store: Store, focus: Focus) -> None:
    assert "Click a cell" in panel.row.hint.whole_text
    focus.lock((8, -1))
    result = store.evaluation
    assert panel.row.title.whole_text == "“it” LOOKS AT"
    assert [pair[0] for pair in panel.row.bars.pairs] == [token.text for token in result.tokens]
    assert [pair[1] for pair in panel.row.bars.pairs] == result.raw.pattern[8].tolist()
    assert [pair[2] for pair in panel.row.bars.pairs] == result.heads[0].pattern[8].tolist()
    focus.lock(None)
    assert panel.row.title.whole_text == "ROW"


def test_shown_heads_are_bold(panel: MeasuresPanel, store: Store) -> None:
    intents.select_head(store, 3)
    fonts = [panel.numbers.index(row, 0).data(Qt.ItemDataRole.FontRole).bold() for row in range(5)]
    assert fonts == [False, False, False, True, False]


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("text", ["", "cat", "the cat sat on the mat " * 50])
def test_it_opens_empty_with_one_token_and_with_three_hundred(
    store: Store, focus: Focus, qtbot: QtBot, clean_app: QApplication, name: theme.ThemeName, text: str
) -> None:
    colours = theme.apply_theme(clean_app, name)
    intents.set_text(store, text)
    panel = MeasuresPanel(store, focus)
    qtbot.addWidget(panel)
    panel.resize(800, 240)
    panel.show()
    if text:
        focus.lock((0, 0))
    picture = panel.grab().toImage()
    assert picture.pixelColor(1, 1).name() == colours.window
    qtbot.waitUntil(lambda: store.jobs.idle, timeout=60000)
