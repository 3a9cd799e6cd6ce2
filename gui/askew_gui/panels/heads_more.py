"""Everything else that shapes the maps, folded away, and the line that names what is not at its default."""

from __future__ import annotations

from dataclasses import MISSING, fields, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QGridLayout, QWidget

from askew.errors import ExperimentError
from askew.experiment import Experiment
from askew.heads import Head
from askew.inputs import POSITIONS
from askew.masks import MASKS
from askew.normalize import NORMALIZATIONS
from askew.positions import check_rotation
from askew.scoring import SCORINGS
from askew.similarity import RAWS
from askew_gui import intents
from askew_gui.i18n import tr
from askew_gui.widgets.fields import Burst, Choice, DecimalSpin
from askew_gui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from askew_gui.store import Store

SCORING = "scoring"
FIELDS = ("positions", "specials", "normalize", "mask", "temperature", "raw", "unknown", "stretch")
ON, OFF = "on", "off"


def _defaults() -> dict[str, object]:
    known = {field.name: field.default for field in fields(Experiment) if field.default is not MISSING}
    scoring = next(field.default for field in fields(Head) if field.name == SCORING)
    return known | {SCORING: scoring}


DEFAULTS = _defaults()


def choice_text(name: str, value: str) -> str:
    """Return how a value of a field is written on screen."""
    special = {
        ("normalize", "layer"): tr("layer norm"),
        ("normalize", "unit"): tr("unit length"),
        ("raw", "scaled"): tr("scaled dot"),
        ("unknown", "drop"): tr("leave out"),
        ("unknown", "keep"): tr("keep, hatched"),
        ("stretch", "fixed"): tr("fixed, 0 to 1"),
        ("stretch", "map"): tr("each map's own"),
        ("stretch", "row"): tr("each row's own"),
    }
    return special.get((name, value), value)


def scoring_of(experiment: Experiment) -> str | None:
    """Return the scoring that all heads share, or None."""
    names = {head.scoring for head in experiment.heads}
    return next(iter(names)) if len(names) == 1 else None


def has_specials(experiment: Experiment) -> bool:
    """Tell whether a model puts tokens of its own around the sentence."""
    layer = experiment.embedding
    return layer is not None and bool(layer.first or layer.last)


def why_not(experiment: Experiment, positions: str) -> str:
    """Return why positions of a kind cannot be chosen; empty if they can."""
    layer = experiment.embedding
    if positions == "learned" and (layer is None or layer.positions is None):
        return tr("These vectors have no learned positions; the example trained has")
    if positions == "rope":
        try:
            check_rotation(experiment.heads)
        except ExperimentError as error:
            return f"{error.what}. {error.remedy}"
    return ""


def not_at_default(experiment: Experiment) -> str:
    """Name whatever is not at its default, in a few words; empty if everything is."""
    said = []
    if not experiment.specials and has_specials(experiment):
        said.append(tr("no special tokens"))
    for name, text in (
        ("positions", tr("positions {}")),
        ("normalize", "{}"),
        ("encoder", tr("encoder {}")),
        ("mask", tr("mask {}")),
        ("raw", tr("raw {}")),
        ("unknown", tr("unknown words kept")),
        ("stretch", tr("colours stretched to {}")),
    ):
        value = getattr(experiment, name)
        if value != DEFAULTS[name]:
            said.append(text.format(choice_text(name, value)))
    if experiment.temperature != DEFAULTS["temperature"]:
        said.append(tr("temperature {}").format(f"{experiment.temperature:g}"))
    scoring = scoring_of(experiment)
    if scoring != DEFAULTS[SCORING]:
        said.append(tr("scoring {}").format(scoring or tr("mixed")))
    return ", ".join(said)


