"""Undo, copying and pasting."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from askew_gui import commands
from askew_gui.i18n import tr
from askew_gui.menus.spec import ActionSpec
from askew_gui.widgets.labels import plain_button_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askew_gui.window import Window


def specs() -> Iterator[ActionSpec]:
    """Return the lines of this menu."""
    edit = ("Edit",)
    yield ActionSpec(
        "undo", edit, tr("&Undo"), commands.undo, ("Ctrl+Z",), _can_undo, label=partial(_undo_text, "undo")
    )
    redo_keys = ("Ctrl+Y", "Ctrl+Shift+Z")
    yield ActionSpec(
        "redo", edit, tr("&Redo"), commands.redo, redo_keys, _can_redo, label=partial(_undo_text, "redo")
    )
    yield ActionSpec(
        "copy", edit, tr("&Copy"), commands.copy, ("Ctrl+C",), commands.has_maps, opens_group=True
    )
    yield ActionSpec("copy-maps", edit, tr("Copy &maps"), commands.copy_maps, (), commands.has_maps)
    yield ActionSpec("paste", edit, tr("&Paste"), commands.paste, ("Ctrl+V",), commands.can_paste)
    yield ActionSpec(
        "sentence", edit, tr("Go to the &sentence"), commands.go_to_sentence, ("Ctrl+L",), opens_group=True
    )


def _undo_text(which: str, window: Window) -> str:
    stack = window.store.undo_stack
    what = stack.undoText() if which == "undo" else stack.redoText()
    verb = tr("&Undo") if which == "undo" else tr("&Redo")
    return f"{verb} {plain_button_text(what)}".rstrip()


def _can_undo(window: Window) -> bool:
    return window.store.undo_stack.canUndo()


def _can_redo(window: Window) -> bool:
    return window.store.undo_stack.canRedo()
