"""What the menu of heads does with weights in files and on the clipboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from askew_gui.window import Window


def import_weights(window: Window) -> None:
    """Ask for a file with weights, and show what is in it."""
    from askew_gui import weight_bringing

    weight_bringing.ask_for_file(window)


def paste_weights(window: Window) -> None:
    """Show what a table on the clipboard would become."""
    from askew_gui import weight_bringing

    weight_bringing.paste(window)


def export_weights(window: Window) -> None:
    """Ask what, as what and where, and write it."""
    from askew_gui.dialogs.export_weights import ask_and_export

    ask_and_export(window, window.store, window.settings)
