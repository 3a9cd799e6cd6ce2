"""Weights shaped by whatever the panels offer, 200 times: undo gives the first state back to the last bit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.gui.test_undo_laws import TABLES, Person, assert_evaluated

from askew import random_heads
from askew.errors import AskewError
from askew.experiment import Experiment
from askew.heads import PARTS
from askew.weight_edits import matrix_of
from askew.weights import Imported
from askew.weights.applying import Target, bring
from askew_gui import intents, intents_weights
from askew_gui.maps.nudging import aim_at, apply_nudge
from askew_gui.panels.shaping_drags import BLEND, NOISE, RANK, SYMMETRY, TIE, drag_of
from askew_gui.panels.shaping_sources import NOW, RANDOM, SourceChoice
from askew_gui.store import Store
from askew_gui.widgets.matrix_brush import Brush

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtWidgets import QApplication

STEPS = 200
NUMBERS = ("w_q", "w_k", "w_v", "b_q", "b_k", "b_v")


@pytest.fixture
def store(qapp: QApplication) -> Iterator[Store]:
    heads = random_heads(3, d_model=4, d_k=2, d_v=2, seed=0)
    store = Store(Experiment(text="the cat and the dog", vectors=TABLES[0].ref, heads=heads), TABLES[0])
    yield store
    store.jobs.close(timeout=1)


class Shaper(Person):
    """Shapes weights as the panels do: pulled sliders, strokes, nudges, imports, biases, sources."""

    _pulls = 0

    def act(self) -> None:
        doings: tuple[Callable[[], object], ...] = (
            self._pull,
            self._pull,
            self._pull,
            self._paint,
            self._nudge,
            self._nudge,
            self._import,
            self._bias,
            self._bias,
            self._source,
            self._edit,
            self._change_heads,
            self._choose,
            self._place,
            self._replace_all,
        )
        self.dice.choice(doings)()

    def _once(self, name: str) -> str:
        self._pulls += 1
        return f"{name}:{self._pulls}"

    def _pull(self) -> None:
        """Pull a slider to and fro: always of the heads as they were, and one step."""
        name = self.dice.choice((TIE, RANK, SYMMETRY, NOISE, BLEND))
        sources = [SourceChoice(NOW), SourceChoice(RANDOM)]
        for source in sources:
            source.refresh(self.store.experiment)
        drag = drag_of(name, self.store.experiment, self.dice.choice(PARTS), sources)
        before = self.store.undo_stack.count()
        for _ in range(3):
            share = self.dice.random()
            value = self.dice.randint(1, self.store.experiment.heads[0].d_k) if name == RANK else share
            heads = {h: head for h, (head, _remark) in drag.at(value).items()}
            intents_weights.put_heads(self.store, heads, drag.label, drag.key)
        assert self.store.undo_stack.count() <= before + 1

    def _paint(self) -> None:
        number, part = self._head, self.dice.choice(PARTS)
        matrix = matrix_of(self.store.experiment.heads[number], part)
        cells = np.zeros(matrix.shape, bool)
        key = self._once("stroke")
        for _ in range(3):
            row, column = (self.dice.randrange(side) for side in matrix.shape)
            Brush(2).stroke(cells, (0, 0), (row, column))
            painted = Brush(2, "raise", self.dice.choice((0.3, -2.0))).painted(matrix, cells)
            intents.set_matrix(self.store, number, part, painted, "stroke", key)

    def _nudge(self) -> None:
        count = len(self.store.evaluation.tokens)
        if not count:
            return
        cell = self.dice.randrange(count), self.dice.randrange(count)
        try:
            aim = aim_at(self.store, cell, "q" if self.dice.random() < 0.5 else "k")
            key = self._once("nudge")
            for _ in range(3):
                apply_nudge(self.store, aim.head_for(self.dice.uniform(-3, 3)), cell, key)
        except AskewError:
            return

    def _import(self) -> None:
        experiment = self.store.experiment
        head = experiment.heads[0]
        made = random_heads(2, d_model=experiment.d_model, d_k=head.d_k, d_v=head.d_v, seed=self._head)
        parts = {name: tuple(getattr(each, name) for each in made) for name in ("w_q", "w_k", "w_v")}
        into = Target("all"), Target("head", self._head, source=1), Target("matrix", self._head, "k")
        after = bring(experiment, Imported(made, parts), self.dice.choice(into), "some.npz").experiment
        self.store.apply(after, "import")

    def _bias(self) -> None:
        number, part = self._head, self.dice.choice(PARTS)
        width = matrix_of(self.store.experiment.heads[number], part).shape[1]
        bias = self.dice.choice((None, np.full(width, self.dice.random()), np.ones(width + 1)))
        intents.set_bias(self.store, number, part, bias, merge_key=self._key("bias"))

    def _source(self) -> None:
        if self.dice.random() < 0.5:
            intents.copy_from(self.store, self._head, self._head)
        else:
            intents.bring_trained_back(self.store, (self._head,))

    def _edit(self) -> None:
        store, heads, part = self.store, (self._head,), self.dice.choice(PARTS)
        doings: tuple[Callable[[], object], ...] = (
            lambda: intents_weights.scale(store, heads, part, self.dice.choice((0.5, 0.0, 1e30))),
            lambda: intents_weights.negate(store, heads, part),
            lambda: intents_weights.transpose(store, heads, part),
            lambda: intents_weights.orthogonalize(store, heads, part),
            lambda: intents_weights.balance(store, heads),
            lambda: intents_weights.exchange(store, heads),
        )
        self.dice.choice(doings)()

    def _place(self) -> None:
        places = self.dice.choice(("none", "rope", "learned"))
        if places != "learned" or self.store.experiment.embedding is not None:
            intents.set_field(self.store, "positions", places, "positions")


def _bits(experiment: Experiment) -> list[bytes | None]:
    arrays = [getattr(head, name) for head in experiment.heads for name in NUMBERS]
    return [None if array is None else array.tobytes() for array in arrays]


@pytest.mark.parametrize("seed", range(4))
def test_200_edits_of_weights_are_undone_and_redone_to_the_last_bit(store: Store, seed: int) -> None:
    first, first_bits, person = store.experiment, _bits(store.experiment), Shaper(store, seed)
    for _ in range(STEPS):
        person.act()
    assert_evaluated(store)
    states = [(store.experiment, _bits(store.experiment))]
    while store.undo_stack.canUndo():
        store.undo()
        assert store.experiment != states[-1][0], "a step that does nothing"
        states.append((store.experiment, _bits(store.experiment)))
    assert (store.experiment, _bits(store.experiment)) == (first, first_bits)
    assert len(states) > STEPS // 4
    assert_evaluated(store)
    for experiment, bits in reversed(states[:-1]):
        store.redo()
        assert store.experiment == experiment
        assert _bits(store.experiment) == bits
    assert not store.undo_stack.canRedo()
    assert_evaluated(store)
