"""What the heads are given: vectors, mask and temperature; shared while they stay the same."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from askew.errors import ExperimentError
from askew.masks import MASKS
from askew.normalize import NORMALIZATIONS
from askew.scoring import SCORINGS
from askew.similarity import RAWS
from askew.tokens import Token, Vocabulary, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from askew.arrays import BoolArray, Float32, Float64, IntArray
    from askew.experiment import Experiment

POSITIONS = ("none",)
ENCODERS = ("none",)
COMPARISONS = ("as-is", "same-scale", "matched")
QUANTITIES = ("pattern", "scores", "cosine")
UNKNOWNS = ("drop", "keep")
LARGEST_MAPS = 64_000_000

Scalar = TypeVar("Scalar", bound=np.generic)


class VectorTable(Vocabulary, Protocol):
    """A vocabulary that also gives the vectors of the words it finds."""

    @property
    def dim(self) -> int:
        """Numbers per word."""

    def vectors(self, words: Sequence[str]) -> Float32:
        """Return the vectors of words that `find` finds, (len(words), dim)."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The tokens and their vectors on the way to the heads; `x64` is x before it is rounded to float32."""

    sentence: tuple[Token, ...]
    tokens: tuple[Token, ...]
    unknown: tuple[Token, ...]
    known: IntArray
    e: Float32
    x0: Float32
    x: Float32
    x0_64: Float64
    x64: Float64

    @property
    def n(self) -> int:
        """How many tokens are rows of the maps."""
        return len(self.tokens)

    def spread(self, array: npt.NDArray[Scalar], axes: int = 2) -> npt.NDArray[Scalar]:
        """Return `array` of the known tokens with NaN rows (with `axes` 2 also columns) for unknown ones."""
        if len(self.known) == self.n:
            array.setflags(write=False)
            return array
        shape = (self.n,) * axes + array.shape[axes:]
        full = np.full(shape, np.nan, dtype=array.dtype)
        full[np.ix_(*(self.known,) * axes)] = array
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


def read_rows(experiment: Experiment, vectors: VectorTable, previous: tuple[Experiment, Rows] | None) -> Rows:
    """Return the rows of an experiment; those of `previous` where they are the same."""
    if previous is not None and _same_input(experiment, previous[0]):
        return previous[1]
    sentence = tokenize(experiment.text, vectors, experiment.edits)
    unknown = tuple(token for token in sentence if token.key is None and not token.left_out)
    keep = experiment.unknown == "keep"
    tokens = tuple(token for token in sentence if not token.left_out and (keep or token.key is not None))
    known = np.array([i for i, token in enumerate(tokens) if token.key is not None], dtype=np.intp)
    keys = [token.key for token in tokens if token.key is not None]
    e = np.array(vectors.vectors(keys), dtype=np.float32).reshape(len(keys), experiment.d_model)
    e.setflags(write=False)
    x0_64 = NORMALIZATIONS[experiment.normalize](e.astype(np.float64))
    x0 = x0_64.astype(np.float32)
    x0.setflags(write=False)
    return Rows(sentence, tokens, unknown, known, e, x0, x0, x0_64, x0_64)


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
    hidden_known = hidden if hidden is None else hidden[np.ix_(rows.known, rows.known)]
    return Setting(rows, experiment.mask, hidden, hidden_known, experiment.temperature)


def check(experiment: Experiment, vectors: VectorTable) -> None:
    """Raise an `ExperimentError` for what cannot be computed."""
    names: tuple[tuple[str, str, Iterable[str]], ...] = (
        ("positions", experiment.positions, POSITIONS),
        ("normalization", experiment.normalize, NORMALIZATIONS),
        ("encoder", experiment.encoder, ENCODERS),
        ("mask", experiment.mask, MASKS),
        ("raw similarity", experiment.raw, RAWS),
        ("comparison", experiment.compare, COMPARISONS),
        ("quantity", experiment.quantity, QUANTITIES),
        ("treatment of unknown words", experiment.unknown, UNKNOWNS),
        *(("scoring", head.scoring, SCORINGS) for head in experiment.heads),
    )
    for what, name, known in names:
        if name not in known:
            raise ExperimentError(f"there is no {what} {name!r}", remedy=f"Choose one of {', '.join(known)}")
    if experiment.context is not None:
        raise ExperimentError("a second sentence cannot be compared", remedy="Leave the context out")
    if not (math.isfinite(experiment.temperature) and experiment.temperature > 0):
        raise ExperimentError(
            f"the temperature is {experiment.temperature}",
            remedy="Choose a number above 0; 1 changes nothing",
        )
    _check_sizes(experiment, vectors)


def _check_sizes(experiment: Experiment, vectors: VectorTable) -> None:
    """Raise where table, heads and selection do not fit together."""
    if not experiment.heads:
        raise ExperimentError("there is no head", remedy="Use at least one")
    if vectors.dim != experiment.d_model:
        raise ExperimentError(
            f"the experiment was made for vectors of {experiment.d_model} numbers, these have {vectors.dim}",
            remedy=f"Open {experiment.vectors.name}, or draw the heads anew",
        )
    first = experiment.heads[0]
    shape = (experiment.d_model, first.d_k, first.d_v)
    for index, head in enumerate(experiment.heads):
        if (head.d_model, head.d_k, head.d_v) != shape:
            raise ExperimentError(
                f"head {index} has d_model, d_k, d_v of {head.d_model}, {head.d_k}, {head.d_v}, "
                f"not {shape[0]}, {shape[1]}, {shape[2]}",
                remedy="Draw the heads anew, or choose weights that fit the vectors",
            )
    for index in experiment.selected:
        if not 0 <= index < len(experiment.heads):
            raise ExperimentError(
                f"head {index} is selected", remedy=f"Choose one of 0 to {len(experiment.heads) - 1}"
            )


def _same_input(a: Experiment, b: Experiment) -> bool:
    """Tell whether two experiments have the same rows."""
    fields = ("text", "edits", "vectors", "positions", "normalize", "encoder", "unknown")
    return all(getattr(a, name) == getattr(b, name) for name in fields)
