"""What the heads are given: vectors, mask and temperature; shared while they stay the same."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from askew.distinct import Distinct
from askew.errors import ExperimentError
from askew.masks import MASKS
from askew.normalize import NORMALIZATIONS, layer_normalized
from askew.positions import Rotation, check_rotation
from askew.scoring import SCORINGS
from askew.similarity import RAWS
from askew.tokens import Token, Vocabulary, tokenize

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from askew.arrays import BoolArray, Float32, Float64, FloatArray, IntArray
    from askew.experiment import Experiment

POSITIONS = ("none", "learned", "rope")
ENCODERS = ("none",)
COMPARISONS = ("as-is", "same-scale", "matched")
QUANTITIES = ("pattern", "scores", "cosine")
UNKNOWNS = ("drop", "keep")
LARGEST_MAPS = 64_000_000

_LARGEST = float(np.finfo(np.float32).max)


class VectorTable(Vocabulary, Protocol):
    """A vocabulary that also gives the vectors of the words it finds."""

    @property
    def dim(self) -> int:
        """Numbers per word."""

    def vectors(self, words: Sequence[str]) -> Float32:
        """Return the vectors of words that `find` finds, (len(words), dim)."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The tokens, and their vectors on the way to the heads.

    Parameters
    ----------
    sentence, tokens, unknown
        All tokens; those that are rows of the maps, n of them; those without a vector.
    known
        Which of the n have a vector, (m,).
    e, x0, x
        Word vectors, what raw similarity sees, what the heads see: (m, d_model), float32.
    distinct0, distinct
        The different rows of x0 and of x, in float64, before rounding.
    distinct32
        `distinct.rows` in float32.
    rotation
        What queries and keys are turned by, where positions are rotary; then equal words differ by place.
    """

    sentence: tuple[Token, ...]
    tokens: tuple[Token, ...]
    unknown: tuple[Token, ...]
    known: IntArray
    e: Float32
    x0: Float32
    x: Float32
    distinct0: Distinct
    distinct: Distinct
    distinct32: Float32
    rotation: Rotation | None = None

    @property
    def n(self) -> int:
        """How many tokens are rows of the maps."""
        return len(self.tokens)

    def shown(self, known: FloatArray, axes: int = 2) -> Float32:
        """Return an array of the known tokens in float32, with NaN in the rows of unknown ones.

        With `axes` 2 also in their columns. What float32 cannot hold becomes its largest number.
        """
        if known.dtype != np.float32:
            known = np.clip(known, -_LARGEST, _LARGEST).astype(np.float32)
        full = np.asarray(known, dtype=np.float32)
        if len(self.known) < self.n:
            full = np.full((self.n,) * axes + known.shape[axes:], np.nan, dtype=np.float32)
            full[np.ix_(*(self.known,) * axes)] = known
        full.setflags(write=False)
        return full


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """Rows, mask (of the tokens shown, and of the known ones alone) and temperature: what all heads share."""

    rows: Rows
    mask: str
    hidden: BoolArray | None
    hidden_known: BoolArray | None
    temperature: float


def same_rows(a: Experiment, b: Experiment) -> bool:
    """Tell whether two experiments, of the same table, have the same rows."""
    return _row_fields(a) == _row_fields(b)


def read_rows(experiment: Experiment, vectors: VectorTable) -> Rows:
    """Return the rows of an experiment."""
    sentence = tokenize(experiment.text, vectors, experiment.edits)
    unknown = tuple(token for token in sentence if token.key is None and not token.left_out)
    sentence = _with_specials(experiment, sentence, vectors)
    keep = experiment.unknown == "keep"
    tokens = tuple(token for token in sentence if not token.left_out and (keep or token.key is not None))
    if all(token.special for token in tokens):
        tokens = ()
    known = np.array([i for i, token in enumerate(tokens) if token.key is not None], dtype=np.intp)
    keys = [token.key for token in tokens if token.key is not None]
    e = _frozen(np.array(vectors.vectors(keys), dtype=np.float32).reshape(len(keys), experiment.d_model))
    x0 = _x0(experiment, e.astype(np.float64), known)
    distinct = Distinct(x0)
    x = _frozen(x0.astype(np.float32))
    distinct32 = distinct.rows.astype(np.float32)
    rotation = Rotation(known) if experiment.positions == "rope" else None
    return Rows(sentence, tokens, unknown, known, e, x, x, distinct, distinct, distinct32, rotation)


def _with_specials(
    experiment: Experiment, sentence: tuple[Token, ...], vectors: VectorTable
) -> tuple[Token, ...]:
    """Put the special tokens of the model around a sentence that is not empty."""
    layer = experiment.embedding
    if layer is None or not experiment.specials or not sentence:
        return sentence
    end = len(experiment.text)
    around = [(layer.first, 0), (layer.last, end)]
    before, after = (tuple(_special(word, place, vectors) for word, place in [one] if word) for one in around)
    return (*before, *sentence, *after)


def _special(word: str, place: int, vectors: VectorTable) -> Token:
    """Return a token that stands for no text."""
    found = vectors.find(word)
    if found is None:
        return Token(word, place, place, special=True)
    return Token(word, place, place, word, found.row, special=True)


def _x0(experiment: Experiment, words: Float64, places: IntArray) -> Float64:
    """Return normalize(words + additive positions), with what the model's embedding layer has of its own."""
    layer = experiment.embedding
    if layer is None:
        return NORMALIZATIONS[experiment.normalize](words)
    words = layer.added(words)
    if experiment.positions == "learned":
        words = layer.placed(words, places.tolist())
    if experiment.normalize == "layer":
        return layer.scaled(layer_normalized(words, layer.epsilon))
    return NORMALIZATIONS[experiment.normalize](words)


