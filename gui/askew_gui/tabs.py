"""The tabs at the bottom: a row of names, and below it one panel that folds away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QFrame, QSizePolicy, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from askew_gui.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Callable

LOWEST_PANEL = 120  # px of an open panel: less shows nothing


class FoldingTabs(QWidget):
    """Panels of which one is open or none; a click on the open one folds it.

    A panel is made when it is first opened, but not before `start`.

    Signals
    -------
    folded_by_hand(folded)
        A click folded or unfolded the panel.
    opened(name)
        Another panel was opened.
    """

    folded_by_hand = Signal(bool)
    opened = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._makers: dict[str, Callable[[], QWidget]] = {}
        self._panels: dict[str, QWidget] = {}
        self._folded = False
        self._started = False
        self.bar = QTabBar(self)
        self.bar.setExpanding(False)
        self.bar.setDrawBase(False)
        self.bar.setAccessibleName(tr("Panels at the bottom"))
        self._stack = QStackedWidget(self)
        self._line = QFrame(self)
        self._line.setProperty("rule", True)
        self._line.setFixedHeight(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addWidget(self._line)
        layout.addWidget(self._stack, 1)
        self.bar.currentChanged.connect(self._on_current_changed)
        self.bar.tabBarClicked.connect(self._on_clicked)

    def start(self) -> None:
        """Make the open panel, and from now on each that is opened."""
        self._started = True
        self._show_panel()

    def add(self, name: str, title: str, make: Callable[[], QWidget]) -> None:
        """Add a tab; `make` gives its panel when it is first opened."""
        self._makers[name] = make
        index = self.bar.addTab(title)
        self.bar.setTabData(index, name)

    def take(self, name: str) -> QWidget | None:
        """Take a tab away and return its panel, if it was made."""
        index = self._index(name)
        if index < 0:
            return None
        panel = self._panels.pop(name, None)
        del self._makers[name]
        if panel is not None:
            self._stack.removeWidget(panel)
        self.bar.removeTab(index)
        return panel

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the tabs, from the left."""
        return tuple(str(self.bar.tabData(index)) for index in range(self.bar.count()))

    @property
    def current(self) -> str:
        """Name of the tab that is chosen, open or folded."""
        return str(self.bar.tabData(self.bar.currentIndex()) or "")

    @property
    def folded(self) -> bool:
        """True while only the names are shown."""
        return self._folded

    def panel(self, name: str) -> QWidget | None:
        """Return a panel if it was made."""
        return self._panels.get(name)

    def open(self, name: str) -> None:
        """Choose a tab; it stays folded if it was."""
        index = self._index(name)
        if index >= 0:
            self.bar.setCurrentIndex(index)
            self._show_panel()

    def set_folded(self, folded: bool) -> None:
        """Fold or unfold the panel."""
        self._folded = folded
        self._stack.setVisible(not folded)
        policy = QSizePolicy.Policy.Fixed if folded else QSizePolicy.Policy.Expanding
        self.setSizePolicy(QSizePolicy.Policy.Preferred, policy)
        self.setMaximumHeight(self.folded_height() if folded else 16_777_215)
        self._show_panel()
        self.updateGeometry()

    def folded_height(self) -> int:
        """Return the height of the names alone."""
        return self.bar.sizeHint().height() + self._line.height()

    def minimumSizeHint(self) -> QSize:
        panel = 0 if self._folded else LOWEST_PANEL
        return QSize(200, self.folded_height() + panel)

    def _index(self, name: str) -> int:
        return self.names.index(name) if name in self.names else -1

    def _on_current_changed(self, _index: int) -> None:
        self._show_panel()
        if self.current:
            self.opened.emit(self.current)

    def _on_clicked(self, index: int) -> None:
        # The bar tells of the click before it changes the tab: a click on another one only unfolds.
        fold = not self._folded and index == self.bar.currentIndex()
        if fold != self._folded:
            self.set_folded(fold)
            self.folded_by_hand.emit(fold)

    def _show_panel(self) -> None:
        name = self.current
        if not self._started or self._folded or name not in self._makers:
            return
        if name not in self._panels:
            panel = self._makers[name]()
            self._panels[name] = panel
            self._stack.addWidget(panel)
        self._stack.setCurrentWidget(self._panels[name])


def focus_is_inside(widget: QWidget | None, focus: QWidget | None) -> bool:
    """Tell whether the focus is on a widget or in it."""
    return widget is not None and focus is not None and (focus is widget or widget.isAncestorOf(focus))
