"""The word vectors in use."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from askew_gui import commands
from askew_gui.i18n import tr
from askew_gui.menus.spec import ActionSpec, with_value
from askew_gui.widgets.labels import plain_button_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askew_gui.window import Window


def specs() -> Iterator[ActionSpec]:
    """Return the lines of this menu."""
    from askew.vectors.bundled import BUNDLED

    open_file = commands.open_vectors
    yield ActionSpec("open-vectors", ("Vectors",), tr("&Open vectors…"), open_file, ("Ctrl+Shift+O",))
    for number, name in enumerate(BUNDLED):
        run = partial(with_value, commands.use_bundled, name)
        text = plain_button_text(name)
        is_on = partial(_has_vectors, name)
        yield ActionSpec(f"vectors-{name}", ("Vectors",), text, run, checked=is_on, opens_group=number == 0)
    report = commands.show_vectors_report
    yield ActionSpec("vectors-report", ("Vectors",), tr("Re&port…"), report, opens_group=True)
    save, can_save = commands.save_vectors, commands.can_save_vectors
    yield ActionSpec("save-vectors", ("Vectors",), tr("&Save vectors as…"), save, (), can_save)
    yield ActionSpec("train-vectors", ("Vectors",), tr("&Train from text…"), commands.train_vectors)
    yield ActionSpec("clear-cache", ("Vectors",), tr("C&lear the cache…"), commands.clear_cache)
    yield ActionSpec(
        "keep-unknown",
        ("Vectors",),
        tr("&Keep unknown words"),
        commands.toggle_unknown,
        checked=_keeps_unknown,
        opens_group=True,
    )


def _has_vectors(name: str, window: Window) -> bool:
    return window.store.experiment.vectors.name == name


def _keeps_unknown(window: Window) -> bool:
    return window.store.experiment.unknown == "keep"
