"""How many heads, how wide, and what they are drawn from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QWidget

from askew.edits import shared_recipe
from askew.heads import Recipe
from askew.initializers import INITIALIZERS
from askew_gui import intents
from askew_gui.i18n import tr
from askew_gui.widgets.fields import Burst, Choice, DecimalSpin, WholeSpin
from askew_gui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from askew.experiment import Experiment
    from askew_gui.store import Store

MOST_HEADS = 256
WIDEST = 4096
LARGEST_SEED = 2**31 - 1


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the fields show; `otherwise` is said where the heads have no common `source`."""

    count: int
    d_k: int
    d_v: int
    source: str | None
    otherwise: str
    seed: int | None
    gain: float
    rank: int
    low_rank: bool


class HeadsForm(QWidget):
    """Count, widths, initializer, seed, gain, rank and Randomize."""

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._burst = Burst()
        self._shown: _Shown | None = None
        self.count = WholeSpin(1, MOST_HEADS, self)
        self.d_k = WholeSpin(1, WIDEST, self)
        self.d_v = WholeSpin(1, WIDEST, self)
        self.source = Choice([(name, name) for name in INITIALIZERS], self)
        self.seed = WholeSpin(0, LARGEST_SEED, self)
        self.gain = DecimalSpin(0.0, 1000.0, 0.1, 2, self)
        self.rank = WholeSpin(1, WIDEST, self)
        self.randomize = QPushButton(tr("Randomize"), self)
        self._name_fields()
        self._lay_out()
        self._connect()
        self.refresh()

    def _name_fields(self) -> None:
        for field, name, tip in (
            (self.count, tr("Number of heads"), tr("Heads are added and removed at the end")),
            (self.d_k, tr("d_k"), tr("d_k: numbers per query and key; the bottleneck of the scores")),
            (self.d_v, tr("d_v"), tr("d_v: numbers per value")),
            (self.source, tr("Initializer"), tr("What W_q, W_k and W_v are drawn from")),
            (self.seed, tr("Seed"), tr("The same seed draws the same heads, on any machine")),
            (self.gain, tr("Gain"), tr("Factor on all weights: larger is sharper")),
            (self.rank, tr("Rank"), tr("Rank of each low-rank matrix")),
            (self.randomize, tr("Randomize all heads"), tr("Draw all heads that are not locked anew (R)")),
        ):
            field.setAccessibleName(name)
            field.setToolTip(tip)

    def _lay_out(self) -> None:
        self._rank_label = PlainLabel(tr("rank"), self, tone="muted")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 1)
        rows: tuple[tuple[PlainLabel, tuple[QWidget, ...]], ...] = (
            (PlainLabel(tr("count"), self, tone="muted"), (self.count,)),
            (PlainLabel(tr("d_k · d_v"), self, tone="muted"), (self.d_k, self.d_v)),
            (PlainLabel(tr("from"), self, tone="muted"), (self.source,)),
            (PlainLabel(tr("seed"), self, tone="muted"), (self.seed,)),
            (PlainLabel(tr("gain"), self, tone="muted"), (self.gain,)),
            (self._rank_label, (self.rank,)),
        )
        for number, (label, fields) in enumerate(rows):
            label.setMinimumWidth(62)
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
        self.source.activated.connect(self._set_source)
        self.seed.valueChanged.connect(self._set_seed)
        self.gain.valueChanged.connect(self._set_gain)
        self.rank.valueChanged.connect(self._set_rank)
        self.randomize.clicked.connect(self._randomize)
        self._store.changed.connect(self._follow)

    @Slot(object, object)
    def _follow(self, old: Experiment, new: Experiment) -> None:
        if old.heads is not new.heads or old.vectors != new.vectors:
            self.refresh(anew=False)

    def refresh(self, *, anew: bool = True) -> None:
        """Show the present heads; without `anew` only if the fields would show something else."""
        shown = self._state()
        if not anew and shown == self._shown:
            return
        self._shown = shown
        self.count.show_value(shown.count)
        self.d_k.show_value(shown.d_k)
        self.d_v.show_value(shown.d_v)
        self.source.show_name(shown.source, shown.otherwise)
        self.seed.show_value(shown.seed)
        self.gain.show_value(shown.gain)
        self.rank.show_value(shown.rank)
        self.rank.setVisible(shown.low_rank)
        self._rank_label.setVisible(shown.low_rank)

    def _state(self) -> _Shown:
        heads = self._store.experiment.heads
        recipes = [head.recipe for head in heads if isinstance(head.recipe, Recipe)]
        shared = shared_recipe(self._store.experiment)
        names = {recipe.initializer for recipe in recipes}
        return _Shown(
            count=len(heads),
            d_k=heads[0].d_k,
            d_v=heads[0].d_v,
            source=next(iter(names)) if len(names) == 1 else None,
            otherwise=tr("mixed") if names else self._own_work(),
            seed=shared.seed if recipes else None,
            gain=shared.gain,
            rank=shared.rank or max(1, heads[0].d_k // 4),
            low_rank=shared.initializer == "low-rank",
        )

    def _own_work(self) -> str:
        origins = {head.recipe for head in self._store.experiment.heads}
        return tr("imported") if origins == {"imported"} else tr("edited")

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
        self._done(intents.set_recipe(self._store, initializer=self.source.name))

    def _set_seed(self, value: int) -> None:
        if not self.seed.shows_no_value():
            self._done(intents.set_recipe(self._store, seed=value, merge_key=self._burst.key("seed")))

    def _set_gain(self, value: float) -> None:
        self._done(intents.set_recipe(self._store, gain=value, merge_key=self._burst.key("gain")))

    def _set_rank(self, value: int) -> None:
        self._done(intents.set_recipe(self._store, rank=value, merge_key=self._burst.key("rank")))

    def _randomize(self) -> None:
        intents.randomize(self._store)
