"""Experiments to start from, each of which shows one thing."""

from __future__ import annotations

from dataclasses import dataclass
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
PLAIN_VECTORS = "glove-6b-50d"


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
        "Head 2 puts nearly all of its weight on the previous token, whatever the words.",
        "Set positions to none in More: that is gone. Undo brings it back.",
        BUNDLED_LAYER,
    ),
    "exchanged": ExampleText(
        "The trained layer with query and key of head 2 exchanged",
        "Head 2 looks at the next token now: who asked is asked, so its scores are turned over.",
        "Press X: W_q and W_k change places again, and it looks back at the previous one.",
        BUNDLED_LAYER,
    ),
    "glove-random": ExampleText(
        "Random heads: where a word looks is left to chance",
        "In Raw every word looks most at itself; through random W_q and W_k that is gone.",
        "Press R a few times: each draw is another map, and Raw stays.",
    ),
    "identity": ExampleText(
        "Without projections attention is raw similarity",
        "With W_q = W_k = I the head is Raw itself: Difference is zero everywhere.",
        "Change a number of W_q in Weights and see which cells move.",
    ),
    "tied": ExampleText(
        "One matrix for query and key leaves scores symmetric and similar words together",
        "With W_q = W_k scores are symmetric: show Scores, and each map is its own mirror image.",
        "Lower τ from 1 to 0, at the left, and watch the symmetry go.",
    ),
}
"""Names and what each shows."""


def vectors_of(name: str, present: Experiment) -> str | None:
    """Return the bundled vectors that an example is to be shown on; None for those of `present`.

    The words of a model mean little without its embedding layer, so examples that have none leave them.
    """
    if EXAMPLES[name].vectors is not None:
        return EXAMPLES[name].vectors
    plain = present.embedding is None and present.vectors.name != BUNDLED_LAYER
    return None if plain else PLAIN_VECTORS


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
    d = vectors.dim
    match name:
        case "trained":
            return _trained(vectors)
        case "exchanged":
            return exchanged(_trained(vectors), SHOWN_HEAD)
        case "glove-random":
            return Experiment(SENTENCE, vectors.ref, _drawn(d, gain=2.0), normalize="layer")
        case "tied":
            tied = _drawn(d, initializer="tied", gain=2.0)
            return Experiment(SENTENCE, vectors.ref, tied, normalize="layer")
        case "identity":
            check_shape(1, d, d, d)
            same = random_heads(1, d_model=d, d_k=d, d_v=d, initializer="identity")
            return Experiment(SENTENCE, vectors.ref, same)
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
