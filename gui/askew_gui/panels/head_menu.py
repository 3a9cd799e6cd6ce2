"""The menu of a head: draw, copy, lock, exchange, reset."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from askew.heads import PARTS
from askew_gui import intents
from askew_gui.i18n import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from askew.heads import Head
    from askew_gui.store import Store

MOST_LISTED = 64
"""Heads to copy from that a menu lists; of more, the first ones."""


def head_menu(store: Store, head: int, parent: QWidget) -> QMenu:
    """Return the menu of a head; it goes when it is closed."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    draw = menu.addMenu(tr("Randomize"))
    draw.addAction(tr("All of head {}").format(head), partial(intents.randomize, store, heads=(head,)))
    for part in PARTS:
        text = tr("Only {}").format(f"W_{part}")
        draw.addAction(text, partial(intents.randomize, store, heads=(head,), parts=(part,)))
    menu.addSeparator()
    menu.addAction(tr("Copy head"), partial(intents.copy_head, store, head))
    paste = menu.addAction(tr("Paste head"), partial(intents.paste_head, store, head))
    paste.setEnabled(store.copied_head is not None)
    _add_sources(menu.addMenu(tr("Copy from head")), store, head)
    menu.addSeparator()
    _add_locks(menu.addMenu(tr("Lock")), store, head)
    menu.addAction(tr("Exchange W_q and W_k"), partial(intents.exchange, store, head))
    menu.addAction(tr("Reset"), partial(intents.reset, store, head))
    return menu


def _add_sources(menu: QMenu, store: Store, head: int) -> None:
    """List the other heads."""
    others = [h for h in range(len(store.experiment.heads)) if h != head]
    for other in others[:MOST_LISTED]:
        menu.addAction(str(other), partial(intents.copy_from, store, other, head))
    menu.setEnabled(bool(others))


def _add_locks(menu: QMenu, store: Store, head: int) -> None:
    """List what can be locked, ticked where it is."""
    present: Head = store.experiment.heads[head]
    for text, parts in (*((f"W_{part}", (part,)) for part in PARTS), (tr("Whole head"), PARTS)):
        action = menu.addAction(text, partial(intents.toggle_lock, store, head, parts))
        action.setCheckable(True)
        action.setChecked(present.locked.issuperset(parts))
