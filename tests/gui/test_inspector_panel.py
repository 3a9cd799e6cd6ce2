"""The inspector: what it says of a cell and of a row, and that its numbers are those of the evaluation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from askew.compare import compare
from askew.experiment import Experiment
from askew.heads import Head
from askew.results import to_json
from askew.vectors import WordVectors
from askew_gui import intents, theme
from askew_gui.focus import Focus
from askew_gui.maps.numbers import number_text
from askew_gui.maps.views import three_maps
from askew_gui.panels.explanation import arithmetic, output_share, rank_text, row_steps
from askew_gui.panels.inspector import Inspector
from askew_gui.panels.row_detail import RowDetail
from askew_gui.store import Store

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

IT, ANIMAL = 8, 1


@pytest.fixture
def focus() -> Focus:
    return Focus()


@pytest.fixture
def inspector(store: Store, focus: Focus, qtbot: QtBot) -> Inspector:
    inspector = Inspector(store, focus)
    qtbot.addWidget(inspector)
    inspector.resize(276, 760)
    inspector.show()
    qtbot.waitExposed(inspector)
    return inspector


def with_scoring(store: Store, scoring: str) -> None:
    heads = tuple(replace(head, scoring=scoring) for head in store.experiment.heads)
    intents.set_field(store, "heads", heads, "scoring")


def test_without_a_cell_it_says_what_to_do(inspector: Inspector, store: Store) -> None:
    assert inspector.empty.isVisible()
    assert inspector.empty.title.whole_text == "Point at a cell"
    intents.set_text(store, "")
    assert inspector.empty.title.whole_text == "No words to compare"


def test_it_says_which_word_looks_at_which_with_raw_head_and_difference(
    inspector: Inspector, store: Store, focus: Focus
) -> None:
    focus.hover((IT, ANIMAL))
    page, result = inspector.cell_page, store.evaluation
    assert page.looks.accessibleName() == "it looks at animal"
    shown = compare(result, (0,))
    lines = page.values.text().splitlines()
    assert lines[0].startswith(f"raw {number_text(shown.raw[IT, ANIMAL])} cos")
    assert lines[1].startswith(f"head 0 {number_text(result.heads[0].pattern[IT, ANIMAL])}")
    assert f"{abs(shown.difference[IT, ANIMAL]):.3f}" in lines[2]


def test_the_arithmetic_names_each_step_with_the_numbers_of_the_evaluation(
    inspector: Inspector, store: Store, focus: Focus
) -> None:
    focus.lock((IT, ANIMAL))
    steps, result = inspector.cell_page.steps, store.evaluation.heads[0]
    np.testing.assert_array_equal(steps.strips[0].values, store.evaluation.x[IT])
    np.testing.assert_array_equal(steps.strips[1].values, store.evaluation.x[ANIMAL])
    np.testing.assert_array_equal(steps.strips[2].values, result.q[IT])
    np.testing.assert_array_equal(steps.strips[3].values, result.k[ANIMAL])
    products = result.q[IT].astype(float) * result.k[ANIMAL]
    np.testing.assert_allclose(steps.strips[4].values, products)
    assert steps.lines.text().splitlines() == [
        f"Σ q∘k = {number_text(products.sum(), signed=True)}",
        f"÷ √4 = {number_text(result.scores[IT, ANIMAL], signed=True)}",
        f"softmax over the row = {number_text(result.pattern[IT, ANIMAL])}",
    ]
    assert "v(animal)" in steps.passed_on.whole_text


def identity() -> Head:
    w = np.eye(2, dtype=np.float32)
    return Head(w, w, w)


def hand_made(head: Head) -> Store:
    words = WordVectors.from_arrays(["a", "b"], np.eye(2, dtype=np.float32), name="two")
    return Store(Experiment(text="a b", vectors=words.ref, heads=(head,)), words)


def test_biases_are_part_of_q_and_k_and_their_share_is_said() -> None:
    store = hand_made(
        replace(identity(), b_q=np.array([2, 0], np.float32), b_k=np.array([5, -7], np.float32))
    )
    steps = arithmetic(store.evaluation, 0, 0, 1)
    # q = [3, 0], k = [5, -6]: 15, of which the words alone would give 0; weight as in the worked case.
    assert steps.strips[2].title == "q = x(a)·W_q + b_q"
    assert steps.lines[0] == "Σ q∘k = +15.000"
    assert steps.lines[1].strip() == "of it from biases +15.000"
    assert steps.lines[2] == "÷ √2 = +10.607"
    assert steps.lines[-1] == "softmax over the row = 0.107"


@pytest.mark.parametrize(
    ("scoring", "lines"),
    [
        ("dot", ["Σ q∘k = 0.000"]),
        ("distance", ["Σ (q \u2212 k)² = 2.000", "\u2212Σ / 2 = \u22121.000"]),
        ("cosine", ["Σ q∘k = 0.000", "÷ ‖q‖·‖k‖ = 1.000·1.000", "cos(q, k) = 0.000"]),
        ("raw", ["Σ x∘x = 0.000", "÷ √2 = 0.000"]),
    ],
)
def test_every_scoring_has_its_own_formula(scoring: str, lines: list[str]) -> None:
    store = hand_made(replace(identity(), scoring=scoring))
    steps = arithmetic(store.evaluation, 0, 0, 1)
    assert list(steps.lines[:-1]) == lines
    weight = store.evaluation.heads[0].pattern[0, 1]
    assert steps.lines[-1] == f"softmax over the row = {weight:.3f}"


def test_mask_and_temperature_are_steps_of_their_own(store: Store) -> None:
    intents.set_field(store, "mask", "causal", "mask")
    intents.set_field(store, "temperature", 2.0, "temperature")
    seen = arithmetic(store.evaluation, 0, IT, ANIMAL).lines
    assert "mask causal: seen" in seen
    half = number_text(store.evaluation.heads[0].scores[IT, ANIMAL] / 2, signed=True)
    assert f"÷ temperature 2 = {half}" in seen
    hidden = arithmetic(store.evaluation, 0, ANIMAL, IT).lines
    assert "mask causal: hidden" in hidden
    assert hidden[-1] == "softmax over the row = 0.000"


def test_the_shares_of_all_keys_in_an_output_sum_to_one(store: Store) -> None:
    result = store.evaluation.heads[2]
    shares = [output_share(result, IT, key) for key in range(len(store.evaluation.tokens))]
    assert sum(share for share in shares if share is not None) == pytest.approx(1, abs=1e-5)
    zero = hand_made(identity())
    assert output_share(zero.evaluation.heads[0], 0, 0) is not None
    intents.set_matrix(zero, 0, "v", np.zeros((2, 2)))
    assert output_share(zero.evaluation.heads[0], 0, 0) is None


def test_a_rank_counts_equal_values_as_the_better_place() -> None:
    row = np.array([0.2, 0.5, 0.5, np.nan], dtype=np.float32)
    assert rank_text(row, 1) == rank_text(row, 2) == "top of its row"
    assert rank_text(row, 0) == "3 of 3 in row"
    assert rank_text(row, 3) == ""


def test_a_zero_vector_has_no_cosine(qtbot: QtBot, focus: Focus) -> None:
    numbers = np.array([[0, 0], [1, 2]], dtype=np.float32)
    words = WordVectors.from_arrays(["none", "some"], numbers, name="zero")
    store = Store(Experiment(text="none some", vectors=words.ref, heads=(identity(),)), words)
    inspector = Inspector(store, focus)
    qtbot.addWidget(inspector)
    inspector.show()
    focus.hover((0, 1))
    assert "cos undefined (zero vector)" in inspector.cell_page.values.text()
    with_scoring(store, "cosine")
    assert "cosine undefined (zero vector)" in inspector.cell_page.steps.lines.text()


def test_an_unknown_word_that_is_kept_has_no_value(inspector: Inspector, store: Store, focus: Focus) -> None:
    intents.set_text(store, "the zzzz cat")
    intents.set_field(store, "unknown", "keep", "unknown")
    focus.hover((1, 0))
    assert "a word without vector" in inspector.cell_page.values.text()
    assert not inspector.cell_page.steps.isVisible()
    assert not inspector.cell_page.head_bars.isVisible()
    assert "no vector" in inspector.cell_page.nothing.whole_text
    inspector.show_page(1)
    assert not inspector.row_page.table.isVisible()
    assert "no vector" in inspector.row_page.note.whole_text


def test_several_heads_are_a_mean_and_each_is_named(inspector: Inspector, store: Store, focus: Focus) -> None:
    focus.lock((IT, ANIMAL))
    intents.select_head(store, 3)
    intents.select_head(store, 1, extend=True)
    heads = [store.evaluation.heads[h].pattern[IT, ANIMAL] for h in (1, 3)]
    lines = inspector.cell_page.values.text().splitlines()
    assert lines[1] == f"mean {number_text(float(np.mean(heads)))} of heads 1, 3"
    assert lines[2] == f"head 1 {number_text(heads[0])}"
    assert lines[3] == f"head 3 {number_text(heads[1])}"
    assert not inspector.cell_page.steps.isVisible()


def test_the_row_of_several_heads_begins_with_their_mean(
    inspector: Inspector, store: Store, focus: Focus
) -> None:
    focus.lock((IT, ANIMAL))
    intents.select_head(store, 3)
    intents.select_head(store, 1, extend=True)
    inspector.show_page(1)
    steps = inspector.row_page.steps
    assert steps.titles == ["key", "mean", "head 1", "head 3"]
    name, (mean, *each) = steps.rows[ANIMAL]
    assert name == "animal"
    assert each == [store.evaluation.heads[h].pattern[IT, ANIMAL] for h in (1, 3)]
    assert mean == pytest.approx(np.mean([float(value or 0) for value in each]), abs=1e-6)


@pytest.mark.parametrize("mode", ["as-is", "same-scale", "matched"])
@pytest.mark.parametrize("quantity", ["pattern", "scores"])
def test_the_bars_of_raw_are_those_of_the_pattern_maps(
    inspector: Inspector, store: Store, focus: Focus, mode: str, quantity: str
) -> None:
    intents.set_field(store, "compare", mode, "mode")
    raw = three_maps(store.evaluation)[0].values[IT]
    intents.set_field(store, "quantity", quantity, "quantity")
    focus.lock((IT, ANIMAL))
    bars = [bar.value for bar in inspector.cell_page.raw_bars.bars]
    assert bars == sorted(raw.tolist(), reverse=True)[: len(bars)]
    detail = RowDetail()
    detail.show_row(store.evaluation, IT)
    assert [pair[1] for pair in detail.bars.pairs] == raw.tolist()
    detail.deleteLater()


def test_all_steps_of_a_row_are_in_view_however_wide_the_page_was_before(
    inspector: Inspector, store: Store, focus: Focus
) -> None:
    inspector.show_page(1)
    focus.lock((IT, ANIMAL))
    table = inspector.row_page.table
    for width in (900, 290):
        inspector.resize(width, 600)
        QApplication.processEvents()
        header = table.horizontalHeader()
        assert header.length() == table.viewport().width()
        assert all(header.sectionSize(column) >= 40 for column in range(header.count()))


def test_it_says_that_a_head_is_nearly_even_or_puts_nearly_all_on_one_token(
    inspector: Inspector, store: Store
) -> None:
    intents.set_matrix(store, 0, "q", store.experiment.heads[0].w_q * np.float32(1e-7))
    assert inspector.notices.isVisible()
    assert inspector.notices.whole_text == "Head 0 is nearly even: scores differ by less than 0.0001"
    intents.set_matrix(store, 0, "q", store.experiment.heads[0].w_q * np.float32(1e10))
    assert "0.999" in inspector.notices.whole_text
    intents.reset(store, 0)
    said = [notice for notice in store.evaluation.notices if notice.head in (None, 0)]
    assert inspector.notices.isVisible() == bool(said)


def test_the_quantity_of_the_maps_is_the_quantity_of_the_cell(
    inspector: Inspector, store: Store, focus: Focus
) -> None:
    focus.lock((IT, ANIMAL))
    intents.set_field(store, "quantity", "scores", "show")
    score = number_text(store.evaluation.heads[0].scores[IT, ANIMAL], signed=True)
    assert f"head 0 {score}" in inspector.cell_page.values.text()


def test_bars_name_the_keys_that_get_most(inspector: Inspector, store: Store, focus: Focus) -> None:
    focus.lock((IT, -1))
    row = store.evaluation.heads[0].pattern[IT]
    bars = inspector.cell_page.head_bars.bars
    assert [bar.value for bar in bars] == pytest.approx(sorted(row.tolist(), reverse=True)[:4])
    assert bars[0].label == store.evaluation.tokens[int(row.argmax())].text
    assert inspector.cell_page.head_title.whole_text == "“it” LOOKS AT"
    assert not inspector.cell_page.values.isVisible()


def test_the_steps_of_a_row_lead_from_scores_to_weights_that_sum_to_one(store: Store) -> None:
    intents.set_field(store, "mask", "causal", "mask")
    intents.set_field(store, "temperature", 0.5, "temperature")
    steps = row_steps(store.evaluation, 0, 3)
    result = store.evaluation.heads[0]
    total = sum(step.exponential for step in steps)
    for key, step in enumerate(steps):
        assert step.score == result.scores[3, key]
        assert step.weight == result.pattern[3, key]
        assert step.exponential / total == pytest.approx(step.weight, abs=1e-6)
        assert (step.logit == -np.inf) == (key > 3)
    assert sum(step.weight for step in steps) == pytest.approx(1, abs=1e-6)
    assert max(step.exponential for step in steps) == 1


def test_the_numbers_are_those_that_compute_writes(store: Store) -> None:
    written = to_json(store.evaluation)["heads"][2]
    for row in range(len(store.evaluation.tokens)):
        steps = row_steps(store.evaluation, 2, row)
        np.testing.assert_array_equal([s.score for s in steps], np.float32(written["scores"][row]))
        np.testing.assert_array_equal([s.weight for s in steps], np.float32(written["pattern"][row]))
    score = number_text(float(np.float32(written["scores"][IT][ANIMAL])), signed=True)
    assert f"÷ √4 = {score}" in arithmetic(store.evaluation, 2, IT, ANIMAL).lines


def test_the_row_page_ends_with_the_sums(inspector: Inspector, focus: Focus) -> None:
    focus.lock((IT, ANIMAL))
    inspector.show_page(1)
    model = inspector.row_page.steps
    last = model.rowCount() - 1
    texts = [model.index(last, column).data() for column in range(model.columnCount())]
    assert texts[0] == "Σ"
    assert texts[1] == ""
    assert texts[-1] == "1.000"
    assert [model.headerData(c, Qt.Orientation.Horizontal) for c in range(4)] == [
        "key",
        "score",
        "exp",
        "weight",
    ]
    assert inspector.row_page.title.whole_text == "row 9, “it”, head 0"


def test_nearest_words_come_after_a_pause_and_only_for_the_last_cell(
    inspector: Inspector, store: Store, focus: Focus, qtbot: QtBot
) -> None:
    for key in range(6):
        focus.hover((IT, key))
    nearest = inspector.cell_page.nearest
    assert not nearest.isVisible()
    qtbot.waitUntil(nearest.isVisible, timeout=5000)
    words = [word for word, _ in store.vectors.neighbours("it", 4)]
    assert nearest.text().splitlines()[0] == f"to it: {', '.join(words)}"
    assert len(nearest.text().splitlines()) == 2
    qtbot.waitUntil(lambda: store.jobs.idle, timeout=5000)


def test_a_token_that_looks_like_markup_is_shown_character_for_character(
    inspector: Inspector, store: Store, focus: Focus, qtbot: QtBot
) -> None:
    intents.set_text(store, "the <b> AT&T cat")
    texts = [token.text for token in store.evaluation.tokens]
    row, key = texts.index("the"), texts.index("cat")
    marked = next((i for i, text in enumerate(texts) if "<" in text or "&" in text), key)
    focus.hover((marked, row))
    assert inspector.cell_page.looks.query == texts[marked]
    assert inspector.cell_page.steps.lines.textFormat() == Qt.TextFormat.PlainText
    assert texts[marked] in inspector.cell_page.head_title.text()


def test_a_word_of_three_hundred_letters_does_not_widen_the_panel(
    inspector: Inspector, store: Store, focus: Focus
) -> None:
    intents.set_text(store, f"the {'x' * 300} cat")
    intents.set_field(store, "unknown", "keep", "unknown")
    focus.hover((1, 1))
    assert inspector.cell_page.minimumSizeHint().width() <= 276
    assert inspector.cell_page.width() <= 276
    assert "x" * 300 in inspector.cell_page.looks.toolTip()


def test_a_cell_beyond_a_shorter_sentence_is_no_cell(
    inspector: Inspector, store: Store, focus: Focus
) -> None:
    focus.lock((IT, ANIMAL))
    intents.set_text(store, "the cat")
    assert inspector.empty.isVisible()


def test_a_hidden_inspector_does_no_work_and_catches_up(
    inspector: Inspector, store: Store, focus: Focus, monkeypatch: pytest.MonkeyPatch
) -> None:
    inspector.hide()
    calls: list[int] = []
    refresh = inspector.refresh

    def noted() -> None:
        calls.append(1)
        refresh()

    monkeypatch.setattr(inspector, "refresh", noted)
    focus.lock((IT, ANIMAL))
    intents.randomize(store, seed=3)
    assert calls == []
    inspector.show()
    assert calls == [1]
    assert inspector.cell_page.looks.accessibleName() == "it looks at animal"


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("width", [200, 276, 900])
def test_it_can_be_painted_at_every_width_and_in_both_themes(
    inspector: Inspector, focus: Focus, clean_app: QApplication, name: theme.ThemeName, width: int
) -> None:
    colours = theme.apply_theme(clean_app, name)
    inspector.resize(width, 320)
    focus.lock((IT, ANIMAL))
    picture = inspector.grab().toImage()
    assert picture.pixelColor(1, picture.height() - 1).name() == colours.window
    assert inspector.width() == width
