"""Masks: True is hidden."""

from __future__ import annotations

from askew.masks import MASKS, causal, no_mask


def test_no_mask_hides_nothing() -> None:
    assert no_mask(3) is None
    assert list(MASKS) == ["none", "causal"]


def test_causal_hides_what_comes_later() -> None:
    hidden = causal(3)
    assert hidden is not None
    assert hidden.tolist() == [[False, True, True], [False, False, True], [False, False, False]]
    assert not hidden.flags.writeable
