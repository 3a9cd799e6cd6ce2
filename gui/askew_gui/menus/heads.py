"""What can be done to heads."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from askew_gui import commands, commands_weights
from askew_gui.i18n import tr
from askew_gui.menus.spec import ActionSpec, with_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askew_gui.window import Window


def specs() -> Iterator[ActionSpec]:
    """Return the lines of this menu."""
    heads = ("Heads",)
    yield ActionSpec("randomize", heads, tr("&Randomize"), commands.randomize, ("R",))
    yield ActionSpec(
        "randomize-selected", heads, tr("Randomize &selected"), commands.randomize_selected, ("Shift+R",)
    )
    for part in ("q", "k", "v"):
        run = partial(with_value, commands.randomize_part, part)
        yield ActionSpec(f"randomize-{part}", heads, tr("Randomize W_{} only").format(part), run)
    yield ActionSpec(
        "exchange", heads, tr("E&xchange W_q and W_k"), commands.exchange, ("X",), opens_group=True
    )
    yield ActionSpec("copy-head", heads, tr("&Copy head"), commands.copy_head, ("Ctrl+Shift+C",))
    yield ActionSpec(
        "paste-head", heads, tr("&Paste head"), commands.paste_head, ("Ctrl+Shift+V",), _has_copied_head
    )
    yield ActionSpec("lock", heads, tr("&Lock head"), commands.toggle_lock, ("L",), checked=_is_locked)
    yield ActionSpec("reset", heads, tr("R&eset head"), commands.reset_head)
    back, on = partial(_stepped, -1), partial(_stepped, 1)
    yield ActionSpec("previous", heads, tr("Pre&vious head"), back, ("[",), _has_several, opens_group=True)
    yield ActionSpec("next", heads, tr("&Next head"), on, ("]",), _has_several)
    yield from _files(heads)


def _files(heads: tuple[str, ...]) -> Iterator[ActionSpec]:
    """Return the lines for weights in files and on the clipboard."""
    bring, paste = commands_weights.import_weights, commands_weights.paste_weights
    yield ActionSpec("import-weights", heads, tr("&Import weights…"), bring, opens_group=True)
    yield ActionSpec("paste-weights", heads, tr("Paste a &table as weights…"), paste)
    yield ActionSpec("export-weights", heads, tr("Exp&ort weights…"), commands_weights.export_weights)


def _stepped(step: int, window: Window) -> None:
    commands.step_head(window, step)


def _has_copied_head(window: Window) -> bool:
    return window.store.copied_head is not None


def _is_locked(window: Window) -> bool:
    return window.store.experiment.heads[commands.selected(window)].is_locked


def _has_several(window: Window) -> bool:
    return len(window.store.experiment.heads) > 1
