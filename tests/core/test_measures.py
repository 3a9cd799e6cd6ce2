"""Every measure: values worked by hand, laws, and scipy as a second opinion."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from askew import measures as m

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askew.arrays import BoolArray, Float64

WORKED = np.array([[0.5, 0.25, 0.25], [0.0, 0.0, 1.0], [0.25, 0.25, 0.5]])


def softmax(scores: Float64) -> Float64:
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(e / e.sum(axis=-1, keepdims=True))


def scores_of(n: int, seed: int, columns: int | None = None) -> Float64:
    return np.random.default_rng(seed).standard_normal((n, columns or n))


def measured(
    s: Float64,
    a: Float64,
    raw: Float64,
    cosines: Float64,
    *,
    hidden: BoolArray | None = None,
    rows: Sequence[int] | None = None,
    square: bool = True,
) -> m.Measures:
    return m.measure_head(
        scores=s,
        pattern=a,
        raw_pattern=raw,
        matched_pattern=raw,
        cosines=cosines,
        tokens=[f"w{j}" for j in range(s.shape[1])],
        hidden=hidden,
        rows=rows,
        square=square,
    )


seeds = st.integers(0, 2**32)
sizes = st.integers(2, 9)


def test_self_weight_is_the_mean_of_the_diagonal() -> None:
    assert m.self_weight(WORKED) == pytest.approx(1 / 3)


def test_self_first_counts_rows_whose_own_weight_is_largest() -> None:
    assert m.self_first(WORKED) == pytest.approx(2 / 3)


def test_self_first_counts_ties_of_repeated_words() -> None:
    assert m.self_first([[0.5, 0.5], [0.5 + 4e-10, 0.5 - 4e-10]]) == 1.0
    assert m.self_first([[0.5, 0.5], [0.5 + 4e-9, 0.5 - 4e-9]]) == 0.5


def test_sharpness_is_one_minus_the_mean_evenness() -> None:
    row = 1.5 * math.log(2) / math.log(3)
    assert m.sharpness(WORKED) == pytest.approx(1 - (row + 0 + row) / 3)


def test_sharpness_of_a_masked_row_is_measured_against_the_keys_it_sees() -> None:
    hidden = np.triu(np.ones((3, 3), dtype=bool), 1)
    pattern = [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [1.0, 0.0, 0.0]]
    # The first row sees one key and says nothing; the second is even, the third looks at one of three.
    assert m.sharpness(pattern, hidden) == pytest.approx(0.5)


@given(sizes, seeds)
def test_asymmetry_is_zero_of_symmetric_and_one_of_skew_scores(n: int, seed: int) -> None:
    s = scores_of(n, seed)
    assert m.asymmetry(s + s.T) == 0.0
    assert m.asymmetry(s - s.T) == pytest.approx(1.0)
    assert m.asymmetry(s) == pytest.approx(1 - np.sum(((s + s.T) / 2) ** 2) / np.sum(s**2))


def test_asymmetry_is_a_quarter_of_the_squared_norm_ratio() -> None:
    assert m.asymmetry([[0.0, 1.0], [0.0, 0.0]]) == pytest.approx(0.5)


@given(sizes, seeds)
def test_pairing_asymmetry_ignores_row_constants_and_popular_keys(n: int, seed: int) -> None:
    s = scores_of(n, seed)
    rows, columns = scores_of(n, seed + 1)[:1].T, scores_of(n, seed + 2)[:1]
    expected = m.pairing_asymmetry(s)
    assert expected is not None
    assert m.pairing_asymmetry(s + rows + columns) == pytest.approx(expected, abs=1e-9)
    symmetric = m.pairing_asymmetry(s + s.T + rows)
    assert symmetric == pytest.approx(0.0, abs=1e-12), "a symmetric score gives this very pattern"


@given(st.integers(3, 9), seeds)
def test_scores_without_pairing_asymmetry_have_a_symmetric_score_with_the_same_pattern(
    n: int, seed: int
) -> None:
    s = scores_of(n, seed)
    popular = scores_of(n, seed + 1)[:1]
    s = s + s.T + popular
    assert m.pairing_asymmetry(s) == pytest.approx(0.0, abs=1e-12)
    symmetric = s + popular.T
    np.testing.assert_allclose(symmetric, symmetric.T)
    np.testing.assert_allclose(softmax(s), softmax(symmetric), atol=1e-12)


def test_pairing_asymmetry_of_three_tokens_in_a_circle_is_one() -> None:
    assert m.pairing_asymmetry([[0, 1, -1], [-1, 0, 1], [1, -1, 0]]) == pytest.approx(1.0)


def test_distance_weighs_how_far_each_token_is() -> None:
    assert m.distance(WORKED) == pytest.approx((0.75 + 1.0 + 0.75) / 3)


def test_previous_next_and_first_are_means_over_rows_that_have_one() -> None:
    assert m.previous_weight(WORKED) == pytest.approx((0.0 + 0.25) / 2)
    assert m.next_weight(WORKED) == pytest.approx((0.25 + 1.0) / 2)
    assert m.first_weight(WORKED) == pytest.approx(0.25)


def test_a_token_without_a_vector_stands_between_its_neighbours() -> None:
    rows = (1, 2, 4)  # the first and the fourth of five tokens shown have no vector
    assert m.distance(WORKED, rows) == pytest.approx((0.25 + 3 * 0.25 + 2 * 1.0 + 3 * 0.25 + 2 * 0.25) / 3)
    assert m.previous_weight(WORKED, rows) == pytest.approx(0.0)
    assert m.next_weight(WORKED, rows) == pytest.approx(0.25)
    assert m.first_weight(WORKED, rows) is None
    assert m.previous_weight(WORKED, (0, 2, 4)) is None


def test_sink_is_the_largest_column_mean_and_its_column() -> None:
    assert m.sink(WORKED) == (1.75 / 3, 2)


def test_sink_of_equal_columns_is_the_first() -> None:
    assert m.sink(np.full((3, 3), 0.25)) == (0.25, 0)


def test_divergence_is_zero_of_equal_and_one_of_disjoint_rows() -> None:
    assert m.divergence(WORKED, WORKED) == 0.0
    assert m.divergence([[1.0, 0.0]], [[0.0, 1.0]]) == 1.0


@given(sizes, sizes, seeds)
def test_divergence_is_the_row_mean_of_scipys_squared_distance(n: int, columns: int, seed: int) -> None:
    from scipy.spatial.distance import jensenshannon

    a, b = softmax(scores_of(n, seed, columns)), softmax(scores_of(n, seed + 1, columns))
    expected = np.mean([jensenshannon(p, q, base=2) ** 2 for p, q in zip(a, b, strict=True)])
    assert m.divergence(a, b) == pytest.approx(expected, abs=1e-9)


@given(st.integers(3, 9), seeds)
def test_rank_agreement_is_scipys_spearman_of_the_off_diagonal(n: int, seed: int) -> None:
    from scipy.stats import spearmanr

    s, c = np.round(scores_of(n, seed), 1), np.round(np.tanh(scores_of(n, seed + 1)), 1)
    pairs = ~np.eye(n, dtype=bool)
    assume(np.ptp(s[pairs]) > 0 and np.ptp(c[pairs]) > 0)
    expected = spearmanr(np.rint(s[pairs] / (1e-5 * abs(s[pairs]).max())), c[pairs]).statistic
    assert m.rank_agreement(s, c) == pytest.approx(expected, abs=1e-12)


def test_rank_agreement_ties_scores_that_differ_by_rounding_only() -> None:
    cosines = np.array([[1, 0.3, 0.2], [0.3, 1, 0.1], [0.2, 0.1, 1]])
    noise = np.array([[0, 1e-7, -1e-7], [2e-7, 0, 0], [0, -2e-7, 0]])
    assert m.rank_agreement(cosines + noise, cosines) == pytest.approx(1.0)


def test_rank_agreement_leaves_out_undefined_pairs() -> None:
    cosines = np.array([[1, 0.3, 0.2, np.nan], [0.3, 1, 0.1, np.nan], [0.2, 0.1, 1, np.nan], [np.nan] * 4])
    scores = np.nan_to_num(cosines, nan=-7.0)
    assert m.rank_agreement(scores, cosines) == pytest.approx(1.0)
    assert m.rank_agreement(np.ones((4, 4)), cosines) is None


def test_top3_overlap_counts_shared_keys_without_the_token_itself() -> None:
    pattern = np.array(
        [
            [0.1, 0.4, 0.3, 0.15, 0.05],
            [0.4, 0.1, 0.05, 0.3, 0.15],
            [0.4, 0.3, 0.1, 0.15, 0.05],
            [0.4, 0.3, 0.15, 0.1, 0.05],
            [0.4, 0.3, 0.15, 0.05, 0.1],
        ]
    )
    cosines = np.array(
        [
            [1.0, 0.9, 0.8, 0.7, 0.6],  # top 1 2 3, attended 1 2 3
            [0.9, 1.0, 0.8, 0.7, 0.6],  # top 0 2 3, attended 0 3 4: two
            [0.5, 0.6, 1.0, 0.7, 0.8],  # top 4 3 1, attended 0 1 3: two
            [0.5, 0.5, 0.5, 1.0, 0.5],  # ties: 0 1 2, attended 0 1 2
            [0.1, 0.2, 0.3, 0.4, 1.0],  # top 3 2 1, attended 0 1 2: two
        ]
    )
    assert m.top3_overlap(pattern, cosines) == pytest.approx((3 + 2 + 2 + 3 + 2) / 15)


def test_top3_overlap_of_two_tokens_is_one_of_one() -> None:
    assert m.top3_overlap(np.full((2, 2), 0.5), np.eye(2)) == 1.0


def test_top3_overlap_orders_weights_far_below_one() -> None:
    pattern = np.array([[1.0, 1e-14, 1e-13, 1e-12, 1e-11]] * 5)
    cosines = np.array([[0.0, 0.1, 0.2, 0.3, 0.4]] * 5)
    hidden = np.ones((5, 5), dtype=bool)
    hidden[0] = False
    assert m.top3_overlap(pattern, cosines, hidden) == 1.0


def test_energies_of_a_worked_matrix() -> None:
    # μ = 4, r = ∓2, c = ∓1, I = ±1: energies 2·8, 2·2 and 4.
    assert m.energies([[2.0, 2.0], [4.0, 8.0]]) == pytest.approx((16 / 24, 4 / 24, 4 / 24))


def test_energies_of_a_rectangle_count_every_cell() -> None:
    # r = ∓1 over three columns, c = −1, 0, 1 over two rows.
    assert m.energies([[-2.0, -1.0, 0.0], [0.0, 1.0, 2.0]]) == pytest.approx((0.6, 0.4, 0.0))


@given(sizes, sizes, seeds)
def test_energies_sum_to_one_and_are_those_of_the_parts(n: int, columns: int, seed: int) -> None:
    s = scores_of(n, seed, columns)
    shares = m.energies(s)
    assert shares is not None
    assert sum(shares) == pytest.approx(1.0)
    row, column, pairing = shares
    transposed = m.energies(s.T)
    assert transposed == pytest.approx((column, row, pairing))
    assert m.energies(3 * s + 5) == pytest.approx(shares)


def test_energies_name_the_part_that_is_there() -> None:
    up = np.arange(4.0)
    assert m.energies(np.add.outer(up, np.zeros(3))) == pytest.approx((1, 0, 0))
    assert m.energies(np.add.outer(np.zeros(3), up)) == pytest.approx((0, 1, 0))
    assert m.energies(np.outer([1, -1], [1, -1])) == pytest.approx((0, 0, 1))


@pytest.mark.parametrize("value", [0.0, 0.1, -3.7e4])
def test_constant_scores_have_no_energies_and_no_pairing(value: float) -> None:
    s = np.full((5, 5), value)
    assert m.energies(s) is None
    assert m.pairing_asymmetry(s) is None
    assert m.rank_agreement(s, scores_of(5, 0)) is None
    assert m.asymmetry(s) == (None if value == 0 else 0.0)


def test_diversity_is_zero_of_equal_and_one_of_disjoint_heads() -> None:
    left, right = np.tile([1.0, 0.0], (3, 1)), np.tile([0.0, 1.0], (3, 1))
    np.testing.assert_allclose(m.diversity([left, left, right]), [[0, 0, 1], [0, 0, 1], [1, 1, 0]])


def test_effective_heads_counts_heads_that_differ() -> None:
    one, two = np.tile([1.0, 0.0], (3, 1)), np.tile([0.0, 1.0], (3, 1))
    assert m.effective_heads([one, one, one]) == pytest.approx(1.0)
    assert m.effective_heads([one, two]) == pytest.approx(2.0)
    assert m.effective_heads([one, one, two]) == pytest.approx(math.exp(math.log(3) - 2 / 3 * math.log(2)))


def test_effective_heads_is_the_mean_over_rows() -> None:
    same_then_apart = [[[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]]
    assert m.effective_heads(same_then_apart) == pytest.approx(1.5)


@given(st.integers(1, 5), sizes, sizes, seeds)
def test_effective_heads_lies_between_one_and_their_number(
    heads: int, n: int, columns: int, seed: int
) -> None:
    patterns = softmax(np.random.default_rng(seed).standard_normal((heads, n, columns)))
    effective = m.effective_heads(patterns)
    assert effective is not None
    assert 1 <= effective <= heads
    diverse = m.diversity(patterns)
    np.testing.assert_array_equal(diverse, diverse.T)
    assert np.all((diverse >= 0) & (diverse <= 1))


def test_rows_that_see_no_token_are_left_out() -> None:
    blind = np.array([[0.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 0.0, 0.5]])
    hidden = blind == 0
    assert m.self_weight(blind) == 0.5
    assert m.self_first(blind) == 1.0
    assert m.sharpness(blind, hidden) == pytest.approx(0.0)
    assert m.distance(blind) == 0.75
    assert m.previous_weight(blind) == pytest.approx(0.25)
    assert m.next_weight(blind) == 0.0
    assert m.first_weight(blind) == 0.5
    assert m.sink(blind) == (0.5, 0)
    assert m.divergence(blind, blind) == 0.0
    assert m.divergence(blind, WORKED) == m.divergence(blind[1:], WORKED[1:])
    assert m.top3_overlap(blind, np.eye(3), hidden) == 1.0
    assert m.effective_heads([blind, blind]) == pytest.approx(1.0)


def test_no_row_that_sees_anything_leaves_every_measure_of_patterns_undefined() -> None:
    found = measured(np.eye(3), np.zeros((3, 3)), np.eye(3), np.eye(3), hidden=np.ones((3, 3), dtype=bool))
    assert found.self_weight is found.self_first is found.sharpness is found.distance is None
    assert found.previous is found.next is found.first is found.divergence is found.top3_overlap is None
    assert found.sink == m.Sink(None, None, None)
    assert found.asymmetry == 0.0


def test_a_single_token_has_only_what_needs_no_other() -> None:
    one = np.ones((1, 1))
    found = measured(3 * one, one, one, one)
    assert found.sharpness is found.rank_agreement is found.top3_overlap is found.pairing_asymmetry is None
    assert found.energy == m.Energy(None, None, None)
    assert found.previous is found.next is None
    assert (found.self_weight, found.self_first, found.first, found.distance) == (1.0, 1.0, 1.0, 0.0)
    assert (found.asymmetry, found.divergence, found.sink) == (0.0, 0.0, m.Sink(1.0, "w0", 0))


def test_no_token_at_all_leaves_everything_undefined() -> None:
    nothing = np.zeros((0, 0))
    assert measured(nothing, nothing, nothing, nothing) == m.Measures()


@pytest.mark.parametrize("columns", [3, 5])
def test_two_sentences_have_no_measure_that_needs_a_square(columns: int) -> None:
    s = scores_of(3, 1, columns)
    found = measured(s, softmax(s), softmax(0 * s), np.tanh(s), square=False)
    undefined = {field.name for field in fields(found) if getattr(found, field.name) is None}
    assert undefined == {
        "self_weight",
        "self_first",
        "asymmetry",
        "pairing_asymmetry",
        "distance",
        "previous",
        "next",
        "rank_agreement",
        "top3_overlap",
    }


def test_each_function_is_undefined_of_a_rectangle_where_it_needs_a_square() -> None:
    s = scores_of(3, 1, 5)
    a, c = softmax(s), np.tanh(s)
    assert measured(s, a, a, c) == measured(s, a, a, c, square=False)


def test_the_sink_is_named_by_its_row_among_all_tokens_shown() -> None:
    found = measured(scores_of(3, 1), WORKED, WORKED, np.eye(3), rows=[0, 2, 5])
    assert found.sink == m.Sink(1.75 / 3, "w2", 5)


def test_tokens_without_a_value_are_left_out_of_the_measures_of_scores() -> None:
    s = scores_of(5, 3)
    holed = s.copy()
    holed[2] = holed[:, 2] = np.nan
    rest = np.delete(np.delete(s, 2, 0), 2, 1)
    assert m.asymmetry(holed) == m.asymmetry(rest)
    assert m.pairing_asymmetry(holed) == m.pairing_asymmetry(rest)
    assert m.energies(holed) == m.energies(rest)


def test_a_row_without_a_value_takes_its_column_along_where_a_square_is_needed() -> None:
    s = scores_of(5, 3)
    holed = s.copy()
    holed[2] = np.nan
    rest = np.delete(np.delete(s, 2, 0), 2, 1)
    assert m.asymmetry(holed) == m.asymmetry(rest)
    assert m.pairing_asymmetry(holed.T) == m.pairing_asymmetry(rest.T)
    assert m.energies(holed) == m.energies(np.delete(s, 2, 0))


@given(arrays(np.float64, (4, 4), elements=st.floats(-50, 50, width=32)), seeds)
def test_measures_do_not_change_when_a_constant_is_added_to_a_row_of_scores(s: Float64, seed: int) -> None:
    shifted = s + np.random.default_rng(seed).integers(-8, 8, (4, 1))
    a, b = softmax(s), softmax(shifted)
    for measure in (m.self_weight, m.sharpness, m.distance, m.first_weight, m.previous_weight):
        assert measure(a) == pytest.approx(measure(b), abs=1e-9)


def test_the_table_of_the_screen_has_one_line_for_every_measure_in_order() -> None:
    assert [text.key for text in m.MEASURES] == [field.name for field in fields(m.Measures)]
    assert all(text.title and text.formula and text.explanation for text in m.MEASURES)