def setting_of(experiment: Experiment, rows: Rows, previous: Setting | None) -> Setting:
    """Return what all heads share; `previous` itself where nothing of it has changed."""
    cells = rows.n * rows.n * len(experiment.heads)
    if cells > LARGEST_MAPS:
        raise ExperimentError(
            f"{rows.n} tokens and {len(experiment.heads)} heads make maps of {cells:,} cells, "
            f"more than the {LARGEST_MAPS:,} that can be held",
            remedy="Shorten the text, or use fewer heads",
        )
    wanted = (rows, experiment.mask, experiment.temperature)
    if previous is not None and wanted == (previous.rows, previous.mask, previous.temperature):
        return previous
    hidden = MASKS[experiment.mask](rows.n)
    hidden_known = hidden
    if hidden is not None and len(rows.known) < rows.n:
        hidden_known = hidden[np.ix_(rows.known, rows.known)]
    return Setting(rows, experiment.mask, hidden, hidden_known, experiment.temperature)


def check(experiment: Experiment, vectors: VectorTable) -> None:
    """Raise an `ExperimentError` for what cannot be computed."""
    known_name("positions", experiment.positions, POSITIONS)
    known_name("normalization", experiment.normalize, NORMALIZATIONS)
    known_name("encoder", experiment.encoder, ENCODERS)
    known_name("mask", experiment.mask, MASKS)
    known_name("raw similarity", experiment.raw, RAWS)
    known_name("comparison", experiment.compare, COMPARISONS)
    known_name("quantity", experiment.quantity, QUANTITIES)
    known_name("treatment of unknown words", experiment.unknown, UNKNOWNS)
    if experiment.context is not None:
        raise ExperimentError("a second sentence cannot be compared", remedy="Leave the context out")
    if not (math.isfinite(experiment.temperature) and experiment.temperature > 0):
        raise ExperimentError(
            f"the temperature is {experiment.temperature}",
            remedy="Choose a number above 0; 1 changes nothing",
        )
    if vectors.dim != experiment.d_model:
        raise ExperimentError(
            f"the experiment was made for vectors of {experiment.d_model} numbers, these have {vectors.dim}",
            remedy=f"Open {experiment.vectors.name}, or draw the heads anew",
        )
    _check_embedding(experiment)
    _check_heads(experiment)


def known_name(what: str, name: str, known: Collection[str]) -> None:
    """Raise an `ExperimentError` that lists the known names if `name` is not one of them."""
    if name not in known:
        raise ExperimentError(f"there is no {what} {name!r}", remedy=f"Choose one of {', '.join(known)}")


def _check_embedding(experiment: Experiment) -> None:
    """Raise where the embedding layer does not fit, or positions are asked for that it does not have."""
    layer = experiment.embedding
    if experiment.positions == "learned" and (layer is None or layer.positions is None):
        raise ExperimentError(
            "there are no learned positions for these vectors",
            remedy="Choose positions none, or start from the example trained",
        )
    if layer is not None and layer.dim not in (None, experiment.d_model):
        raise ExperimentError(
            f"the embedding layer of {layer.name} is for vectors of {layer.dim} numbers, "
            f"these have {experiment.d_model}",
            remedy="Use the vectors that belong to it",
        )


def _check_heads(experiment: Experiment) -> None:
    """Raise where there is no head, heads do not fit together, or a head is selected that there is not."""
    heads = experiment.heads
    if not heads:
        raise ExperimentError("there is no head", remedy="Use at least one")
    shapes = (experiment.d_model, heads[0].d_k), (experiment.d_model, heads[0].d_v)
    for index, head in enumerate(heads):
        known_name("scoring", head.scoring, SCORINGS)
        if (head.w_q.shape, head.w_v.shape) != shapes:
            raise ExperimentError(
                f"head {index} has w_q {head.w_q.shape} and w_v {head.w_v.shape}, "
                f"not {shapes[0]} and {shapes[1]}",
                remedy="Draw the heads anew, or choose weights that fit the vectors",
            )
    if experiment.positions == "rope":
        check_rotation(heads)
    for index in experiment.selected:
        if not 0 <= index < len(heads):
            raise ExperimentError(f"there is no head {index}", remedy=f"Choose one of 0 to {len(heads) - 1}")


def _row_fields(e: Experiment) -> tuple[object, ...]:
    """Return what decides the rows."""
    return (
        e.text,
        e.edits,
        e.vectors,
        e.positions,
        e.normalize,
        e.encoder,
        e.unknown,
        e.embedding,
        e.specials,
    )


def _frozen(array: Float32) -> Float32:
    array.setflags(write=False)
    return array
