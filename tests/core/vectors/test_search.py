from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from askew.errors import VectorsError
from askew.vectors import WordVectors, open_vectors, search

ANY = st.floats(width=32, allow_nan=False, allow_infinity=False)
COARSE = st.integers(-2, 2).map(float)
TABLES = st.integers(1, 40).flatmap(lambda n: arrays(np.float32, (n, 3), elements=COARSE))


def by_definition(
    matrix: np.ndarray, query: np.ndarray, n: int, without: int | None
) -> list[tuple[int, float]]:
    """Return rows and cosines by the plain formula, in float64."""
    ranked = []
    for row, values in enumerate(matrix.astype(np.float64)):
        norms = np.linalg.norm(values) * np.linalg.norm(query.astype(np.float64))
        if norms > 0 and row != without:
            ranked.append((row, float(values @ query.astype(np.float64) / norms)))
    return sorted(ranked, key=lambda pair: (-round(pair[1], 5), pair[0]))[:n]


@given(TABLES, arrays(np.float32, (2, 3), elements=COARSE), st.integers(1, 6), st.integers(1, 9))
def test_the_nearest_rows_are_those_of_the_full_sort(
    matrix: np.ndarray, queries: np.ndarray, n: int, block: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "BLOCK", block)
        found = search.nearest_rows(matrix, search.inverse_norms(matrix), queries, n, [0, None])
    for (rows, cosines), query, without in zip(found, queries, [0, None], strict=True):
        expected = by_definition(matrix, query, n, without)
        np.testing.assert_allclose(cosines, [cosine for _, cosine in expected], atol=1e-6)
        for row, cosine in zip(rows.tolist(), cosines.tolist(), strict=True):
            (again,) = (value for each, value in by_definition(matrix, query, 99, without) if each == row)
            assert cosine == pytest.approx(again, abs=1e-6)


@given(arrays(np.float32, (4, 3), elements=ANY))
def test_no_number_that_float32_holds_is_too_large_or_too_small(matrix: np.ndarray) -> None:
    found = search.nearest_rows(matrix, search.inverse_norms(matrix), matrix[:1], 4)
    expected = sorted((cosine for _, cosine in by_definition(matrix, matrix[0], 4, None)), reverse=True)
    np.testing.assert_allclose(found[0][1], expected, atol=2e-6)


def test_known_neighbours_of_the_bundled_vectors() -> None:
    vectors = open_vectors("glove-6b-50d")
    king = vectors.neighbours("king", 2)
    assert [word for word, _ in king] == ["prince", "queen"]
    assert [cosine for _, cosine in king] == pytest.approx([0.8236, 0.7839], abs=1e-4)
    made = vectors.vectors(["king", "man", "woman"])
    near = dict(vectors.neighbours(made[0] - made[1] + made[2], 2))
    assert near["queen"] == pytest.approx(0.8609, abs=2e-4)


def test_many_queries_at_once_give_what_each_gives_alone() -> None:
    vectors = open_vectors("glove-6b-50d")
    words = ["cat", "dog", "the", "of"]
    together = vectors.neighbours_of_many(words, 5)
    for word, found in zip(words, together, strict=True):
        alone = vectors.neighbours(word, 5)
        assert [each for each, _ in found] == [each for each, _ in alone]
        assert [cosine for _, cosine in found] == pytest.approx([cosine for _, cosine in alone], abs=1e-6)


def test_the_first_rows_alone_can_be_searched() -> None:
    vectors = open_vectors("glove-6b-50d")
    (found,) = vectors.neighbours_of_many(["king"], 3, first=1000)
    assert all((row := vectors.find(word)) and row.row is not None and row.row < 1000 for word, _ in found)


def test_a_zero_vector_is_no_neighbour_and_has_none() -> None:
    matrix = np.array([[1, 0], [1, 1], [0, 0]], dtype=np.float32)
    vectors = WordVectors.from_arrays(["a", "b", "zero"], matrix)
    ((word, cosine),) = vectors.neighbours("a")
    assert word == "b"
    assert cosine == pytest.approx(0.70710678)
    assert vectors.neighbours("zero") == []


def test_a_query_of_another_length_or_an_unknown_word_is_an_error() -> None:
    vectors = WordVectors.from_arrays(["a"], np.ones((1, 2), dtype=np.float32))
    with pytest.raises(VectorsError, match="shape"):
        vectors.neighbours(np.ones(3, dtype=np.float32))
    with pytest.raises(VectorsError, match="no vector"):
        vectors.neighbours("b")


def test_completions_come_in_the_order_of_the_table() -> None:
    vectors = open_vectors("glove-6b-50d")
    assert vectors.completions("wom", 3) == ["women", "woman", "womb"]
