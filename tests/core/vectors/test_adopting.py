"""A table that goes on with its store while another thread reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from askew.vectors import WordVectors
from askew.vectors.table import ArrayRows, DictIndex

if TYPE_CHECKING:
    from collections.abc import Callable


class InterruptedIndex(DictIndex):
    """An index in the middle of whose look-up something else happens."""

    happens: Callable[[], None]

    def row(self, word: str) -> int | None:
        row = super().row(word)
        self.happens()
        return row


def rows(count: int) -> ArrayRows:
    return ArrayRows(np.arange(2.0 * count, dtype=np.float32).reshape(-1, 2))


def test_a_read_that_has_begun_ends_on_the_rows_it_began_with() -> None:
    index = InterruptedIndex(["the", "the again", "cat"])
    table = WordVectors("big", index, rows(3), fingerprint="f")
    store = WordVectors("big", DictIndex(["the", "cat"]), rows(2), fingerprint="f")
    index.happens = lambda: table.adopt(store)
    assert table.vectors(["cat"]).tolist() == [[4, 5]]
    assert table.vectors(["cat"]).tolist() == [[2, 3]]
    assert len(table) == 2


def test_a_read_that_has_begun_is_safe_while_words_are_added() -> None:
    index = InterruptedIndex(["the", "cat"])
    table = WordVectors("big", index, rows(2), fingerprint="f")
    longer = WordVectors("big", DictIndex(["the", "cat", "dog"]), rows(3), fingerprint="f")
    index.happens = lambda: table.grow(longer)
    assert table.vectors(["cat"]).tolist() == [[2, 3]]
    assert table.vectors(["dog"]).tolist() == [[4, 5]]
