"""Menus that are made when they are opened: on the maps, on the head grid, of recent files."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from askew_gui.i18n import tr
from askew_gui.widgets.labels import plain_button_text

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint

    from askew.heatmap import Heatmap
    from askew_gui.window import Window


def maps_menu(window: Window, index: int) -> QMenu:
    """Return the menu of the maps; `index` is the map under the pointer, or -1."""
    actions = window.actions_table
    menu = QMenu(window)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.addAction(actions["copy-maps"])
    if 0 <= index < len(window.maps.heatmaps):
        heatmap = window.maps.heatmaps[index]
        text = tr("Copy the numbers of {}").format(heatmap.title)
        menu.addAction(plain_button_text(text), partial(_copy_numbers, heatmap))
    menu.addAction(actions["export"])
    menu.addSeparator()
    for place in ("View/Show", "View/Compare", "View/Colours"):
        menu.addMenu(actions.menu(place))
    return menu


def show_maps_menu(window: Window, position: QPoint, index: int) -> None:
    """Open the menu of the maps."""
    maps_menu(window, index).popup(position)


def show_grid_menu(window: Window, position: QPoint, head: int) -> None:
    """Open the menu of the head under the pointer, or that of the maps over raw."""
    menu = window.heads.menu(head) if head >= 0 else maps_menu(window, -1)
    menu.popup(position)


def add_recent_menu(window: Window, place: QMenu) -> None:
    """Add the menu of recent files."""
    menu = QMenu(tr("&Recent files"), place)
    menu.aboutToShow.connect(partial(fill_recent, window, menu))
    place.insertMenu(window.actions_table["export"], menu)


def fill_recent(window: Window, menu: QMenu) -> None:
    """List the files that were opened last, the latest first."""
    menu.clear()
    for path in window.settings.recent:
        action = menu.addAction(plain_button_text(Path(path).name))
        action.setToolTip(path)
        action.triggered.connect(partial(_open, window, path))
    if not window.settings.recent:
        menu.addAction(tr("none yet")).setEnabled(False)


def _open(window: Window, path: str, _checked: bool = False) -> None:
    window.open_file(path)


def _copy_numbers(heatmap: Heatmap) -> None:
    from askew_gui.export import clipboard

    clipboard.copy_table(heatmap)
