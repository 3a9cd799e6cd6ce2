"""The frozen state of an experiment: all that decides what the maps show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from askew.evaluation import Evaluation, HeadResult, RawSide, evaluate

if TYPE_CHECKING:
    from askew.embedding import EmbeddingLayer
    from askew.heads import Head
    from askew.tokens import TokenEdit

__all__ = [
    "Evaluation",
    "Experiment",
    "HeadResult",
    "Quantity",
    "RawSide",
    "Stretch",
    "VectorsRef",
    "evaluate",
]

Quantity = Literal["pattern", "scores", "cosine"]
Stretch = Literal["fixed", "map", "row"]


@dataclass(frozen=True, slots=True)
class VectorsRef:
    """Which vectors an experiment was made with: name shown, hash of the content, numbers per word."""

    name: str
    fingerprint: str
    dim: int


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment; every edit makes a new one with `dataclasses.replace`.

    Parameters
    ----------
    text
        The sentence as typed.
    vectors
        Reference of the word vectors; the table itself is handed to `evaluate`.
    heads
        At least one; all of the same d_model, d_k and d_v.
    context
        A second sentence whose tokens are the keys; None compares the sentence with itself.
    edits
        What a person did to single tokens.
    selected
        Heads shown, in the order of selection; more than one shows the mean of their patterns.
    stretch
        Range of the colours of patterns: fixed 0 to 1, the map's own, or each row's own.
    embedding
        What a model does to its word vectors before its first layer; None for plain word vectors.
    specials
        Whether the special tokens of `embedding` stand around the sentence.
    """

    text: str
    vectors: VectorsRef
    heads: tuple[Head, ...]
    context: str | None = None
    edits: tuple[TokenEdit, ...] = ()
    positions: str = "none"
    normalize: str = "none"
    encoder: str = "none"
    mask: str = "none"
    temperature: float = 1.0
    raw: str = "scaled"
    compare: str = "as-is"
    quantity: Quantity = "pattern"
    selected: tuple[int, ...] = (0,)
    unknown: Literal["drop", "keep"] = "drop"
    stretch: Stretch = "fixed"
    embedding: EmbeddingLayer | None = None
    specials: bool = True

    @property
    def d_model(self) -> int:
        """Numbers per token vector."""
        return self.vectors.dim
