"""Whether the form of the heads is about all of them or about those selected."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

from askew_gui.i18n import tr


class ScopeSwitch(QWidget):
    """Two buttons of which one is down.

    Signals
    -------
    changed()
        The other one was pressed.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.all = QPushButton(tr("all"), self)
        self.selected = QPushButton(tr("selected"), self)
        self.all.setToolTip(tr("A new source, seed or gain is for every head that is not locked"))
        self.selected.setToolTip(
            tr("A new source, seed or gain is for the selected heads; Shift selects more")
        )
        self._group = QButtonGroup(self)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(5)
        for button in (self.all, self.selected):
            button.setCheckable(True)
            button.setProperty("chip", True)
            self._group.addButton(button)
            line.addWidget(button, 1)
        self.setAccessibleName(tr("For which heads"))
        self.all.setChecked(True)
        self._group.buttonToggled.connect(self._on_toggled)

    @property
    def selected_only(self) -> bool:
        """Whether it is about the selected heads alone."""
        return self.selected.isChecked()

    def _on_toggled(self, _button: QPushButton, down: bool) -> None:
        if down:
            self.changed.emit()
