"""From an edit to painted maps, against einsum with pyqtgraph plots; frames of many heads."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING, cast

import numpy as np
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

import askew
from askew_gui.app import make_app
from askew_gui.focus import Focus
from askew_gui.fonts import ui_font
from askew_gui.maps.grid import HeadGrid
from askew_gui.maps.view import MapsView
from askew_gui.settings import Settings
from askew_gui.store import Store
from askew_gui.theme import apply_theme
from askew_gui.window import Window
from benchmarks.baselines import WINDOW, PlotMaps, ViewBoxMaps, einsum_patterns, stacked
from benchmarks.material import Editor, made_experiment
from benchmarks.table import Row
from benchmarks.timing import pairs_of, percentile

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QPixmap

EDITS = 200
QUARTER_FRAME = 1000 / 60 / 4


def rows() -> list[Row]:
    """Return the rows of the table that paint."""
    app = make_app()
    app.setFont(ui_font())
    apply_theme(app, "light")
    return [
        edit_to_painted(16, bar=12, p95_bar=4.0),
        edit_to_painted(256, bar=None, p95_bar=1000 / 60),
        edit_to_painted(512, bar=None, p95_bar=33.0),
        *(frame_of_64_heads(n, bar) for n, bar in ((16, 20), (64, 10))),
        *(edit_in_the_window(n, bar) for n, bar in ((16, QUARTER_FRAME), (256, 4 * QUARTER_FRAME))),
    ]


def edit_to_painted(n: int, *, bar: int | None, p95_bar: float) -> Row:
    """Change one number of W_q of head 0: raw, head, difference and the grid of 12 heads painted."""
    experiment, vectors = made_experiment(n, 300, 12)
    store, editor = Store(experiment, vectors), Editor(experiment)
    page = page_of(store)
    plots = PlotMaps(12, [token.text for token in store.evaluation.tokens], columns=4)
    x, w_q, w_k = store.evaluation.x, stacked(experiment, "w_q"), stacked(experiment, "w_k")
    taken: list[float] = []

    def ours() -> QPixmap:
        started = process_time()
        _apply(store, editor)
        picture = page.grab()
        taken.append(1e3 * (process_time() - started))
        return picture

    timed = pairs_of(ours, lambda: plots.show_frame(einsum_patterns(x, w_q, w_k)))
    p95 = percentile(taken, 0.95)
    return Row(
        f"edit → 3 large and 13 small maps painted, n = {n}, d = 300, 12 heads",
        f"einsum + 12 pyqtgraph plots: {timed.baseline_ms:.2f} ms",
        f"{timed.ours_ms:.2f} ms, p95 {p95:.2f} ms",
        f"{timed.ratio:.1f}×",
        (f"≥ {bar}×, " if bar else "") + f"p95 ≤ {p95_bar:.3g} ms",
        (bar is None or timed.ratio >= bar) and p95 <= p95_bar,
    )


def page_of(store: Store) -> QWidget:
    """Return maps and head grid, filling a window without a gap."""
    page = QWidget()
    page.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
    layout = QVBoxLayout(page)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    layout.addWidget(MapsView(store, Focus(page)), 1)
    layout.addWidget(HeadGrid(store))
    page.resize(*WINDOW)
    page.show()
    return page


def frame_of_64_heads(n: int, bar: int) -> Row:
    """Show new patterns of 64 heads."""
    experiments = [made_experiment(n, 300, 64, 4)[0] for _ in range(2)]
    vectors = made_experiment(n, 300, 64, 4)[1]
    store = Store(experiments[0], vectors)
    frames = [askew.evaluate(experiment, vectors) for experiment in experiments]
    patterns = [frame.pattern for frame in frames]
    grid, boxes, turn = HeadGrid(store), ViewBoxMaps(64, n, columns=8), 0
    grid.resize(*WINDOW)
    grid.show()

    def ours() -> QPixmap:
        nonlocal turn
        turn = 1 - turn
        store.evaluation = frames[turn]
        store.evaluated.emit(frames[turn])
        return grid.viewport().grab()

    timed = pairs_of(ours, lambda: boxes.show_frame(patterns[turn]))
    return Row(
        f"new frame of 64 heads, n = {n}",
        f"64 pyqtgraph view boxes: {timed.baseline_ms:.2f} ms",
        f"{timed.ours_ms:.2f} ms",
        f"{timed.ratio:.1f}×",
        f"≥ {bar}×",
        timed.ratio >= bar,
    )


def edit_in_the_window(n: int, bar: float) -> Row:
    """The same edit in the whole window, every panel shown, until the event loop is empty."""
    experiment, vectors = made_experiment(n, 300, 12)
    store, editor = Store(experiment, vectors), Editor(experiment)
    window = Window(store, Settings())
    window.resize(1440, 900)
    window.show()
    settle = _settler(window)
    settle()
    window.fill()  # the other panels, which come a moment after the first picture
    taken = []
    for _ in range(EDITS):
        started = process_time()
        _apply(store, editor)
        settle()
        taken.append(1e3 * (process_time() - started))
    window.close()
    median, p95 = float(np.median(taken)), percentile(taken, 0.95)
    return Row(
        f"edit → whole window painted, n = {n}, d = 300, 12 heads",
        "a frame of 60 a second",
        f"{median:.2f} ms, p95 {p95:.2f} ms",
        f"{1000 / 60 / median:.1f}×",
        f"p95 ≤ {bar:.3g} ms",
        p95 <= bar,
    )


class _Painted(QObject):
    """Notes when the maps were painted."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == event.Type.Paint
        return False


def _settler(window: Window) -> Callable[[], None]:
    """Return a call that handles events until the maps have been painted again."""
    painted = _Painted()
    painted.setParent(window)
    window.maps.installEventFilter(painted)
    app = cast("QApplication", QApplication.instance())

    def settle() -> None:
        before = painted.count
        while painted.count == before:
            app.processEvents()
        app.processEvents()

    return settle


def _apply(store: Store, editor: Editor) -> None:
    store.apply(editor.next(), "typing", merge_key="benchmark")
