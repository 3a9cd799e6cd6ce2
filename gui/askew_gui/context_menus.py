"""Menus that are made when they are opened: on the maps, on the head grid, of recent files."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from askew_gui.i18n import tr
from askew_gui.maps.view import HEAD_MAP
from askew_gui.widgets.labels import plain_button_text

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint

    from askew.heatmap import Heatmap
    from askew_gui.export.numbers import Kind, What
    from askew_gui.focus import Cell
    from askew_gui.window import Window


def maps_menu(window: Window, index: int) -> QMenu:
    """Return the menu of the maps; `index` is the map under the pointer, or -1."""
    actions = window.actions_table
    menu = QMenu(window)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.addAction(actions["copy-maps"])
    if 0 <= index < len(window.maps.heatmaps):
        from askew.tables import SIDES

        heatmap = window.maps.heatmaps[index]
        text = tr("Copy the numbers of {}").format(heatmap.title)
        menu.addAction(plain_button_text(text), partial(_copy_numbers, heatmap))
        menu.addAction(tr("Copy as &LaTeX"), partial(_copy_as, window, SIDES[index], "latex"))
        menu.addAction(tr("Copy as Mark&down"), partial(_copy_as, window, SIDES[index], "markdown"))
    menu.addAction(actions["export"])
    cell = window.focus.cell
    if index == HEAD_MAP and cell is not None and cell[1] >= 0:
        menu.addAction(tr("&Nudge this cell…"), partial(_nudge, window, cell))
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
    lines = place.actions()
    place.insertMenu(lines[lines.index(window.actions_table["open"]) + 1], menu)


def fill_recent(window: Window, menu: QMenu) -> None:
    """List the files that were opened last, the latest first."""
    menu.clear()
    for path in window.settings.recent:
        text = recent_text(path, window.settings.reading.get(path, {}))
        action = menu.addAction(plain_button_text(text))
        action.setToolTip(path)
        action.triggered.connect(partial(_open, window, path))
    if not window.settings.recent:
        menu.addAction(tr("none yet")).setEnabled(False)


def recent_text(path: str, reading: dict[str, object]) -> str:
    """Return the name of a recent file and what was chosen of it."""
    parts = [Path(path).name]
    parts += [str(reading[name]) for name in ("member", "language") if name in reading]
    if isinstance(reading.get("limit"), int):
        parts.append(tr("first {}").format(f"{reading['limit']:,}"))
    return " · ".join(parts)


def add_cache_size(window: Window, menu: QMenu) -> None:
    """Let a menu say how big the cache is whenever it opens."""
    menu.aboutToShow.connect(partial(show_cache_size, window))


def show_cache_size(window: Window) -> None:
    """Say in the menu how big the cache is."""
    from askew.vectors.cache import cache_size

    size = cache_size()
    action = window.actions_table["clear-cache"]
    action.setText(tr("C&lear the cache… ({})").format(size_text(size)) if size else tr("The cache is empty"))
    action.setEnabled(size > 0)


def size_text(size: int) -> str:
    """Return a size on disk as people write it."""
    if size >= 1e9:
        return tr("{} GB").format(f"{size / 1e9:,.1f}")
    return (
        tr("{} MB").format(f"{size / 1e6:,.0f}") if size >= 1e6 else tr("{} kB").format(f"{size / 1e3:.0f}")
    )


def _nudge(window: Window, cell: Cell) -> None:
    from askew_gui.dialogs.nudge import ask_and_nudge

    ask_and_nudge(window, window.store, cell)


def _open(window: Window, path: str, _checked: bool = False) -> None:
    window.open_recent(path)


def _copy_as(window: Window, what: What, kind: Kind) -> None:
    from askew_gui.export.clipboard import copy_text_table

    copy_text_table(window.store.evaluation, what, kind)


def _copy_numbers(heatmap: Heatmap) -> None:
    from askew_gui.export import clipboard

    clipboard.copy_table(heatmap)
