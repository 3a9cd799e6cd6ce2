"""What can be done, as a line of the table that menus, buttons and keys come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from askew_gui.window import Window

Test = Callable[["Window"], bool]


def _always(_window: Window) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One thing that can be done.

    Parameters
    ----------
    name
        Its name in the program.
    menus
        Where it stands: "File", or "View/Show" for a menu in a menu; more than one place is possible.
    text
        What the menu says.
    run
        Does it, in a window.
    keys
        Its shortcuts; a single letter acts only outside text fields.
    enabled, checked
        Whether it can be done now, and whether it is on; None for what is not a choice.
    label
        Text that depends on the state, in place of `text`.
    opens_group
        True if a line separates it from what is above it.
    """

    name: str
    menus: tuple[str, ...]
    text: str
    run: Callable[[Window], None]
    keys: tuple[str, ...] = ()
    enabled: Test = _always
    checked: Test | None = None
    label: Callable[[Window], str] | None = None
    opens_group: bool = False


def with_value(run: Callable[..., None], value: str, window: Window) -> None:
    """Run a command that takes a value."""
    run(window, value)
