"""The numbers of one head."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from askew.blas import one_thread
from askew.head_maps import project
from askew.scoring import SCORINGS

if TYPE_CHECKING:
    from askew.arrays import Float32, FloatArray
    from askew.head_maps import HeadMaps
    from askew.heads import Head
    from askew.measures import Measures


class HeadResult:
    """What one head makes of the tokens; what is not needed at once is computed when first asked for.

    Attributes
    ----------
    head
        The head itself.
    maps
        What does not depend on W_v, in full precision; shared with earlier results while it stays the same.
    """

    def __init__(self, head: Head, maps: HeadMaps) -> None:
        self.head = head
        self.maps = maps

    @property
    def divisor(self) -> float:
        """What the product of query and key was divided by: √d_k for `scaled-dot`, 1 for most."""
        return SCORINGS[self.head.scoring].divisor(self.head.d_k, self.head.d_model)

    @property
    def q(self) -> Float32:
        """Queries as they meet the keys, (n, d_k): after rotation where positions are rotary.

        For scoring `raw` the rows of X themselves, (n, d_model).
        """
        return self.maps.q

    @property
    def k(self) -> Float32:
        """Keys as they meet the queries, (n, d_k): after rotation where positions are rotary.

        For scoring `raw` the rows of X themselves, (n, d_model).
        """
        return self.maps.k

    @property
    def scores(self) -> Float32:
        """Scores before mask and temperature, (n, n); NaN where undefined."""
        return self.maps.scores

    @property
    def pattern(self) -> Float32:
        """Softmax of the scores over the keys, (n, n); a row that sees no token is zeros."""
        return self.maps.pattern

    @property
    def cosine(self) -> Float32:
        """Cosine of each query with each key, (n, n); NaN where one of them is zeros."""
        return self.maps.cosine

    @property
    def measures(self) -> Measures:
        """Measures of this head, in float64 from float64 scores and patterns, over the known tokens."""
        return self.maps.measures

    @cached_property
    def v(self) -> Float32:
        """Values, (n, d_v)."""
        return self.maps.setting.rows.shown(self._values, axes=1)

    @cached_property
    @one_thread()
    def outputs(self) -> Float32:
        """Pattern · V, (n, d_v)."""
        mixed = np.dot(self.maps.known_pattern, self._values)
        return self.maps.setting.rows.shown(mixed, axes=1)

    @cached_property
    @one_thread()
    def _values(self) -> FloatArray:
        """Values of the known tokens in the precision of the pattern."""
        rows = self.maps.setting.rows
        x = rows.distinct.rows.astype(self.maps.known_pattern.dtype, copy=False)
        return rows.distinct.each(project(x, self.head.w_v, self.head.b_v))
