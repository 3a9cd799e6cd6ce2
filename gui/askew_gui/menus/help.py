"""Keys, and what the program is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askew_gui import commands
from askew_gui.i18n import tr
from askew_gui.menus.spec import ActionSpec

if TYPE_CHECKING:
    from collections.abc import Iterator


def specs() -> Iterator[ActionSpec]:
    """Return the lines of this menu."""
    yield ActionSpec("keys", ("Help",), tr("&Keyboard"), commands.show_keys, ("F1",))
    yield ActionSpec("about", ("Help",), tr("&About Askew"), commands.about, opens_group=True)
