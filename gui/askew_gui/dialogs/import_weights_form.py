"""The questions of the import of weights: which layer, how many heads, how it lies, where it goes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QFormLayout, QSizePolicy, QWidget

from askew.weights.applying import Target
from askew_gui.dialogs.import_weights_plan import FREE
from askew_gui.dialogs.import_weights_texts import orientations
from askew_gui.i18n import tr
from askew_gui.widgets.fields import Choice, WholeSpin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askew.heads import Part
    from askew.weights import Plan, WeightsFile
    from askew_gui.dialogs.import_weights_plan import Reading

    Items = Sequence[tuple[str, str]]

EXAMPLE = "example"


class ImportForm(QWidget):
    """One row a question, only those that the file leaves open.

    Signals
    -------
    changed()
        An answer is another one.
    """

    changed = Signal()

    def __init__(self, head: int, count: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._head, self._count = head, count
        self._has_words = False
        self._by_hand: set[str] = set()
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        labels = {
            "stack": tr("&Attention"),
            "layer": tr("&Layer"),
            "part": tr("The &matrix is"),
            "heads": tr("&Number of heads"),
            "kv_heads": tr("&Key heads"),
            "d_k": tr("&Width d_k"),
            "orientation": tr("&Orientation"),
        }
        self.fields = {name: self._row(text) for name, text in labels.items()}
        for name, choice in self.fields.items():
            choice.activated.connect(partial(self._on_picked, name))
        self.to = self._row(tr("&Put into"))
        self.to.activated.connect(self._on_changed)
        self.source = WholeSpin(0, 0, self)
        self.source.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.source.setKeyboardTracking(True)
        self.source.valueChanged.connect(self._on_changed)
        self._form.addRow(tr("&Head of the file"), self.source)

    def _row(self, text: str) -> Choice:
        choice = Choice((), self)
        choice.setAccessibleName(text.replace("&", ""))
        choice.setMinimumContentsLength(12)
        self._form.addRow(text, choice)
        return choice

    def _on_picked(self, name: str, _index: int) -> None:
        self._by_hand.add(name)
        self.changed.emit()

    def _on_changed(self, _what: object = None) -> None:
        self.changed.emit()

    # Answers

    @property
    def picked(self) -> dict[str, str]:
        """What was chosen, by field; "" is no choice, and neither is what was only likely."""
        return {
            name: choice.name if name in FREE or name in self._by_hand else ""
            for name, choice in self.fields.items()
        }

    @property
    def as_example(self) -> bool:
        """Whether the model is to be opened with its words."""
        return self.to.name == EXAMPLE

    @property
    def target(self) -> Target:
        """Where the weights go, if they are brought into the present experiment."""
        name = self.to.name
        if name in ("q", "k", "v"):
            return Target("matrix", self._head, cast("Part", name), self.source.value())
        return Target("head" if name == "head" else "all", self._head, source=self.source.value())

    # Questions

    def begin(self, file: WeightsFile, *, has_words: bool) -> None:
        """Show what can be chosen in a file."""
        stacks = [(stack.name, stack.name) for stack in file.stacks]
        self._fill(self.fields["stack"], stacks if len(stacks) > 1 else ())
        self._fill(self.fields["layer"], [(str(layer), str(layer)) for layer in file.layers])
        matrices = [(part, f"W_{part}") for part in ("q", "k", "v")]
        default = ("", tr("As its name says, else W_q"))
        self._fill(self.fields["part"], [default, *matrices] if file.scheme in ("bare", "linear") else ())
        self._fill(self.fields["orientation"], orientations(None))
        self._has_words = has_words
        if has_words:  # what is asked depends on it: the model's own words fit it
            self._fill(self.to, self._places(None))

    def ask(self, reading: Reading, default: Plan | None) -> None:
        """Show what is asked, and what the default orientation comes to."""
        asked = {each.field: each for each in reading.asked}
        for name in ("heads", "kv_heads", "d_k", "layer"):
            if name in asked:
                self._fill(self.fields[name], [(text, text) for text in asked[name].options])
                self.fields[name].show_name(asked[name].value or None, tr("Choose…"))
            elif name != "layer":
                self._fill(self.fields[name], ())
        self._fill(self.fields["orientation"], orientations(default))
        self._fill(self.to, self._places(reading.plan))
        heads = (reading.plan.heads if reading.plan is not None else None) or 1
        with QSignalBlocker(self.source):
            self.source.setRange(0, heads - 1)
        one = heads > 1 and self.to.name not in ("", "all", EXAMPLE)
        self._form.setRowVisible(self.source, one)

    def _places(self, plan: Plan | None) -> Items:
        """Return where the weights can go, the likeliest first."""
        all_heads = ("all", tr("All heads, in place of the {} there are").format(self._count))
        if self._count == 1:
            all_heads = ("all", tr("All heads, in place of the one there is"))
        places = [all_heads, ("head", tr("Head {} only").format(self._head))]
        lacking = plan.lacking if plan is not None else ()
        matrices = [
            (part, tr("W_{} of head {} only").format(part, self._head))
            for part in ("q", "k", "v")
            if f"w_{part}" not in lacking
        ]
        places = [*matrices, *places] if len(matrices) == 1 else [*places, *matrices]
        if self._has_words:
            places.insert(0, (EXAMPLE, tr("An example of its own, with its words")))
        return places

    def _fill(self, choice: Choice, items: Items) -> None:
        """Show items, and the one that was chosen if it is still there; hide the row if there are none."""
        before = choice.name
        with QSignalBlocker(choice):
            choice.clear()
            for name, text in items:
                choice.addItem(text, name)
        names = [name for name, _ in items]
        if names:
            choice.show_name(before if before in names else names[0])
        self._form.setRowVisible(choice, bool(names))
