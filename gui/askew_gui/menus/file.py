"""Files: sessions, pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askew_gui import commands
from askew_gui.i18n import tr
from askew_gui.menus.spec import ActionSpec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askew_gui.window import Window


def specs() -> Iterator[ActionSpec]:
    """Return the lines of this menu."""
    file = ("File",)
    yield ActionSpec("new", file, tr("&New"), commands.new_session, ("Ctrl+N",))
    yield ActionSpec("open", file, tr("&Open…"), commands.open_anything, ("Ctrl+O",))
    save, can_save = commands.save_session, commands.can_save_session
    yield ActionSpec("save", file, tr("&Save"), save, ("Ctrl+S",), can_save, opens_group=True)
    yield ActionSpec("save-as", file, tr("Save &as…"), commands.save_session_as, ("Ctrl+Shift+S",))
    yield ActionSpec(
        "export", ("File",), tr("&Export…"), commands.export, ("Ctrl+E",), commands.has_maps, opens_group=True
    )
    numbers, report = commands.export_numbers, commands.export_report
    yield ActionSpec(
        "export-numbers", file, tr("Export nu&mbers…"), numbers, ("Ctrl+Shift+E",), commands.has_maps
    )
    yield ActionSpec("export-report", file, tr("Export &report…"), report, (), commands.has_maps)
    yield ActionSpec("quit", ("File",), tr("&Quit"), _close, ("Ctrl+Q",), opens_group=True)


def _close(window: Window) -> None:
    window.close()
