"""The top row: the program's name, its menus, and the few things done all the time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeySequence, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QMenu, QMenuBar, QPushButton, QSizePolicy, QWidget

from askew_gui import theme
from askew_gui.widgets.labels import PlainLabel, plain_button_text, plain_tooltip
from askew_gui.widgets.text_size import changes_text_size

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QResizeEvent

ICON = 15  # px
LONGEST_TEXT = 170  # px of a button's text; what an undo would undo can be a whole sentence


class ActionButton(QPushButton):
    """A button that does what an action does and says what it says, shortened where it is long.

    Signals
    -------
    renamed()
        The action says something else now.
    """

    renamed = Signal()

    def __init__(
        self, action: QAction, parent: QWidget, *, icon: str = "", bare: bool = False, primary: bool = False
    ) -> None:
        super().__init__(parent)
        self._action = action
        self._icon = icon
        self._always_bare = self._bare = bare
        self._primary = primary
        self._drawn = False
        self._said = action.text()
        self.setProperty("primary", primary)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setIconSize(QSize(ICON, ICON))
        self.clicked.connect(action.trigger)
        action.changed.connect(self._on_changed)
        self._follow()
        if icon:
            self.setIcon(_blank())  # the drawing comes after the first picture: it takes 4 ms

    def set_short(self, short: bool) -> None:
        """Leave the words out, for a button that has an icon."""
        bare = self._always_bare or (short and bool(self._icon))
        if bare != self._bare:
            self._bare = bare
            self._follow()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._drawn:
            self.tint()
        if changes_text_size(event):
            self._follow()  # what is cut to a width, and how wide, depends on the font

    def _on_changed(self) -> None:
        self._follow()
        if self._action.text() != self._said:
            self._said = self._action.text()
            self.renamed.emit()

    def _follow(self) -> None:
        text = self._action.text().replace("&&", "\0").replace("&", "").replace("\0", "&")
        keys = self._action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.setEnabled(self._action.isEnabled())
        self.setAccessibleName(text)
        self.setToolTip(plain_tooltip(f"{text} ({keys})" if keys else text))
        shown = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, LONGEST_TEXT)
        if self._primary and keys:
            shown = f"{shown}  {keys}"
        self.setText("" if self._bare else plain_button_text(shown))

    def tint(self) -> None:
        """Draw the icon in the colour of the text."""
        self._drawn = True
        if self._icon:
            colours = theme.tokens(self.palette())
            self.setIcon(theme.icon(self._icon, colours.on_accent if self._primary else colours.text))


def _blank() -> QIcon:
    pixmap = QPixmap(ICON, ICON)
    pixmap.fill(Qt.GlobalColor.transparent)
    return QIcon(pixmap)


class MenuButton(QPushButton):
    """A button that says which of a few things is chosen, and opens the menu to choose another."""

    def __init__(self, title: str, menu: QMenu, parent: QWidget) -> None:
        super().__init__(parent)
        self._title = title
        self._short = False
        self.setMenu(menu)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("menu", True)
        for action in menu.actions():
            action.changed.connect(self._follow)
        self._follow()

    def set_short(self, short: bool) -> None:
        """Say only what is chosen."""
        if short != self._short:
            self._short = short
            self._follow()

    def _follow(self) -> None:
        chosen = next((a.text() for a in self.menu().actions() if a.isChecked()), "")
        chosen = chosen.replace("&", "")
        whole = f"{self._title}: {chosen}"
        self.setText(chosen if self._short else whole)
        self.setToolTip(whole if self._short else "")
        self.setAccessibleName(whole)


class TopBar(QWidget):
    """Name and menus at the left, buttons at the right."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("topbar")
        name = PlainLabel("Askew", self)
        name.setProperty("brand", True)
        self.menus = QMenuBar(self)
        self.menus.setNativeMenuBar(False)
        self.menus.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(14, 4, 14, 4)
        self._row.setSpacing(8)
        self._row.addWidget(name)
        self._row.addWidget(self.menus)
        self._row.addStretch(1)
        self._actions: list[ActionButton] = []
        self._menus: list[MenuButton] = []

    def add(self, button: ActionButton | MenuButton) -> None:
        """Add a button at the right end."""
        self._row.addWidget(button)
        if isinstance(button, ActionButton):
            self._actions.append(button)
            button.renamed.connect(self.fit)
        else:
            self._menus.append(button)

    def tint(self) -> None:
        """Draw the icons of the buttons."""
        for button in self._actions:
            button.tint()

    def minimumSizeHint(self) -> QSize:
        return QSize(300, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Shorten buttons where there is no room for all their words, then leave buttons out, but no menu."""
        self.menus.setMinimumWidth(self.menus.sizeHint().width())
        for button in (*self._actions, *self._menus):
            button.show()
        for without_undo, without_titles in ((False, False), (True, False), (True, True)):
            for action in self._actions:
                action.set_short(without_undo)
            for menu in self._menus:
                menu.set_short(without_titles)
            if self._fits():
                return
        undo, redo, *others = self._actions
        for button in (redo, undo, *self._menus, *reversed(others)):
            button.hide()  # what it does is in the menus
            if self._fits():
                return

    def _fits(self) -> bool:
        return self._row.sizeHint().width() <= self.width()
