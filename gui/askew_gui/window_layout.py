"""How the window is laid out: remembered, folded where there is little room, and as on the first day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt

from askew_gui.i18n import tr
from askew_gui.settings import from_text, to_text

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from askew_gui.window import Window

SIZE = (1440, 900)
NARROW = 1280  # below this width the inspector is a tab at the bottom
LOW = 800  # below this height the tabs at the bottom start folded
COLUMNS = (244, 920, 276)
ROWS = (578, 226)
LOWEST_TABS = 180
ROOM_FOR_MAPS = 310  # px of height: with less, what else is over the tabs gives way
AMPLE = 370  # px: what is left of it lets the small maps stand in more than one row
SMALLER = 0.85  # with less than this part of the room there was, the tabs leave the maps more of it


class WindowLayout(QObject):
    """Places the parts of a window and remembers where they were."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._settings = window.settings
        self._low = self._laid_out = False
        self.narrow = False
        window.tabs.folded_by_hand.connect(self._on_folded)
        window.upper.installEventFilter(self)

    @property
    def _scale(self) -> float:
        """How much more room the text needs than usual."""
        return max(1.0, self._settings.text_scale)

    def restore(self) -> None:
        """Lay the window out as remembered, or as on the first day."""
        window, settings = self._window, self._settings
        window.resize(*SIZE)
        if settings.geometry:
            window.restoreGeometry(from_text(settings.geometry))
        window.tabs.open(settings.tab)
        self.narrow, self._low = False, False
        self._place_inspector(False)
        window.body.setSizes(settings.columns or list(COLUMNS))
        window.centre.setSizes(settings.rows or list(ROWS))
        self._fold_tabs(settings.bottom_folded)
        self.fold()

    def reset(self) -> None:
        """Lay the window out as on the first day; theme and text size stay."""
        if self._window.presenting:
            self._window.set_presenting(False)
        self._settings.forget_layout()
        self._window.setWindowState(Qt.WindowState.WindowNoState)
        self.restore()

    def save(self) -> None:
        """Remember the layout."""
        window, settings = self._window, self._settings
        if window.presenting:
            return
        settings.geometry = to_text(window.saveGeometry())
        if not self.narrow:
            settings.columns = window.body.sizes()
        if not window.tabs.folded:
            settings.rows = window.centre.sizes()
        settings.tab = window.tabs.current
        settings.close()

    def scale_columns(self) -> None:
        """Give the columns at the sides the width that their text needs."""
        for slot in (self._window.left, self._window.right):
            slot.scale(min(self._scale, 1.6))

    def fold(self) -> None:
        """Fold away what the window has no room for."""
        width, height = self._window.width(), self._window.height()
        narrow, low = width < NARROW * self._scale, height < LOW * self._scale
        if narrow != self.narrow:
            self.narrow = narrow
            self._place_inspector(narrow)
        if low != self._low:
            self._low = low
            self._fold_tabs(low or self._settings.bottom_folded)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Make room for the maps whenever there is more or less of it."""
        if event.type() == QEvent.Type.Resize:
            self.clear()
        return super().eventFilter(watched, event)

    def clear(self) -> None:
        """Take away whose room the maps need: first the lines about an example, then the small maps."""
        window = self._window
        upper, row = window.upper.height(), window.grid.minimumSizeHint().height()
        room = upper - row - ROOM_FOR_MAPS * self._scale
        window.grid.setMaximumHeight(round(max(1.2 * row, upper - AMPLE * self._scale)))
        strip = window.example_strip
        window.grid.setVisible(room >= 0 and not window.presenting)
        strip.keep_away(room < strip.sizeHint().height() or window.presenting)

    def first_shown(self) -> None:
        """Give the tabs their room once it is known how much there is."""
        if not self._laid_out:
            self._laid_out = True
            self._fold_tabs(self._window.tabs.folded)

    def _fold_tabs(self, folded: bool) -> None:
        window = self._window
        window.tabs.set_folded(folded)
        room, rows = window.centre.height(), self._settings.rows or list(ROWS)
        tabs = rows[-1]
        if folded:
            tabs = window.tabs.folded_height()
        elif room < SMALLER * sum(rows):
            tabs = min(tabs, max(LOWEST_TABS, room // 3))
        window.centre.setSizes([room - tabs, tabs])

    def _place_inspector(self, in_tabs: bool) -> None:
        window = self._window
        window.right.setVisible(not in_tabs)
        if in_tabs:
            window.tabs.add("inspector", tr("Inspector"), self._get_inspector)
        elif "inspector" in window.tabs.names:
            window.tabs.take("inspector")
            window.body.setSizes(self._settings.columns or list(COLUMNS))
            if window.filled:
                window.right.put(window.inspector)

    def _get_inspector(self) -> QWidget:
        return self._window.inspector

    def _on_folded(self, folded: bool) -> None:
        if not self._low:
            self._settings.bottom_folded = folded
            if folded:  # the sizes are still those from before
                self._settings.rows = self._window.centre.sizes()
        self._fold_tabs(folded)
