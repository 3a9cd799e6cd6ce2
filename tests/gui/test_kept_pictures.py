"""What widgets keep painted is, after any edit, what they would paint from nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from askew_gui import intents
from askew_gui.focus import Focus
from askew_gui.maps import colours
from askew_gui.maps.grid import HeadGrid
from askew_gui.maps.view import MapsView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QImage
    from pytestqt.qtbot import QtBot

    from askew.heatmap import Heatmap
    from askew_gui.store import Store


def page_of(store: Store, qtbot: QtBot, size: tuple[int, int]) -> QWidget:
    page = QWidget()
    qtbot.addWidget(page)
    layout = QVBoxLayout(page)
    layout.addWidget(MapsView(store, Focus(page)), 1)
    layout.addWidget(HeadGrid(store))
    page.resize(*size)
    page.show()
    return page


def image(page: QWidget) -> QImage:
    return page.grab().toImage()


EDITS: list[dict[str, Any]] = [
    {},
    {"quantity": "scores"},
    {"quantity": "cosine"},
    {"stretch": "map"},
    {"stretch": "row"},
    {"mask": "causal"},
    {"unknown": "keep"},
    {"compare": "matched"},
    {"selected": (1, 3)},
]


@pytest.mark.parametrize(
    "fields", EDITS, ids=lambda fields: "-".join(map(str, fields.values())) or "as it is"
)
@pytest.mark.parametrize("size", [(1300, 800), (701, 503)], ids=["roomy", "tight"])
@pytest.mark.parametrize("text", ["the cat sat", "the cat zzqqx sat on the mat because the dog did not"])
def test_edits_leave_no_trace_of_what_was_painted_before(
    store: Store, qtbot: QtBot, text: str, size: tuple[int, int], fields: dict[str, Any]
) -> None:
    store.apply(replace(store.experiment, text=text), "text")
    kept = page_of(store, qtbot, size)
    start = store.experiment
    before = image(kept)
    for head, seed in ((0, 1), (2, 2), (1, 3)):
        intents.randomize(store, [head], seed=seed)
        assert image(kept) == image(page_of(store, qtbot, size))
    store.apply(replace(store.experiment, **fields), "fields")
    assert image(kept) == image(page_of(store, qtbot, size))
    for head, seed in ((1, 4), (0, 5)):
        intents.randomize(store, [head], seed=seed)
        assert image(kept) == image(page_of(store, qtbot, size))
    store.apply(start, "back")
    assert image(kept) == before


def test_an_edit_of_one_head_colours_that_head_and_the_difference_only(
    store: Store, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = page_of(store, qtbot, (1300, 800))
    image(page)
    coloured: list[str] = []
    stacks = colours.stacks

    def watched(
        heatmaps: Sequence[Heatmap], blanks: colours.Blanks, room: tuple[int, int]
    ) -> list[colours.Picture]:
        coloured.extend(one.title for one in heatmaps)
        return stacks(heatmaps, blanks, room)

    monkeypatch.setattr(colours, "stacks", watched)
    intents.randomize(store, [0], seed=9)
    image(page)
    assert sorted(coloured) == ["0", "Difference", "Head 0"]
