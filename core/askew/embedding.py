"""What a model does to its word vectors before its first layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from askew.arrays import frozen32
from askew.errors import ExperimentError, WeightsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askew.arrays import Float32, Float64
    from askew.experiment import Experiment


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddingLayer:
    """The embedding layer of a model: x0 = LayerNorm(word + position + token type) · weight + bias.

    Two are the same only if they are the same object. Devlin et al. 2018, section 3, have all of it.

    Parameters
    ----------
    name
        Of the model, shown to people; for the bundled one the name of its vectors.
    positions
        A vector for each place in the sentence, (places, d_model), or None.
    token_type
        Added to every word, (d_model,), or None.
    norm_weight, norm_bias
        Scale and shift of the layer normalization, (d_model,) each, or None.
    epsilon
        Added to the variance.
    first, last
        Special tokens before and after the sentence, words of the vectors; empty for none.
    complete
        False where the model does more to its words than is known here.

    Raises
    ------
    WeightsError
        If the shapes do not fit together or a number is not finite.
    """

    name: str
    positions: Float32 | None = None
    token_type: Float32 | None = None
    norm_weight: Float32 | None = None
    norm_bias: Float32 | None = None
    epsilon: float = 1e-12
    first: str = ""
    last: str = ""
    complete: bool = True

    def __post_init__(self) -> None:
        widths = set()
        for name, axes in (("positions", 2), ("token_type", 1), ("norm_weight", 1), ("norm_bias", 1)):
            value = getattr(self, name)
            if value is None:
                continue
            array = frozen32(value)
            if array.ndim != axes or not array.size:
                raise WeightsError(f"{name} of {self.name} has shape {array.shape}")
            if not np.isfinite(array).all():
                raise WeightsError(f"{name} of {self.name} holds a number that is not finite")
            object.__setattr__(self, name, array)
            widths.add(array.shape[-1])
        if len(widths) > 1:
            raise WeightsError(f"the embedding layer of {self.name} has vectors of {sorted(widths)} numbers")

    @property
    def dim(self) -> int | None:
        """Numbers per vector; None where nothing is added and nothing scaled."""
        parts = (self.positions, self.token_type, self.norm_weight, self.norm_bias)
        return next((part.shape[-1] for part in parts if part is not None), None)

    def added(self, words: Float64) -> Float64:
        """Return word vectors (m, d_model) with the token type added."""
        return words if self.token_type is None else words + self.token_type

    def placed(self, words: Float64, places: Sequence[int]) -> Float64:
        """Return word vectors (m, d_model) with the positions of their `places` added, counted from 0.

        Raises
        ------
        ExperimentError
            If there are no positions, or a place is beyond the last of them.
        """
        if self.positions is None:
            raise ExperimentError(f"{self.name} has no learned positions", remedy="Choose other positions")
        if len(places) and max(places) >= len(self.positions):
            raise ExperimentError(
                f"the sentence has {max(places) + 1} tokens, and {self.name} knows "
                f"{len(self.positions)} positions",
                remedy="Shorten the text, or choose positions none",
            )
        return words + self.positions[list(places)]

    def scaled(self, rows: Float64) -> Float64:
        """Return normalized rows (m, d_model) with the layer's own scale and shift."""
        if self.norm_weight is not None:
            rows = rows * self.norm_weight
        return rows if self.norm_bias is None else rows + self.norm_bias


def as_model_runs(experiment: Experiment) -> bool:
    """Tell whether the heads are given what the model of the experiment gives its first layer.

    False too where there is no model, or where scoring, mask or temperature are not those of its kind.
    """
    layer = experiment.embedding
    if layer is None or not layer.complete:
        return False
    return (
        experiment.positions == ("learned" if layer.positions is not None else "none")
        and experiment.normalize == ("layer" if layer.norm_weight is not None else "none")
        and (experiment.specials or not (layer.first or layer.last))
        and (experiment.encoder, experiment.mask, experiment.temperature) == ("none", "none", 1.0)
        and all(head.scoring == "scaled-dot" for head in experiment.heads)
    )
