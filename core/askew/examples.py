"""Experiments to start from, each of which shows one thing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from askew.edits import check_shape
from askew.errors import ExperimentError
from askew.experiment import Experiment
from askew.initializers import random_heads

if TYPE_CHECKING:
    from askew.heads import Head
    from askew.vectors.table import WordVectors

SENTENCE = "the animal did not cross the street because it was too tired"
HEADS = 5
EXAMPLES = {
    "glove-random": "Random heads look anywhere but at similar words",
    "identity": "Without projections attention is raw similarity: every word looks at itself and its like",
    "tied": "One matrix for query and key leaves scores symmetric and similar words together",
}
"""Names and what each shows, in a sentence."""


def default_width(d_model: int, heads: int) -> int:
    """Return d_k and d_v where nothing else is asked: max(1, d_model // heads)."""
    return max(1, d_model // max(1, heads))


def default_experiment(vectors: WordVectors, text: str = SENTENCE) -> Experiment:
    """Return the experiment of no choices: 5 gaussian heads of seed 0 with gain 1, all else as it comes."""
    return Experiment(text, vectors.ref, _drawn(vectors.dim))


def example(name: str, vectors: WordVectors) -> Experiment:
    """Return an example on the given vectors.

    `glove-random` and `tied` are layer-normalized and drawn with gain 2, for at gain 1 the maps look blank;
    they differ in W_k alone. `identity` is one head with W_q = W_k = W_v = I, whose pattern is the raw one.

    Raises
    ------
    ExperimentError
        If there is no example of that name.
    """
    start = default_experiment(vectors)
    match name:
        case "glove-random":
            return replace(start, normalize="layer", heads=_drawn(vectors.dim, gain=2.0))
        case "tied":
            return replace(start, normalize="layer", heads=_drawn(vectors.dim, initializer="tied", gain=2.0))
        case "identity":
            d = vectors.dim
            check_shape(1, d, d, d)
            return replace(start, heads=random_heads(1, d_model=d, d_k=d, d_v=d, initializer="identity"))
    raise ExperimentError(f"there is no example {name!r}", remedy=f"Choose one of {', '.join(EXAMPLES)}")


def _drawn(d_model: int, *, initializer: str = "gaussian", gain: float = 1.0) -> tuple[Head, ...]:
    """Draw the default number of heads at their default width."""
    width = default_width(d_model, HEADS)
    return random_heads(HEADS, d_model=d_model, d_k=width, d_v=width, initializer=initializer, gain=gain)
