"""The right panel: the cell under the pointer explained, and on a second page its whole row."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from askew.compare import compare
from askew.word_forms import shown
from askew_gui.i18n import tr
from askew_gui.nearest import can_search, look_up, not_yet
from askew_gui.panels.cell_page import CellPage
from askew_gui.panels.row_page import RowPage
from askew_gui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from askew.compare import Comparison
    from askew.evaluation import Evaluation
    from askew_gui.focus import Focus
    from askew_gui.nearest import Nearest
    from askew_gui.store import Store

PANEL_WIDTH = 265
PAUSE_MS = 300
TOPIC = "nearest words"
NEAREST = 4
MOST_NOTICES = 3


class Inspector(QWidget):
    """Follows the focus: the hovered cell, else the locked one."""

    def __init__(self, store: Store, focus: Focus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store, self._focus = store, focus
        self._compared: tuple[Evaluation, Comparison] | None = None
        self.tabs = QTabBar(self)
        self.tabs.setAccessibleName(tr("Pages of the inspector"))
        self.cell_page = CellPage()
        self.row_page = RowPage()
        self.empty = EmptyPage()
        self.notices = PlainLabel("", self)
        self.notices.setWordWrap(True)
        self.notices.setProperty("surface", "canvas")
        self.notices.setContentsMargins(8, 5, 8, 5)
        self.pages = QStackedWidget(self)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._look_for_nearest)
        self._lay_out()
        self.tabs.currentChanged.connect(self._show_page)
        focus.changed.connect(self._on_focus)
        store.evaluated.connect(self._on_evaluated)
        self.refresh()

    def _lay_out(self) -> None:
        self.setMinimumWidth(200)
        self.setAccessibleName(tr("Inspector"))
        self.tabs.addTab(tr("Cell"))
        self.tabs.addTab(tr("Row"))
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self._scroll = QScrollArea(self)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self.cell_page)
        for page in (self._scroll, self.row_page, self.empty):
            self.pages.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 4, 8, 8)
        layout.setSpacing(4)
        layout.addWidget(self.tabs)
        layout.addWidget(self.notices)
        layout.addWidget(self.pages, 1)

    def show_page(self, number: int) -> None:
        """Bring up the page of the cell (0) or of the row (1)."""
        self.tabs.setCurrentIndex(number)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while hidden."""
        super().showEvent(event)
        self.refresh()

    @Slot()
    def _on_focus(self) -> None:
        if self.isVisible():
            self.refresh()

    @Slot(object)
    def _on_evaluated(self, evaluation: Evaluation) -> None:
        if self.isVisible():
            self.refresh()

    @Slot(int)
    def _show_page(self, number: int) -> None:
        self.refresh()

    def refresh(self) -> None:
        """Show the present cell."""
        evaluation = self._store.evaluation
        cell = self._focus.cell
        count = len(evaluation.tokens)
        self._show_notices(evaluation)
        self._store.jobs.drop(TOPIC)
        if cell is None or not (0 <= cell[0] < count and cell[1] < count):
            self._pause.stop()
            self.empty.show_hint(count > 0)
            self.pages.setCurrentWidget(self.empty)
            return
        if self.tabs.currentIndex() == 0:
            self.cell_page.show_cell(evaluation, self._comparison(evaluation), *cell)
            self.cell_page.nearest.show_words({})
            self.pages.setCurrentWidget(self._scroll)
            self._pause.start()
        else:
            self.row_page.show_row(evaluation, *cell)
            self.pages.setCurrentWidget(self.row_page)

    def _show_notices(self, evaluation: Evaluation) -> None:
        """Say what a reader of the heads on view should know: nearly even, nearly all on one token, ..."""
        shown = (None, *evaluation.experiment.selected)
        texts = [notice.text for notice in evaluation.notices if notice.head in shown][:MOST_NOTICES]
        self.notices.setText("\n".join(text[:1].upper() + text[1:] for text in texts))
        self.notices.setVisible(bool(texts))

    def _comparison(self, evaluation: Evaluation) -> Comparison:
        if self._compared is None or self._compared[0] is not evaluation:
            self._compared = (evaluation, compare(evaluation, evaluation.experiment.selected))
        return self._compared[1]

    @Slot()
    def _look_for_nearest(self) -> None:
        cell, tokens = self._focus.cell, self._store.evaluation.tokens
        if cell is None or not self.isVisible():
            return
        rows = [row for row in dict.fromkeys(cell) if 0 <= row < len(tokens)]
        asked = {tokens[row].text: tokens[row] for row in rows if tokens[row].key is not None}
        if not asked or not can_search(self._store):
            self.cell_page.nearest.show_words({}, sentence(not_yet()) if asked else "")
            return
        built = [text for text, token in asked.items() if token.status == "built"]
        show = partial(self._show_nearest, tuple(asked), built)
        keys = [token.key for token in asked.values() if token.key is not None]
        look_up(self._store, keys, NEAREST, TOPIC, show, self._drop_nearest)

    def _show_nearest(self, texts: tuple[str, ...], built: list[str], nearest: Nearest) -> None:
        if not shiboken6.isValid(self):
            return
        words = (tuple(shown(word) for word, _ in found) for found in nearest.words)
        notes = [tr("“{}” is built from its letters.").format(text) for text in built]
        if nearest.among is not None:
            text = (
                tr("Among the first {} words.")
                if nearest.is_final
                else tr("So far among the first {} words.")
            )
            notes.append(text.format(f"{nearest.among:,}"))
        self.cell_page.nearest.show_words(dict(zip(texts, words, strict=True)), " ".join(notes))

    def _drop_nearest(self, error: Exception) -> None:
        if shiboken6.isValid(self):
            self.cell_page.nearest.show_words({})


def sentence(text: str) -> str:
    """Return a text with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:]}."


class EmptyPage(QWidget):
    """What is said while no cell is under the pointer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = PlainLabel("", self, bold=True)
        self.hint = PlainLabel("", self, tone="muted")
        self.hint.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 12, 0, 0)
        layout.addWidget(self.title)
        layout.addWidget(self.hint)
        layout.addStretch(1)

    def show_hint(self, has_tokens: bool) -> None:
        """Say how to get an explanation."""
        if has_tokens:
            self.title.setText(tr("Point at a cell"))
            self.hint.setText(tr("Its numbers appear here, step by step. A click keeps the cell."))
        else:
            self.title.setText(tr("No words to compare"))
            self.hint.setText(tr("Type a sentence whose words the vectors know."))
