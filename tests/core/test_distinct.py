"""Rows that repeat are computed once and tie exactly."""

from __future__ import annotations

import numpy as np

from askew.distinct import Distinct


def test_rows_that_all_differ_are_left_as_they_are() -> None:
    matrix = np.arange(6.0).reshape(3, 2)
    distinct = Distinct(matrix)
    assert distinct.rows is matrix
    assert distinct.places is None
    assert distinct.each(matrix) is matrix
    assert distinct.square(np.eye(3)).tolist() == np.eye(3).tolist()


def test_repeated_rows_are_kept_once_and_spread_again() -> None:
    matrix = np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [5.0, 6.0], [3.0, 4.0]])
    distinct = Distinct(matrix)
    assert distinct.rows.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert distinct.each(distinct.rows).tolist() == matrix.tolist()
    products = distinct.rows @ distinct.rows.T
    assert distinct.square(products).tolist() == (matrix @ matrix.T).tolist()
    assert distinct.square(np.stack([products, 2 * products]))[1].tolist() == (2 * matrix @ matrix.T).tolist()


def test_no_rows_at_all() -> None:
    assert Distinct(np.zeros((0, 4))).rows.shape == (0, 4)
