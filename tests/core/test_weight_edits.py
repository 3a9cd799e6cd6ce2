"""Edits of single matrices, tying and blending: what changes, what stays, what is refused."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askew import weight_edits as we
from askew.arrays import frozen32
from askew.errors import WeightsError
from askew.heads import PARTS, Head, Part, Recipe
from askew.initializers import draw_head, random_heads
from askew.trained import trained_heads

EACH_PART = pytest.mark.parametrize("part", PARTS)
SEEDS = st.integers(0, 2**31 - 1)


def plain(seed: int = 3, d_model: int = 8, d_k: int = 4, d_v: int = 2) -> Head:
    return random_heads(1, d_model=d_model, d_k=d_k, d_v=d_v, seed=seed)[0]


def full(seed: int = 3) -> Head:
    """Return a head of which nothing is at its default."""
    head, g = plain(seed), np.random.default_rng(seed)
    b_q, b_k, b_v = (frozen32(g.standard_normal(size)) for size in (4, 4, 2))
    return replace(head, b_q=b_q, b_k=b_k, b_v=b_v, scoring="dot", locked=frozenset({"v"}))


def rms(matrix: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> float:
    return math.sqrt(float(np.mean(matrix.astype(np.float64) ** 2)))


def changed(before: Head, after: Head) -> set[str]:
    names = ("w_q", "w_k", "w_v", "b_q", "b_k", "b_v", "scoring", "extra", "locked")
    return {name for name in names if getattr(before, name) is not getattr(after, name)}


@EACH_PART
def test_scaling_takes_the_bias_along_and_nothing_else(part: Part) -> None:
    head = full()
    twice = we.scaled(head, part, 2.0)
    assert np.array_equal(we.matrix_of(twice, part), 2 * we.matrix_of(head, part))
    assert np.array_equal(getattr(twice, f"b_{part}"), 2 * getattr(head, f"b_{part}"))
    assert changed(head, twice) == {f"w_{part}", f"b_{part}"}
    assert twice.recipe == "edited"


@EACH_PART
def test_negating_twice_gives_the_same_numbers_back(part: Part) -> None:
    head = full()
    back = we.negated(we.negated(head, part), part)
    assert np.array_equal(we.matrix_of(back, part), we.matrix_of(head, part))
    assert np.array_equal(we.matrix_of(we.negated(head, part), part), -we.matrix_of(head, part))


def test_a_head_without_a_bias_gets_none() -> None:
    assert we.scaled(plain(), "q", 3.0).b_q is None


def test_what_changes_nothing_returns_the_same_head() -> None:
    head = full()
    square = replace(plain(d_k=8), w_q=np.eye(8, dtype=np.float32))
    zero = replace(head, w_v=np.zeros_like(head.w_v))
    assert we.scaled(head, "q", 1.0) is head
    assert we.noisy(head, "k", 0.0, 1, 0) is head
    assert we.blended(head, full(4), 0.0) is head
    assert we.blended(head, head, 0.5) is head
    assert we.transposed(square, "q") is square
    assert we.orthogonalized(square, "q") is square
    assert we.scaled(replace(zero, b_v=None), "v", 5.0).w_v is not None
    tied = replace(head, w_k=head.w_q)
    assert we.tied(tied, 1.0, 9, 0) is tied


@pytest.mark.parametrize("factor", [math.nan, math.inf, -math.inf])
def test_a_factor_that_is_no_number_is_refused(factor: float) -> None:
    with pytest.raises(WeightsError, match="the factor is"):
        we.scaled(full(), "q", factor)


def test_what_would_be_beyond_float32_is_refused_in_words() -> None:
    with pytest.raises(WeightsError, match="w_k holds a number that is not finite: row 1, column 1"):
        we.scaled(full(), "k", 1e40)
    large = replace(plain(), w_q=np.full((8, 4), 3e38, np.float32))
    with pytest.raises(WeightsError, match="w_q holds a number that is not finite"):
        we.noisy(large, "q", 10.0, 1, 0)


@EACH_PART
def test_noise_has_the_size_asked_for_and_comes_back_with_its_seed(part: Part) -> None:
    head = plain(d_model=200, d_k=30, d_v=20)
    first, again = (we.noisy(head, part, 0.5, 7, 2) for _ in range(2))
    noise = we.matrix_of(first, part) - we.matrix_of(head, part)
    assert rms(noise) == pytest.approx(0.5 * rms(we.matrix_of(head, part)), rel=0.05)
    assert np.array_equal(we.matrix_of(first, part), we.matrix_of(again, part))
    assert changed(head, first) == {f"w_{part}"}
    for seed, index in ((8, 2), (7, 3)):
        other = we.noisy(head, part, 0.5, seed, index)
        assert not np.array_equal(we.matrix_of(other, part), we.matrix_of(first, part))


def test_noise_is_never_the_draw_of_a_head_nor_the_same_in_two_matrices() -> None:
    head = draw_head(Recipe("gaussian", 7, 2), 200, 30, 30)
    noisy = we.noise_slider(head, PARTS, 7, 2)(1.0)
    noises = [we.matrix_of(noisy, part) - we.matrix_of(head, part) for part in PARTS]
    for a, b in ((noises[0], head.w_q), (noises[0], noises[1]), (noises[1], noises[2])):
        assert abs(np.corrcoef(a.ravel(), b.ravel())[0, 1]) < 0.1


def test_noise_of_one_matrix_is_that_of_all_at_once() -> None:
    head = full()
    together = we.noise_slider(head, ("q", "k"), 5, 1)(0.3)
    assert np.array_equal(together.w_k, we.noisy(head, "k", 0.3, 5, 1).w_k)


def test_noise_on_zeros_is_as_large_as_a_gaussian_draw() -> None:
    head = replace(plain(d_model=400, d_k=30), w_q=np.zeros((400, 30), np.float32))
    assert rms(we.noisy(head, "q", 1.0, 3, 0).w_q) == pytest.approx(1 / 20, rel=0.05)


@pytest.mark.parametrize("size", [-0.1, math.nan, math.inf])
def test_noise_of_no_size_is_refused(size: float) -> None:
    with pytest.raises(WeightsError, match="the size of the noise is"):
        we.noisy(full(), "q", size, 1, 0)


def test_transposing_exchanges_rows_and_columns_and_refuses_what_is_not_square() -> None:
    head = plain(d_k=8)
    assert np.array_equal(we.transposed(head, "k").w_k, head.w_k.T)
    with pytest.raises(WeightsError, match="W_v is 8 × 2") as error:
        we.transposed(head, "v")
    assert "d_v 8" in error.value.remedy


@given(SEEDS, st.integers(1, 9), st.integers(1, 12))
def test_orthogonalizing_keeps_the_rms_and_makes_columns_orthonormal(seed: int, d: int, d_k: int) -> None:
    head = plain(seed, d_model=d, d_k=d_k)
    result = we.orthogonalized(head, "q")
    w = result.w_q.astype(np.float64)
    gram = w.T @ w if d >= d_k else w @ w.T
    assert rms(result.w_q) == pytest.approx(rms(head.w_q), rel=1e-5)
    assert np.allclose(gram, np.eye(len(gram)) * gram[0, 0], atol=1e-5 * gram[0, 0])
    assert we.orthogonalized(result, "q") is result


def test_no_orthonormal_matrix_is_nearer_than_the_one_taken() -> None:
    head = plain()
    scale = rms(head.w_q) * math.sqrt(8)
    nearest = np.linalg.norm(head.w_q - we.orthogonalized(head, "q").w_q)
    g = np.random.default_rng(0)
    others = (np.linalg.qr(g.standard_normal((8, 4)))[0] * scale for _ in range(200))
    assert nearest < min(np.linalg.norm(head.w_q - other) for other in others)


def test_zeros_cannot_be_orthogonalized() -> None:
    with pytest.raises(WeightsError, match="W_q is all zeros"):
        we.orthogonalized(replace(plain(), w_q=np.zeros((8, 4), np.float32)), "q")


@given(SEEDS, st.integers(0, 20), st.floats(0, 1))
def test_tying_a_gaussian_head_gives_what_the_initializer_draws(seed: int, index: int, tau: float) -> None:
    head = draw_head(Recipe("gaussian", seed, index, gain=1.7), 6, 3, 2)
    wanted = draw_head(Recipe("tied", seed, index, gain=1.7, tau=tau), 6, 3, 2)
    tied = we.tied(head, tau, seed, index)
    assert np.array_equal(tied.w_k, wanted.w_k)
    assert np.array_equal(we.tied(wanted, 0.0, seed, index).w_k, head.w_k)
    if tied is not head:
        assert tied.recipe == wanted.recipe


@pytest.mark.parametrize("name", ["gaussian", "xavier", "orthogonal", "low-rank"])
def test_g_is_drawn_as_the_recipe_draws_w_k(name: str) -> None:
    head = draw_head(Recipe(name, 5, 1), 12, 4, 2)
    assert np.array_equal(we.tied(head, 0.0, 5, 1).w_k, head.w_k)
    other = draw_head(Recipe(name, 6, 1), 12, 4, 2).w_k
    scale = rms(head.w_q) / rms(other)
    assert np.allclose(we.tied(head, 0.0, 6, 1).w_k, other * scale, rtol=1e-5)


@pytest.mark.parametrize("tau", [0.0, 0.3, 1.0])
def test_tying_a_trained_head_keeps_the_size_of_w_q(tau: float) -> None:
    head = trained_heads()[2]
    result = we.tied(head, tau, 11, 2)
    assert rms(result.w_k) == pytest.approx(rms(head.w_q), rel=0.02)
    overlap = float(np.sum(result.w_k * head.w_q)) / (rms(head.w_q) * rms(result.w_k) * head.w_q.size)
    assert overlap == pytest.approx(tau, abs=0.02)
    assert changed(head, result) == {"w_k"}
    assert result.recipe == "edited"


def test_an_identity_is_tied_to_a_gaussian_of_its_size() -> None:
    head = draw_head(Recipe("identity", 0, 0), 8, 8, 8)
    free = we.tied(head, 0.0, 4, 0).w_k
    assert np.count_nonzero(free) == 64
    assert rms(free) == pytest.approx(rms(head.w_q), rel=1e-5)


@pytest.mark.parametrize("share", [-0.01, 1.01, math.nan])
def test_shares_outside_0_to_1_are_refused(share: float) -> None:
    with pytest.raises(WeightsError, match="τ is"):
        we.tied(full(), share, 1, 0)
    with pytest.raises(WeightsError, match="the share is"):
        we.blended(full(), full(4), share)


@given(st.floats(0.001, 0.999))
def test_a_blend_is_the_weighted_mean_of_all_numbers(share: float) -> None:
    a, b = full(1), full(2)
    blend = we.blended(a, b, share)
    for name in ("w_q", "w_k", "w_v", "b_q", "b_k", "b_v"):
        mean = (1 - share) * getattr(a, name).astype(float) + share * getattr(b, name).astype(float)
        assert np.allclose(getattr(blend, name), mean, rtol=1e-6, atol=1e-7)
    assert (blend.scoring, blend.locked, blend.recipe) == (a.scoring, a.locked, "edited")


def test_a_bias_that_one_head_lacks_is_zeros_there() -> None:
    with_bias, without = full(1), plain(2)
    assert with_bias.b_q is not None
    for a, b, share in ((with_bias, without, 0.25), (without, with_bias, 0.75)):
        blend = we.blended(a, b, share)
        assert blend.b_q is not None
        assert np.allclose(blend.b_q, 0.75 * with_bias.b_q)
    assert we.blended(without, plain(5), 0.5).b_q is None


def test_a_whole_blend_has_the_other_numbers_and_their_origin() -> None:
    a, b = full(1), plain(2)
    whole = we.blended(a, b, 1.0)
    assert whole.w_k is b.w_k
    assert whole.b_q is None
    assert (whole.recipe, whole.scoring, whole.locked) == (b.recipe, a.scoring, a.locked)


def test_heads_of_other_shapes_do_not_blend() -> None:
    with pytest.raises(WeightsError, match=r"\(8, 4, 2\) and \(8, 3, 2\) cannot be blended"):
        we.blended(plain(), plain(d_k=3), 0.5)


def test_editing_a_head_leaves_those_that_share_its_keys_alone() -> None:
    first = plain()
    second = replace(plain(4), w_k=first.w_k)
    assert second.w_k is first.w_k
    before = first.w_k.copy()
    assert not np.array_equal(we.noisy(second, "k", 1.0, 3, 1).w_k, first.w_k)
    assert np.array_equal(first.w_k, before)
