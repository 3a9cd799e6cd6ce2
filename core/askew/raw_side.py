"""The raw side of the comparison: similarity of the token vectors themselves."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from askew import similarity
from askew.attention import softmax

if TYPE_CHECKING:
    from askew.arrays import Float32, Float64
    from askew.inputs import Setting


class RawSide:
    """Similarity with no projection, each map (n, n); computed in float64 when first asked for.

    Attributes
    ----------
    kind
        Which similarity `scores` is: a name of `askew.similarity.RAWS`.
    """

    def __init__(self, setting: Setting, kind: str) -> None:
        self.kind = kind
        self._setting = setting

    @cached_property
    def dot64(self) -> Float64:
        """X0·X0ᵀ of the known tokens, float64."""
        return similarity.dot(self._setting.rows.x0_64)

    @cached_property
    def scaled64(self) -> Float64:
        """X0·X0ᵀ / √d_model of the known tokens, float64."""
        return self.dot64 / math.sqrt(self._setting.rows.x0_64.shape[1])

    @cached_property
    def cosine64(self) -> Float64:
        """Cosines of the known tokens, float64; NaN for vectors of zeros."""
        return similarity.cosine(self._setting.rows.x0_64)

    @property
    def scores64(self) -> Float64:
        """The similarity that `kind` names, of the known tokens, float64."""
        return (
            {"scaled": self.scaled64, "dot": self.dot64}[self.kind]
            if self.kind != "cosine"
            else self.cosine64
        )

    @cached_property
    def pattern64(self) -> Float64:
        """Softmax of `scaled64` under the mask and temperature of the heads."""
        return softmax(self.scaled64, self._setting.hidden_known, self._setting.temperature)

    @cached_property
    def dot(self) -> Float32:
        """X0·X0ᵀ."""
        return self._shown(self.dot64)

    @cached_property
    def scaled(self) -> Float32:
        """X0·X0ᵀ / √d_model."""
        return self._shown(self.scaled64)

    @cached_property
    def cosine(self) -> Float32:
        """Cosines; NaN for vectors of zeros."""
        return self._shown(self.cosine64)

    @cached_property
    def scores(self) -> Float32:
        """The similarity that the experiment chose for the raw side."""
        return {"scaled": self.scaled, "dot": self.dot}[self.kind] if self.kind != "cosine" else self.cosine

    @cached_property
    def pattern(self) -> Float32:
        """Softmax of `scaled`: what attention would be with no W at all."""
        return self._shown(self.pattern64)

    def _shown(self, known: Float64) -> Float32:
        """Return float32 over all tokens shown."""
        return self._setting.rows.spread(known.astype(np.float32))
