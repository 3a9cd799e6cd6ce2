"""Which keys a query may not see; True is hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from askew.arrays import BoolArray


def no_mask(n: int) -> BoolArray | None:
    """Return None: every query sees every key."""
    return None


def causal(n: int) -> BoolArray | None:
    """Return (n, n), True above the diagonal: a query sees itself and what stands before it."""
    hidden = np.arange(n)[None, :] > np.arange(n)[:, None]
    hidden.setflags(write=False)
    return hidden


MASKS: Mapping[str, Callable[[int], BoolArray | None]] = {"none": no_mask, "causal": causal}
