"""The table of what can be done as Qt actions of a window."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from askew_gui.i18n import tr
from askew_gui.menus import edit, examples, file, heads, help, vectors, view

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenuBar

    from askew_gui.menus.spec import ActionSpec
    from askew_gui.window import Window

MENUS = {
    "File": "&File",
    "Edit": "&Edit",
    "View": "&View",
    "Vectors": "Ve&ctors",
    "Heads": "&Heads",
    "Examples": "E&xamples",
    "Help": "He&lp",
}
"""Menus by their place, and how they are written: each has a letter of its own."""


def specs() -> tuple[ActionSpec, ...]:
    """Return the table, in the order of the menus."""
    parts = (file, edit, view, vectors, heads, examples, help)
    return tuple(spec for part in parts for spec in part.specs())


class Actions(QObject):
    """The table as Qt actions of one window, kept true to the state by `refresh`."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self.specs = specs()
        self._actions = {spec.name: self._make(spec) for spec in self.specs}
        self._menus: dict[str, QMenu] = {}

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def fill(self, bar: QMenuBar) -> None:
        """Build the menus."""
        for place, title in MENUS.items():
            self._menus[place] = QMenu(tr(title), bar)
            bar.addMenu(self._menus[place])
        for spec in self.specs:
            for place in spec.menus:
                menu = self.menu(place)
                if spec.opens_group:
                    menu.addSeparator()
                menu.addAction(self._actions[spec.name])

    def menu(self, place: str) -> QMenu:
        """Return a menu by its place, "View" or "View/Show"."""
        if place not in self._menus:
            above, _, title = place.rpartition("/")
            self._menus[place] = QMenu(tr(title), self.menu(above))
            self.menu(above).addMenu(self._menus[place])
        return self._menus[place]

    def refresh(self) -> None:
        """Set texts, ticks and what can be done."""
        for spec in self.specs:
            action = self._actions[spec.name]
            action.setEnabled(spec.enabled(self._window))
            if spec.checked is not None:
                action.setChecked(spec.checked(self._window))
            if spec.label is not None:
                action.setText(spec.label(self._window))

    def _make(self, spec: ActionSpec) -> QAction:
        action = QAction(spec.text, self._window)
        action.setObjectName(spec.name)
        action.setShortcuts([QKeySequence(key) for key in spec.keys])
        action.setCheckable(spec.checked is not None)
        action.triggered.connect(partial(self._run, spec))
        self._window.addAction(action)
        return action

    def _run(self, spec: ActionSpec, _checked: bool = False) -> None:
        spec.run(self._window)
        self.refresh()  # also where nothing changed: a click has turned the tick
