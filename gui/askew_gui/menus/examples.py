"""Experiments to start from."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from askew_gui import commands
from askew_gui.i18n import tr
from askew_gui.menus.spec import ActionSpec, with_value
from askew_gui.widgets.labels import plain_button_text

if TYPE_CHECKING:
    from collections.abc import Iterator


def specs() -> Iterator[ActionSpec]:
    """Return the lines of this menu."""
    from askew.examples import EXAMPLES

    for name, texts in EXAMPLES.items():
        run = partial(with_value, commands.apply_example, name)
        text = plain_button_text(f"{name}: {tr(texts.summary)}")
        yield ActionSpec(f"example-{name}", ("Examples",), text, run)
