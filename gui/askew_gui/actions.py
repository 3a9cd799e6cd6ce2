"""Everything that menus, buttons and keys can do, in one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from askew_gui import commands
from askew_gui.i18n import tr
from askew_gui.widgets.labels import plain_button_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QMenuBar

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


MENUS = {
    "File": "&File",
    "Edit": "&Edit",
    "View": "&View",
    "Vectors": "Ve&ctors",
    "Heads": "&Heads",
    "Examples": "E&xamples",
    "Help": "He&lp",
}
"""Menus by their place, and how they are written: each has a letter of its own."""


def specs() -> tuple[ActionSpec, ...]:
    """Return the table, in the order of the menus."""
    return (
        *_file_specs(),
        *_edit_specs(),
        *_view_specs(),
        *_vectors_specs(),
        *_heads_specs(),
        *_examples_specs(),
        *_help_specs(),
    )


def _file_specs() -> Iterator[ActionSpec]:
    both = ("File", "Vectors")
    yield ActionSpec("open-vectors", both, tr("&Open vectors…"), commands.open_vectors, ("Ctrl+O",))
    yield ActionSpec(
        "export", ("File",), tr("&Export…"), commands.export, ("Ctrl+E",), commands.has_maps, opens_group=True
    )
    yield ActionSpec("quit", ("File",), tr("&Quit"), _close, ("Ctrl+Q",), opens_group=True)


def _edit_specs() -> Iterator[ActionSpec]:
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


def _view_specs() -> Iterator[ActionSpec]:
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
        run = partial(_with_value, commands.set_theme, value)
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


def _vectors_specs() -> Iterator[ActionSpec]:
    from askew.vectors.bundled import BUNDLED

    for number, name in enumerate(BUNDLED):
        run = partial(_with_value, commands.use_bundled, name)
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


def _heads_specs() -> Iterator[ActionSpec]:
    heads = ("Heads",)
    yield ActionSpec("randomize", heads, tr("&Randomize"), commands.randomize, ("R",))
    yield ActionSpec(
        "randomize-selected", heads, tr("Randomize &selected"), commands.randomize_selected, ("Shift+R",)
    )
    for part in ("q", "k", "v"):
        run = partial(_with_value, commands.randomize_part, part)
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


def _examples_specs() -> Iterator[ActionSpec]:
    from askew.examples import EXAMPLES

    for name, texts in EXAMPLES.items():
        run = partial(_with_value, commands.apply_example, name)
        text = plain_button_text(f"{name}: {tr(texts.summary)}")
        yield ActionSpec(f"example-{name}", ("Examples",), text, run)


def _help_specs() -> Iterator[ActionSpec]:
    yield ActionSpec("keys", ("Help",), tr("&Keyboard"), commands.show_keys, ("F1",))
    yield ActionSpec("about", ("Help",), tr("&About Askew"), commands.about, opens_group=True)


class Actions(QObject):
    """The table as Qt actions of one window, kept true to the state by `refresh`."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self.specs = specs()
        self._actions = {spec.name: self._make(spec) for spec in self.specs}
        self._menus: dict[str, QMenu] = {}

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def fill(self, bar: QMenuBar) -> None:
        """Build the menus."""
        for place, title in MENUS.items():
            self._menus[place] = QMenu(tr(title), bar)
            bar.addMenu(self._menus[place])
        for spec in self.specs:
            for place in spec.menus:
                menu = self.menu(place)
                if spec.opens_group:
                    menu.addSeparator()
                menu.addAction(self._actions[spec.name])

    def menu(self, place: str) -> QMenu:
        """Return a menu by its place, "View" or "View/Show"."""
        if place not in self._menus:
            above, _, title = place.rpartition("/")
            self._menus[place] = QMenu(tr(title), self.menu(above))
            self.menu(above).addMenu(self._menus[place])
        return self._menus[place]

    def refresh(self) -> None:
        """Set texts, ticks and what can be done."""
        for spec in self.specs:
            action = self._actions[spec.name]
            action.setEnabled(spec.enabled(self._window))
            if spec.checked is not None:
                action.setChecked(spec.checked(self._window))
            if spec.label is not None:
                action.setText(spec.label(self._window))

    def _make(self, spec: ActionSpec) -> QAction:
        action = QAction(spec.text, self._window)
        action.setObjectName(spec.name)
        action.setShortcuts([QKeySequence(key) for key in spec.keys])
        action.setCheckable(spec.checked is not None)
        action.triggered.connect(partial(self._run, spec))
        self._window.addAction(action)
        return action

    def _run(self, spec: ActionSpec, _checked: bool = False) -> None:
        spec.run(self._window)
        self.refresh()  # also where nothing changed: a click has turned the tick


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
        partial(_with_value, run, value),
        (key,) if key else (),
        checked=partial(_field_is, field, value),
    )


def _with_value(run: Callable[..., None], value: str, window: Window) -> None:
    run(window, value)


def _stepped(step: int, window: Window) -> None:
    commands.step_head(window, step)


def _close(window: Window) -> None:
    window.close()


def _undo_text(which: str, window: Window) -> str:
    stack = window.store.undo_stack
    what = stack.undoText() if which == "undo" else stack.redoText()
    verb = tr("&Undo") if which == "undo" else tr("&Redo")
    return f"{verb} {plain_button_text(what)}".rstrip()


def _can_undo(window: Window) -> bool:
    return window.store.undo_stack.canUndo()


def _can_redo(window: Window) -> bool:
    return window.store.undo_stack.canRedo()


def _field_is(field: str, value: str, window: Window) -> bool:
    return bool(getattr(window.store.experiment, field) == value)


def _has_theme(name: str, window: Window) -> bool:
    return window.settings.theme == name


def _has_vectors(name: str, window: Window) -> bool:
    return window.store.experiment.vectors.name == name


def _keeps_unknown(window: Window) -> bool:
    return window.store.experiment.unknown == "keep"


def _is_presenting(window: Window) -> bool:
    return window.presenting


def _has_copied_head(window: Window) -> bool:
    return window.store.copied_head is not None


def _is_locked(window: Window) -> bool:
    return window.store.experiment.heads[commands.selected(window)].is_locked


def _has_several(window: Window) -> bool:
    return len(window.store.experiment.heads) > 1
