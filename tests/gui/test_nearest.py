"""Nearest words in two steps: the most frequent ones at once, all a moment later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from askew.vectors import WordVectors
from askew_gui import intents, nearest
from askew_gui.nearest import Nearest, look_up
from askew_gui.panels.chip_texts import neighbours_line

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew_gui.store import Store
    from askew_gui.window import Window


@pytest.fixture
def ladder() -> WordVectors:
    """Return a table in which each word is nearest to the one after it."""
    angles = np.linspace(0, 1, 30)
    words = [f"w{i}" for i in range(30)]
    return WordVectors.from_arrays(words, np.stack([np.cos(angles), np.sin(angles)], axis=1), name="ladder")


def fail(error: Exception) -> None:
    raise error


def use(store: Store, table: WordVectors) -> None:
    if store.vectors is not table:
        intents.use_vectors(store, table)


def asked(store: Store, table: WordVectors, words: list[str], qtbot: QtBot) -> list[Nearest]:
    shown: list[Nearest] = []
    use(store, table)
    look_up(store, words, 3, "test", shown.append, fail)
    qtbot.waitUntil(lambda: store.jobs.idle and bool(shown) and shown[-1].is_final, timeout=5000)
    return shown


def names(found: list[tuple[str, float]]) -> list[str]:
    return [word for word, _ in found]


def test_a_small_table_is_searched_in_one_step(store: Store, ladder: WordVectors, qtbot: QtBot) -> None:
    shown = asked(store, ladder, ["w29", "w0"], qtbot)
    assert [each.is_final for each in shown] == [True]
    assert names(shown[0].words[0]) == ["w28", "w27", "w26"]
    assert names(shown[0].words[1]) == ["w1", "w2", "w3"]


def test_a_big_table_gives_the_frequent_words_first_and_then_the_exact_answer(
    store: Store, ladder: WordVectors, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearest, "FIRST", 10)
    shown = asked(store, ladder, ["w29"], qtbot)
    assert [(each.among, each.is_final) for each in shown] == [(10, False), (None, True)]
    assert names(shown[0].words[0]) == ["w9", "w8", "w7"]
    assert shown[1].words[0] == ladder.neighbours("w29", 3)
    assert neighbours_line(shown[0]).startswith("nearest of the first 10: w9")
    assert neighbours_line(shown[1]).startswith("nearest: w28")


def test_a_later_search_drops_the_rest_of_an_earlier_one(
    store: Store, ladder: WordVectors, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearest, "FIRST", 10)
    dropped: list[Nearest] = []
    use(store, ladder)
    look_up(store, ["w1"], 3, "test", dropped.append, fail)
    shown = asked(store, ladder, ["w29"], qtbot)
    assert dropped == []
    assert len(shown) == 2


def test_a_blank_neighbour_is_shown_by_code_point() -> None:
    assert "U+00A0 0.50" in neighbours_line(Nearest(([("\u00a0", 0.5)],), None, is_final=True))


def test_words_without_a_direction_have_no_neighbours(store: Store, qtbot: QtBot) -> None:
    table = WordVectors.from_arrays(["a", "zero"], np.array([[1.0, 0.0], [0.0, 0.0]]), name="zero")
    shown = asked(store, table, ["zero"], qtbot)
    assert neighbours_line(shown[0]) == "nearest: none, its vector is zero"


def test_without_a_store_the_first_words_stand_in(
    store: Store, ladder: WordVectors, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(store, ladder)
    words = list(ladder)[:10]
    store.keep_stand_in(ladder, WordVectors.from_arrays(words, ladder.vectors(words), name="first"))
    with monkeypatch.context() as patched:
        patched.setattr(WordVectors, "searchable", property(lambda _self: False))
        shown = asked(store, ladder, ["w29", "w3"], qtbot)
    assert names(shown[0].words[0]) == ["w9", "w8", "w7"]
    assert {"w2", "w4"} <= set(names(shown[0].words[1]))
    assert "w3" not in names(shown[0].words[1])
    assert (shown[0].among, shown[0].is_final) == (10, True)
    assert neighbours_line(shown[0]).startswith("nearest of the first 10: w9")


def test_while_a_file_has_no_store_the_inspector_says_so(
    window: Window, store: Store, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WordVectors, "searchable", property(lambda _self: False))
    window.focus.hover((1, 2))
    shown = window.inspector.cell_page.nearest
    qtbot.waitUntil(shown.isVisible, timeout=5000)
    assert shown.note.whole_text == "Nearest words come once the file is imported."
