"""The randomness contract, drawn again with numpy alone, and what each initializer promises."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askew.errors import ExperimentError
from askew.heads import Head, Recipe
from askew.initializers import INITIALIZERS, draw_head, random_heads

SEEDS = st.integers(0, 2**31 - 1)


def same(a: Head, b: Head) -> bool:
    return all(np.array_equal(getattr(a, w), getattr(b, w)) for w in ("w_q", "w_k", "w_v"))


@given(SEEDS, st.integers(0, 70), st.sampled_from([1.0, 2.0, 0.3]))
def test_a_gaussian_head_is_what_numpy_alone_draws(seed: int, index: int, gain: float) -> None:
    head = draw_head(Recipe("gaussian", seed, index, gain), 9, 4, 5)
    g = np.random.default_rng([seed, index])
    for w, width in ((head.w_q, 4), (head.w_k, 4), (head.w_v, 5)):
        expected = (g.standard_normal((9, width)) * (gain / np.sqrt(9))).astype(np.float32)
        assert np.array_equal(w, expected)


def test_the_numbers_never_change() -> None:
    head = random_heads(2, d_model=50, d_k=10, d_v=10, seed=0)[1]
    assert head.w_q[0, :3].tolist() == pytest.approx([0.014561829, -0.13866748, -0.11560889], abs=1e-8)


@pytest.mark.parametrize("initializer", INITIALIZERS)
def test_a_head_does_not_change_when_heads_are_added(initializer: str) -> None:
    few = random_heads(2, d_model=8, d_k=4, d_v=4, seed=3, initializer=initializer)
    many = random_heads(5, d_model=8, d_k=4, d_v=4, seed=3, initializer=initializer)
    assert all(same(a, b) for a, b in zip(few, many[:2], strict=True))


def test_heads_seeds_and_matrices_all_differ() -> None:
    heads = random_heads(3, d_model=6, d_k=3, d_v=3, seed=7)
    matrices = [w for head in heads for w in (head.w_q, head.w_k, head.w_v)]
    matrices += [w for head in random_heads(3, d_model=6, d_k=3, d_v=3, seed=8) for w in (head.w_q, head.w_k)]
    assert len({w.tobytes() for w in matrices}) == 15
    again = random_heads(3, d_model=6, d_k=3, d_v=3, seed=7)
    assert all(same(a, b) for a, b in zip(heads, again, strict=True))


def test_a_head_knows_its_recipe_and_is_read_only() -> None:
    head = random_heads(2, d_model=6, d_k=3, d_v=2, seed=4, initializer="low-rank", gain=1.5, rank=2)[1]
    assert head.recipe == Recipe("low-rank", 4, 1, 1.5, 2)
    assert head.scoring == "scaled-dot"
    assert head.b_q is head.b_k is head.b_v is None
    for w in (head.w_q, head.w_k, head.w_v):
        assert w.dtype == np.float32
        assert not w.flags.writeable


def test_xavier_has_the_size_of_both_sides() -> None:
    g = np.random.default_rng([1, 0])
    head = draw_head(Recipe("xavier", 1, 0, 2.0), 8, 2, 4)
    for w, width in ((head.w_q, 2), (head.w_k, 2), (head.w_v, 4)):
        expected = g.standard_normal((8, width)) * (2.0 * np.sqrt(2 / (8 + width)))
        assert np.array_equal(w, expected.astype(np.float32))


@given(SEEDS)
def test_orthogonal_columns_are_orthonormal_and_the_diagonal_of_r_is_positive(seed: int) -> None:
    head = draw_head(Recipe("orthogonal", seed, 0, 3.0), 6, 3, 8)
    assert head.w_q.T @ head.w_q == pytest.approx(9 * np.eye(3), abs=1e-5)
    assert head.w_v @ head.w_v.T == pytest.approx(9 * np.eye(6), abs=1e-5)
    normal = np.random.default_rng([seed, 0]).standard_normal((6, 3))
    assert (np.diagonal(head.w_q.T.astype(np.float64) @ normal) > 0).all()


def test_identity_is_the_first_columns_of_the_identity() -> None:
    head = draw_head(Recipe("identity", 5, 0, 2.0), 4, 3, 4)
    assert np.array_equal(head.w_q, 2 * np.eye(4, 3))
    assert np.array_equal(head.w_k, 2 * np.eye(4, 3))
    assert np.array_equal(head.w_v, 2 * np.eye(4))


@pytest.mark.parametrize(("d_k", "d_v"), [(5, 2), (2, 5)])
def test_an_identity_with_more_columns_than_rows_is_refused(d_k: int, d_v: int) -> None:
    with pytest.raises(ExperimentError, match="5 columns and only 4 rows"):
        draw_head(Recipe("identity", 0, 0), 4, d_k, d_v)


@pytest.mark.parametrize(("rank", "d_k", "expected"), [(None, 8, 2), (None, 3, 1), (3, 8, 3), (1, 8, 1)])
def test_low_rank_has_its_rank_and_the_size_of_gaussian(rank: int | None, d_k: int, expected: int) -> None:
    g = np.random.default_rng([2, 0])
    head = draw_head(Recipe("low-rank", 2, 0, 1.5, rank), 16, d_k, d_k)
    for w in (head.w_q, head.w_k, head.w_v):
        u, v = g.standard_normal((16, expected)), g.standard_normal((expected, d_k))
        assert w == pytest.approx(u @ v / np.sqrt(expected) * 1.5 / 4, abs=1e-6)
        assert np.linalg.matrix_rank(w.astype(np.float64), tol=1e-5) == expected


def test_zero_is_zero() -> None:
    head = draw_head(Recipe("zero", 0, 0), 4, 2, 3)
    assert not head.w_q.any()
    assert not head.w_k.any()
    assert not head.w_v.any()


def test_tied_overwrites_w_k_and_leaves_the_rest_as_gaussian() -> None:
    tied, free = (draw_head(Recipe(name, 6, 1), 8, 3, 2) for name in ("tied", "gaussian"))
    assert np.array_equal(tied.w_k, tied.w_q)
    assert np.array_equal(tied.w_q, free.w_q)
    assert np.array_equal(tied.w_v, free.w_v)


def test_tau_mixes_the_key_between_free_and_tied_and_keeps_its_size() -> None:
    recipe = Recipe("tied", 6, 1)
    free = draw_head(replace(recipe, tau=0.0), 400, 100, 1)
    half = draw_head(replace(recipe, tau=0.6), 400, 100, 1)
    assert same(free, draw_head(replace(recipe, initializer="gaussian"), 400, 100, 1))
    assert half.w_k == pytest.approx(0.6 * free.w_q + 0.8 * free.w_k, abs=1e-7)
    assert half.w_k.std() == pytest.approx(free.w_k.std(), rel=0.01)


@pytest.mark.parametrize(
    ("recipe", "sizes", "said"),
    [
        (Recipe("uniform", 0, 0), (4, 2, 2), "no initializer 'uniform'.*gaussian, xavier, orthogonal"),
        (Recipe("gaussian", -1, 0), (4, 2, 2), "seed is -1"),
        (Recipe("gaussian", 0, 0, float("nan")), (4, 2, 2), "gain is nan"),
        (Recipe("low-rank", 0, 0, 1.0, 0), (4, 2, 2), "rank is 0"),
        (Recipe("tied", 0, 0, tau=1.5), (4, 2, 2), "τ is 1.5"),
        (Recipe("gaussian", 0, 0), (4, 0, 2), "d_k is 0"),
        (Recipe("gaussian", 0, 0), (4, 2, -1), "d_v is -1"),
    ],
)
def test_what_cannot_be_drawn_is_refused(recipe: Recipe, sizes: tuple[int, int, int], said: str) -> None:
    with pytest.raises(ExperimentError, match=said):
        draw_head(recipe, *sizes)


def test_no_head_at_all_is_refused() -> None:
    with pytest.raises(ExperimentError, match="at least one"):
        random_heads(0, d_model=4, d_k=2, d_v=2)
