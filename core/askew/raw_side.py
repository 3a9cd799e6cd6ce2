"""The raw side of the comparison: similarity of the token vectors themselves."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

from askew import similarity
from askew.attention import softmax
from askew.blas import one_thread

if TYPE_CHECKING:
    from askew.arrays import Float32, Float64
    from askew.inputs import Setting


class RawSide:
    """Similarity with no projection, each map (n, n); computed in float64 when first asked for.

    The maps whose names end in 64 are float64 and of the known tokens alone.

    Attributes
    ----------
    kind
        Which similarity `scores` is: a name of `askew.similarity.RAWS`.
    """

    def __init__(self, setting: Setting, kind: str) -> None:
        self.kind = kind
        self._setting = setting

    def of_kind(self, kind: str) -> RawSide:
        """Return the raw side with other `scores`; all that has been computed is shared."""
        if kind == self.kind:
            return self
        other = RawSide(self._setting, kind)
        other.__dict__.update({name: value for name, value in vars(self).items() if name not in vars(other)})
        return other

    @cached_property
    @one_thread()
    def dot64(self) -> Float64:
        """X0·X0ᵀ."""
        distinct = self._setting.rows.distinct0
        return distinct.square(similarity.dot(distinct.rows))

    @cached_property
    def scaled64(self) -> Float64:
        """X0·X0ᵀ / √d_model."""
        return self.dot64 / math.sqrt(self._setting.rows.x0.shape[1])

    @cached_property
    @one_thread()
    def cosine64(self) -> Float64:
        """Cosines; NaN for vectors of zeros."""
        distinct = self._setting.rows.distinct0
        return distinct.square(similarity.cosine(distinct.rows))

    @cached_property
    def pattern64(self) -> Float64:
        """Softmax of `scaled64` under the mask and temperature of the heads."""
        return softmax(self.scaled64, self._setting.hidden_known, self._setting.temperature)

    @property
    def scores64(self) -> Float64:
        """The similarity that `kind` names."""
        if self.kind == "cosine":
            return self.cosine64
        return self.dot64 if self.kind == "dot" else self.scaled64

    @cached_property
    def dot(self) -> Float32:
        """X0·X0ᵀ."""
        return self._setting.rows.shown(self.dot64)

    @cached_property
    def scaled(self) -> Float32:
        """X0·X0ᵀ / √d_model."""
        return self._setting.rows.shown(self.scaled64)

    @cached_property
    def cosine(self) -> Float32:
        """Cosines; NaN for vectors of zeros."""
        return self._setting.rows.shown(self.cosine64)

    @property
    def scores(self) -> Float32:
        """The similarity that the experiment chose for the raw side."""
        if self.kind == "cosine":
            return self.cosine
        return self.dot if self.kind == "dot" else self.scaled

    @cached_property
    def pattern(self) -> Float32:
        """Softmax of `scaled`: what attention would be with no W at all."""
        return self._setting.rows.shown(self.pattern64)