class MoreForm(QWidget):
    """Input of the heads, mask, temperature, raw side, scoring, unknown words and colour range."""

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._burst = Burst()
        self._labels: dict[QWidget, PlainLabel] = {}
        self.temperature = DecimalSpin(0.01, 1000.0, 0.1, 2, self)
        self.temperature.setAccessibleName(tr("Temperature"))
        self.temperature.setToolTip(tr("Scores are divided by it before the softmax; raw and heads alike"))
        self.choices = {
            "positions": self._choice(
                "positions", POSITIONS, tr("How the heads are told where a token stands")
            ),
            "specials": self._choice("specials", (ON, OFF), tr("Special tokens around the sentence")),
            "normalize": self._choice(
                "normalize", tuple(NORMALIZATIONS), tr("Of the word vectors, before all")
            ),
            "mask": self._choice("mask", tuple(MASKS), tr("Which keys a query may not see")),
            "raw": self._choice("raw", tuple(RAWS), tr("How raw similarity is measured, with no W")),
            SCORING: self._choice(SCORING, tuple(SCORINGS), tr("How all heads turn q and k into scores")),
            "unknown": self._choice("unknown", ("drop", "keep"), tr("Words without a vector")),
            "stretch": self._choice("stretch", ("fixed", "map", "row"), tr("Range of the pattern's colours")),
        }
        self._lay_out()
        self.temperature.valueChanged.connect(self._set_temperature)
        self._store.changed.connect(self._follow)
        self.refresh()

    def _choice(self, name: str, values: tuple[str, ...], tip: str) -> Choice:
        choice = Choice([(value, choice_text(name, value)) for value in values], self)
        choice.setObjectName(name)
        choice.setToolTip(tip)
        choice.activated.connect(self._chosen)
        return choice

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 1)
        lines: tuple[tuple[str, QWidget], ...] = (
            (tr("positions"), self.choices["positions"]),
            (tr("special"), self.choices["specials"]),
            (tr("normalize"), self.choices["normalize"]),
            (tr("mask"), self.choices["mask"]),
            (tr("temperature"), self.temperature),
            (tr("raw"), self.choices["raw"]),
            (tr("scoring"), self.choices[SCORING]),
            (tr("unknown"), self.choices["unknown"]),
            (tr("stretch"), self.choices["stretch"]),
        )
        for number, (text, field) in enumerate(lines):
            field.setAccessibleName(text)
            label = PlainLabel(text, self, tone="muted")
            label.setMinimumWidth(62)
            label.setBuddy(field)
            self._labels[field] = label
            grid.addWidget(label, number, 0)
            grid.addWidget(field, number, 1)

    @Slot(object, object)
    def _follow(self, old: Experiment, new: Experiment) -> None:
        if any(getattr(old, name) != getattr(new, name) for name in FIELDS) or (
            (scoring_of(old), old.embedding, old.heads[0].d_k)
            != (scoring_of(new), new.embedding, new.heads[0].d_k)
        ):
            self.refresh()

    def refresh(self) -> None:
        """Show the present experiment."""
        now = self._store.experiment
        self.temperature.show_value(now.temperature)
        for name, choice in self.choices.items():
            if name == SCORING:
                choice.show_name(scoring_of(now), tr("mixed"))
            elif name == "specials":
                choice.show_name(ON if now.specials else OFF)
            else:
                choice.show_name(getattr(now, name))
        self._show_model(now)

    def _show_model(self, now: Experiment) -> None:
        """Offer what the model of the experiment has."""
        for kind in POSITIONS:
            self.choices["positions"].offer(kind, not (reason := why_not(now, kind)), reason)
        for widget in (self.choices["specials"], self._labels[self.choices["specials"]]):
            widget.setVisible(has_specials(now))
        own = now.embedding is not None and now.embedding.norm_weight is not None
        choice = self.choices["normalize"]
        layer = choice.findData("layer")
        choice.setItemText(layer, tr("model's own") if own else choice_text("normalize", "layer"))
        tip = tr("Layer norm with the model's own scale, shift and ε") if own else ""
        choice.setItemData(layer, tip, Qt.ItemDataRole.ToolTipRole)

    def _set_temperature(self, value: float) -> None:
        key = self._burst.key("temperature")
        if not intents.set_field(self._store, "temperature", value, tr("change of temperature"), key):
            self.refresh()

    def _chosen(self) -> None:
        choice = self.sender()
        if not isinstance(choice, Choice):
            return
        name, value = choice.objectName(), choice.name
        label = tr("change of {}").format(name)
        if name == SCORING:
            heads = tuple(replace(head, scoring=value) for head in self._store.experiment.heads)
            changed = intents.set_field(self._store, "heads", heads, label)
        elif name == "specials":
            changed = intents.set_field(self._store, name, value == ON, tr("choice of special tokens"))
        else:
            changed = intents.set_field(self._store, name, value, label)
        if not changed:
            self.refresh()
