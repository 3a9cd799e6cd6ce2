"""What the maps show, and how the window looks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from askew_gui import commands
from askew_gui.i18n import tr
from askew_gui.menus.spec import ActionSpec, with_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from askew_gui.window import Window


def specs() -> Iterator[ActionSpec]:
    """Return the lines of this menu."""
    for value, text, key in (
        ("pattern", tr("Pattern"), "P"),
        ("scores", tr("Scores"), "S"),
        ("cosine", tr("Cosine"), "C"),
    ):
        yield _choice("View/Show", "show", "quantity", value, text, commands.show_quantity, key)
    for value, text in (("as-is", tr("as is")), ("same-scale", tr("same scale")), ("matched", tr("matched"))):
        yield _choice("View/Compare", "compare", "compare", value, text, commands.compare_as)
    for value, text in (
        ("fixed", tr("fixed, 0 to 1")),
        ("map", tr("each map's own")),
        ("row", tr("each row's own")),
    ):
        yield _choice("View/Colours", "stretch", "stretch", value, text, commands.stretch_to)
    for value, text in (("system", tr("As the system")), ("light", tr("Light")), ("dark", tr("Dark"))):
        is_on = partial(_has_theme, value)
        run = partial(with_value, commands.set_theme, value)
        yield ActionSpec(f"theme-{value}", ("View/Theme",), text, run, checked=is_on)
    view = ("View",)
    larger = ("Ctrl++", "Ctrl+=")
    yield ActionSpec("larger", view, tr("&Larger text"), commands.larger_text, larger, opens_group=True)
    yield ActionSpec("smaller", view, tr("S&maller text"), commands.smaller_text, ("Ctrl+-",))
    yield ActionSpec("normal", view, tr("&Normal text"), commands.normal_text, ("Ctrl+0",))
    yield ActionSpec(
        "present", view, tr("&Present"), commands.present, ("F11",), checked=_is_presenting, opens_group=True
    )
    yield ActionSpec("reset-layout", view, tr("&Reset layout"), commands.reset_layout)


def _choice(
    menu: str,
    prefix: str,
    field: str,
    value: str,
    text: str,
    run: Callable[..., None],
    key: str = "",
) -> ActionSpec:
    """Return the action that sets one field of the experiment to one value."""
    return ActionSpec(
        f"{prefix}-{value}",
        (menu,),
        text,
        partial(with_value, run, value),
        (key,) if key else (),
        checked=partial(_field_is, field, value),
    )


def _field_is(field: str, value: str, window: Window) -> bool:
    return bool(getattr(window.store.experiment, field) == value)


def _has_theme(name: str, window: Window) -> bool:
    return window.settings.theme == name


def _is_presenting(window: Window) -> bool:
    return window.presenting
