"""A part of a panel that is folded away until asked for."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from askew_gui.i18n import tr
from askew_gui.widgets.labels import PlainLabel


class Fold(QWidget):
    """A heading with a triangle, one line that stays visible, and a body that folds.

    Signals
    -------
    folded(bool)
        True when the body was hidden.
    """

    folded = Signal(bool)

    def __init__(self, title: str, body: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.body = body
        self.button = QToolButton(self)
        self.button.setText(title)
        self.button.setAutoRaise(True)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setAccessibleName(title)
        self.note = PlainLabel("", self, tone="muted")
        self.note.setWordWrap(True)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.note, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(head)
        layout.addWidget(body)
        self.button.clicked.connect(self._toggle)
        self.unfold(False)

    def _toggle(self) -> None:
        self.unfold(self.body.isHidden())

    def unfold(self, open_: bool = True) -> None:
        """Show the body, or fold it away."""
        self.button.setArrowType(Qt.ArrowType.DownArrow if open_ else Qt.ArrowType.RightArrow)
        self.button.setAccessibleDescription(tr("unfolded") if open_ else tr("folded"))
        self.body.setVisible(open_)
        self.folded.emit(not open_)
