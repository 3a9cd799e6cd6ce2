"""A locked row in detail: raw pattern against the head's, key by key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from askew_gui.i18n import tr
from askew_gui.panels.explanation import ShownPatterns, token_text
from askew_gui.widgets.labels import PlainLabel, SectionTitle
from askew_gui.widgets.pair_bars import PairBars

if TYPE_CHECKING:
    from askew.evaluation import Evaluation


class RowDetail(QWidget):
    """The locked row, key by key: raw pattern against the head's."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = SectionTitle(tr("Row"), self).shorten()
        self.hint = PlainLabel("", self, tone="muted")
        self.hint.setWordWrap(True)
        self.bars = PairBars()
        self._patterns = ShownPatterns()
        self._scroll = QScrollArea(self)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self.bars)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.title)
        layout.addWidget(self.hint)
        layout.addWidget(self._scroll, 1)
        layout.addStretch(0)
        self.setMinimumWidth(170)
        self.show_nothing()

    def show_nothing(self) -> None:
        """Say how a row is chosen."""
        self.title.setText(tr("ROW"))
        self.hint.setText(tr("Click a cell or a word to see its row here, raw against head."))
        self._scroll.hide()

    def show_row(self, evaluation: Evaluation, i: int) -> None:
        """Show row `i`; of several heads their mean."""
        selected = evaluation.experiment.selected
        shown = self._patterns.of(evaluation)
        pairs = [
            (token_text(evaluation, key), float(raw), float(weight))
            for key, (raw, weight) in enumerate(zip(shown.raw[i], shown.head[i], strict=True))
        ]
        title = tr("“{}” LOOKS AT").format(token_text(evaluation, i))
        names = ", ".join(str(h) for h in sorted(selected))
        self.title.setText(title)
        self.hint.setText(
            tr("grey: raw, blue: head {}").format(names)
            if len(selected) == 1
            else tr("grey: raw, blue: mean of heads {}").format(names)
        )
        self.bars.show_pairs(pairs, title)
        self._scroll.show()
