"""Vectors, sentences and experiments to measure with; random numbers, since speed does not depend on them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

import askew
from askew.vectors.table import WordVectors

if TYPE_CHECKING:
    from askew.experiment import Experiment
    from askew.heads import Head


def made_vectors(n: int, d_model: int) -> WordVectors:
    """Return a table of n words."""
    matrix = np.random.default_rng(0).standard_normal((n, d_model), dtype=np.float32)
    return WordVectors.from_arrays([f"word{i}" for i in range(n)], matrix, name="made")


def made_experiment(
    n: int, d_model: int, heads: int, d_k: int | None = None
) -> tuple[Experiment, WordVectors]:
    """Return an experiment of n tokens, all known."""
    vectors = made_vectors(n, d_model)
    width = d_k or max(1, d_model // heads)
    drawn = askew.random_heads(heads, d_model=d_model, d_k=width, d_v=width, seed=0)
    text = " ".join(f"word{i}" for i in range(n))
    return askew.Experiment(text=text, vectors=vectors.ref, heads=drawn), vectors


class Editor:
    """Experiments that differ by one number in W_q of head 0, as an edit of the table makes them."""

    def __init__(self, experiment: Experiment) -> None:
        self._experiment = experiment
        head = experiment.heads[0]
        self._variants = [self._with_number(head, number) for number in (0.5, -0.5)]
        self._turn = 0

    def _with_number(self, head: Head, number: float) -> Experiment:
        w_q = head.w_q.copy()
        w_q[0, 0] = number
        return replace(self._experiment, heads=(replace(head, w_q=w_q), *self._experiment.heads[1:]))

    def next(self) -> Experiment:
        """Return the other one."""
        self._turn = 1 - self._turn
        return self._variants[self._turn]
