"""The list of completions: it lies over the window, and never takes the focus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from askew_gui.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDEST = 320
MARGIN = 4
PADDING = 32


class CompletionPopup(QListWidget):
    """Words one below the other; none is marked until an arrow key or the pointer marks one.

    Signals
    -------
    chosen(word)
        A word was clicked.
    """

    chosen = Signal(str)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(tr("Completions"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)
        self.setViewportMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        self.itemClicked.connect(self._on_clicked)
        self.hide()

    @property
    def words(self) -> list[str]:
        """All words on show."""
        return [self.item(row).text() for row in range(self.count())]

    @property
    def marked(self) -> str:
        """The word that is marked, or ""."""
        item = self.currentItem()
        return item.text() if item is not None else ""

    @property
    def first(self) -> str:
        """The first word."""
        return self.item(0).text()

    def show_words(self, words: Sequence[str], place: QPoint) -> None:
        """Open with these words, the top left at a place of the window."""
        self.clear()
        self.addItems(list(words))
        height = self.fontMetrics().height() + 6
        for row in range(self.count()):
            self.item(row).setSizeHint(QSize(0, height))
        self.setCurrentRow(-1)
        longest = max(self.fontMetrics().horizontalAdvance(word) for word in words)
        self.resize(min(WIDEST, longest + PADDING), height * self.count() + 2 * (MARGIN + self.frameWidth()))
        room = self._window.width() - self.width()
        self.move(max(0, min(place.x(), room)), place.y())
        self.raise_()
        self.show()

    def step(self, step: int) -> None:
        """Mark the next or the previous word, round and round."""
        row = self.currentRow()
        start = -1 if step > 0 else self.count()
        self.setCurrentRow(((row if row >= 0 else start) + step) % self.count())

    def _on_clicked(self, item: QListWidgetItem) -> None:
        self.chosen.emit(item.text())
