"""Files: vectors, pictures."""

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
    both = ("File", "Vectors")
    yield ActionSpec("open-vectors", both, tr("&Open vectors…"), commands.open_vectors, ("Ctrl+O",))
    yield ActionSpec(
        "export", ("File",), tr("&Export…"), commands.export, ("Ctrl+E",), commands.has_maps, opens_group=True
    )
    yield ActionSpec("quit", ("File",), tr("&Quit"), _close, ("Ctrl+Q",), opens_group=True)


def _close(window: Window) -> None:
    window.close()
