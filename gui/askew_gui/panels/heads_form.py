"""How many heads, how wide, what they are drawn from, and for which of them that holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QWidget

from askew.edits import shared_recipe
from askew.heads import FromFiles, Recipe
from askew.initializers import INITIALIZERS
from askew.sources import has_trained, key_groups
from askew_gui import intents
from askew_gui.i18n import tr
from askew_gui.panels.head_scope import ScopeSwitch
from askew_gui.widgets.fields import Burst, Choice, DecimalSpin, WholeSpin
from askew_gui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askew.experiment import Experiment
    from askew_gui.store import Store

MOST_HEADS = 256
WIDEST = 4096
LARGEST_SEED = 2**31 - 1
LABEL_WIDTH = 62
TRAINED = "trained"


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the fields show; `otherwise` is said where the heads have no common `source`."""

    count: int
    key_heads: int
    d_k: int
    d_v: int
    source: str | None
    otherwise: str
    has_trained: bool
    seed: int | None
    gain: float
    rank: int
    tau: float
    initializer: str


class HeadsForm(QWidget):
    """Count and widths of all heads; source, seed, gain, rank, τ and Randomize of all or the selected."""

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._burst = Burst()
        self._shown: _Shown | None = None
        self.count = WholeSpin(1, MOST_HEADS, self)
        self.keys = PlainLabel("", self, tone="muted")
        self.d_k = WholeSpin(1, WIDEST, self)
        self.d_v = WholeSpin(1, WIDEST, self)
        self.scope = ScopeSwitch(self)
        self.source = Choice([(name, name) for name in (*INITIALIZERS, TRAINED)], self)
        self.seed = WholeSpin(0, LARGEST_SEED, self)
        self.gain = DecimalSpin(0.0, 1000.0, 0.1, 2, self)
        self.rank = WholeSpin(1, WIDEST, self)
        self.tau = DecimalSpin(0.0, 1.0, 0.05, 2, self)
        self.randomize = QPushButton(tr("Randomize"), self)
        self._labels: dict[QWidget, PlainLabel] = {}
        self._name_fields()
        self._lay_out()
        self._connect()
        self.refresh()

    def _name_fields(self) -> None:
        for field, name, tip in (
            (self.count, tr("Number of heads"), tr("Heads are added and removed at the end")),
            (self.d_k, tr("d_k"), tr("d_k: numbers per query and key; the bottleneck of the scores")),
            (self.d_v, tr("d_v"), tr("d_v: numbers per value")),
            (
                self.source,
                tr("Source of W"),
                tr("What W_q, W_k and W_v are drawn from; what is locked stays"),
            ),
            (self.seed, tr("Seed"), tr("The same seed draws the same heads, on any machine")),
            (self.gain, tr("Gain"), tr("Factor on all weights: larger is sharper")),
            (self.rank, tr("Rank"), tr("Rank of each low-rank matrix")),
            (self.tau, tr("τ, share of W_q in W_k"), tr("W_k = τ·W_q + √(1 − τ²)·G: 1 is tied, 0 is free")),
            (
                self.randomize,
                tr("Randomize heads"),
                tr("Draw what is not locked anew; R does so for all heads"),
            ),
        ):
            field.setAccessibleName(name)
            field.setToolTip(tip)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 1)
        rows: tuple[tuple[str, tuple[QWidget, ...]], ...] = (
            (tr("count"), (self.count,)),
            ("", (self.keys,)),
            (tr("d_k · d_v"), (self.d_k, self.d_v)),
            (tr("for"), (self.scope,)),
            (tr("from"), (self.source,)),
            (tr("seed"), (self.seed,)),
            (tr("gain"), (self.gain,)),
            (tr("rank"), (self.rank,)),
            (tr("τ"), (self.tau,)),
        )
        for number, (text, fields) in enumerate(rows):
            label = PlainLabel(text, self, tone="muted")
            label.setMinimumWidth(LABEL_WIDTH)
            self._labels[fields[0]] = label
            grid.addWidget(label, number, 0)
            line = QHBoxLayout()
            line.setSpacing(5)
            for field in fields:
                line.addWidget(field, 1)
            grid.addLayout(line, number, 1)
        grid.addWidget(self.randomize, len(rows), 0, 1, 2)

    def _connect(self) -> None:
        self.count.valueChanged.connect(self._set_count)
        self.d_k.valueChanged.connect(self._set_d_k)
        self.d_v.valueChanged.connect(self._set_d_v)
        self.scope.changed.connect(self.refresh)
        self.source.activated.connect(self._set_source)
        self.seed.valueChanged.connect(self._set_seed)
        self.gain.valueChanged.connect(self._set_gain)
        self.rank.valueChanged.connect(self._set_rank)
        self.tau.valueChanged.connect(self._set_tau)
        self.randomize.clicked.connect(self._randomize)
        self._store.changed.connect(self._follow)

    @property
    def meant(self) -> Sequence[int] | None:
        """The heads that the fields are about; None is all."""
        return self._store.experiment.selected if self.scope.selected_only else None

    @Slot(object, object)
    def _follow(self, old: Experiment, new: Experiment) -> None:
        chosen = self.scope.selected_only and old.selected != new.selected
        if (
            chosen
            or old.heads is not new.heads
            or (old.vectors, old.embedding) != (new.vectors, new.embedding)
        ):
            self.refresh(anew=False)

    @Slot()
    def refresh(self, *, anew: bool = True) -> None:
        """Show the present heads; without `anew` only if the fields would show something else."""
        shown = self._state()
        if not anew and shown == self._shown:
            return
        self._shown = shown
        self.count.show_value(shown.count)
        self.d_k.show_value(shown.d_k)
        self.d_v.show_value(shown.d_v)
        self.source.offer(TRAINED, shown.has_trained)
        self.source.show_name(shown.source, shown.otherwise)
        self.seed.show_value(shown.seed)
        self.gain.show_value(shown.gain)
        self.gain.setEnabled(shown.seed is not None)
        self.rank.show_value(shown.rank)
        self.tau.show_value(shown.tau)
        self.keys.setText(_sharing(shown.count, shown.key_heads))
        self._show_line(self.keys, shown.key_heads < shown.count)
        self._show_line(self.rank, shown.initializer == "low-rank")
        self._show_line(self.tau, shown.initializer == "tied")

    def _show_line(self, field: QWidget, visible: bool) -> None:
        field.setVisible(visible)
        self._labels[field].setVisible(visible)

    def _state(self) -> _Shown:
        experiment, meant = self._store.experiment, self.meant
        heads = experiment.heads
        among = range(len(heads)) if meant is None else meant
        origins = {heads[h].recipe for h in among}
        drawn = [recipe for recipe in origins if isinstance(recipe, Recipe)]
        shared = shared_recipe(experiment, meant)
        names = {recipe.initializer for recipe in drawn} | ({TRAINED} if TRAINED in origins else set())
        imported = all(isinstance(origin, FromFiles) for origin in origins)
        own_work = tr("imported") if imported else tr("edited")
        return _Shown(
            count=len(heads),
            key_heads=len(key_groups(heads)),
            d_k=heads[0].d_k,
            d_v=heads[0].d_v,
            source=next(iter(names)) if len(names) == 1 else None,
            otherwise=tr("mixed") if names else own_work,
            has_trained=has_trained(experiment, among),
            seed=shared.seed if drawn else None,
            gain=shared.gain,
            rank=shared.rank or max(1, heads[0].d_k // 4),
            tau=shared.tau,
            initializer=shared.initializer,
        )

    def _done(self, changed: bool) -> None:
        if not changed:  # what cannot be done must not stay in the field
            self.refresh()

    def _set_count(self, value: int) -> None:
        self._done(intents.set_shape(self._store, count=value, merge_key=self._burst.key("count")))

    def _set_d_k(self, value: int) -> None:
        self._done(intents.set_shape(self._store, d_k=value, merge_key=self._burst.key("d_k")))

    def _set_d_v(self, value: int) -> None:
        self._done(intents.set_shape(self._store, d_v=value, merge_key=self._burst.key("d_v")))

    def _set_source(self) -> None:
        if self.source.name == TRAINED:
            self._done(intents.bring_trained_back(self._store, self.meant))
        else:
            self._done(intents.set_recipe(self._store, initializer=self.source.name, heads=self.meant))

    def _set_seed(self, value: int) -> None:
        if not self.seed.shows_no_value():
            key = self._burst.key("seed")
            self._done(intents.set_recipe(self._store, seed=value, merge_key=key, heads=self.meant))

    def _set_gain(self, value: float) -> None:
        key = self._burst.key("gain")
        self._done(intents.set_recipe(self._store, gain=value, merge_key=key, heads=self.meant))

    def _set_rank(self, value: int) -> None:
        key = self._burst.key("rank")
        self._done(intents.set_recipe(self._store, rank=value, merge_key=key, heads=self.meant))

    def _set_tau(self, value: float) -> None:
        key = self._burst.key("tau")
        self._done(intents.set_recipe(self._store, tau=value, merge_key=key, heads=self.meant))

    def _randomize(self) -> None:
        intents.randomize(self._store, self.meant)


def _sharing(count: int, key_heads: int) -> str:
    """Say how many heads have keys of their own."""
    text = tr("{} heads, 1 key head") if key_heads == 1 else tr("{} heads, {} key heads")
    return text.format(count, key_heads)
