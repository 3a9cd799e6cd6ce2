"""The words of the bundled vectors are found the same way before and after there is a table of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from askew.vectors import bundled, open_vectors
from askew.vectors.bundled import LinesIndex
from askew.vectors.table import DictIndex

WORDS = ["the", "then", "he", "ä", "猫", "a b", "t", "he\u0085", "\u2028"]


@given(word=st.sampled_from(WORDS) | st.text(alphabet="the \n猫ä\ud800", max_size=4))
def test_a_word_has_the_same_row_in_the_text_and_in_the_table(word: str) -> None:
    index = LinesIndex("\n".join(WORDS).encode())
    assert index.row(word) == DictIndex(WORDS).row(word)


def test_after_many_words_a_table_is_made_and_says_the_same() -> None:
    words = [f"word{number}" for number in range(500)]
    index = LinesIndex("\n".join(words).encode())
    assert [index.row(word) for word in words] == list(range(500))
    assert index._table is not None
    assert len(index._found) == bundled.MANY
    assert index.row("word499") == 499
    assert index.row("nothing") is None


def test_of_a_repeated_word_the_first_row_counts() -> None:
    index = LinesIndex(b"a\nb\na")
    assert index.row("a") == 0
    assert len(index) == 3
    assert index.word(2) == "a"


def test_the_bundled_words_are_where_they_were() -> None:
    vectors = open_vectors("glove-6b-50d")
    assert len(vectors) == 50_000
    for word in ("the", "animal", "street"):
        found = vectors.find(word)
        assert found is not None
        assert found.row is not None
        assert vectors.word(found.row) == word
    assert vectors.find("the\nof") is None
