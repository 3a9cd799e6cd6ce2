"""Experiments to start from, each of which shows one thing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from askew.edits import check_shape, exchanged
from askew.errors import ExperimentError
from askew.experiment import Experiment
from askew.initializers import random_heads
from askew.trained import BUNDLED_LAYER, trained_embedding, trained_heads

if TYPE_CHECKING:
    from askew.heads import Head
    from askew.vectors.table import WordVectors

SENTENCE = "the animal did not cross the street because it was too tired"
HEADS = 5
SHOWN_HEAD = 2


@dataclass(frozen=True, slots=True)
class ExampleText:
    """What an example shows, in a sentence; what to look at; what to try; the vectors it belongs to."""

    summary: str
    look: str
    tries: str
    vectors: str | None = None


EXAMPLES = {
    "trained": ExampleText(
        "The first layer of a small trained transformer, as the model runs it",
        "Head 2 looks at the previous token, whatever the words.",
        "Set positions to none in More: it is gone. Undo brings it back.",
        BUNDLED_LAYER,
    ),
    "exchanged": ExampleText(
        "The trained layer with query and key of head 2 exchanged",
        "Head 2 looks at the next token now: its scores are transposed.",
        "Press X to exchange W_q and W_k back, and compare.",
        BUNDLED_LAYER,
    ),
    "glove-random": ExampleText(
        "Random heads look anywhere but at similar words",
        "Raw looks at itself and at similar words; no random head does.",
        "Press R to draw all heads anew and see what stays.",
    ),
    "identity": ExampleText(
        "Without projections attention is raw similarity: every word looks at itself and its like",
        "The difference is zero everywhere.",
        "Change one number of W_q and see which cells it moves.",
    ),
    "tied": ExampleText(
        "One matrix for query and key leaves scores symmetric and similar words together",
        "Show scores: each map is its own mirror image.",
        "Lower τ from 1 to 0 and watch the symmetry go.",
    ),
}
"""Names and what each shows."""


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
    `trained` and `exchanged` are on the vectors that `EXAMPLES` names, head 2 shown.

    Raises
    ------
    ExperimentError
        If there is no example of that name, or it belongs to other vectors.
    """
    if name in EXAMPLES and EXAMPLES[name].vectors not in (None, vectors.name):
        raise ExperimentError(
            f"the example {name} belongs to {EXAMPLES[name].vectors} and cannot be shown on {vectors.name}",
            remedy="Leave the choice of vectors out, or choose another example",
        )
    start = default_experiment(vectors)
    match name:
        case "trained":
            return _trained(vectors)
        case "exchanged":
            return exchanged(_trained(vectors), SHOWN_HEAD)
        case "glove-random":
            return replace(start, normalize="layer", heads=_drawn(vectors.dim, gain=2.0))
        case "tied":
            return replace(start, normalize="layer", heads=_drawn(vectors.dim, initializer="tied", gain=2.0))
        case "identity":
            d = vectors.dim
            check_shape(1, d, d, d)
            return replace(start, heads=random_heads(1, d_model=d, d_k=d, d_v=d, initializer="identity"))
    raise ExperimentError(f"there is no example {name!r}", remedy=f"Choose one of {', '.join(EXAMPLES)}")


def _trained(vectors: WordVectors) -> Experiment:
    """Return the trained layer as the model runs it."""
    return Experiment(
        SENTENCE,
        vectors.ref,
        trained_heads(),
        positions="learned",
        normalize="layer",
        embedding=trained_embedding(),
        selected=(SHOWN_HEAD,),
    )


def _drawn(d_model: int, *, initializer: str = "gaussian", gain: float = 1.0) -> tuple[Head, ...]:
    """Draw the default number of heads at their default width."""
    width = default_width(d_model, HEADS)
    return random_heads(HEADS, d_model=d_model, d_k=width, d_v=width, initializer=initializer, gain=gain)
