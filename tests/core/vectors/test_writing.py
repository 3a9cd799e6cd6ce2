from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from askew.errors import Cancelled, VectorsError
from askew.vectors import WordVectors, files, open_vectors
from askew.vectors.writing import WRITERS, write_vectors

if TYPE_CHECKING:
    from pathlib import Path

WORDS = st.text(
    st.characters(exclude_characters=" \t\r\n", exclude_categories=["Cs"]), min_size=1, max_size=6
)
NUMBERS = st.floats(width=32, allow_nan=False, allow_infinity=False)
TABLES = st.lists(WORDS, min_size=1, max_size=20, unique=True).flatmap(
    lambda words: st.tuples(st.just(words), arrays(np.float32, (len(words), 3), elements=NUMBERS))
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(TABLES, st.sampled_from(list(WRITERS)))
def test_what_is_written_is_read_again_bit_for_bit(
    tmp_path: Path, table: tuple[list[str], np.ndarray], form: str
) -> None:
    words, matrix = table
    path = tmp_path / "saved"
    write_vectors(WordVectors.from_arrays(words, matrix), path, form)
    again = open_vectors(path)
    assert list(again) == words
    assert again.origin.format == form
    np.testing.assert_array_equal(again.vectors(words), matrix)


@pytest.mark.parametrize(
    ("word", "refused"),
    [
        ("new york", {"word2vec-binary"}),
        ("two\nlines", set(WRITERS)),
        ("blank ", {"word2vec-text", "word2vec-binary"}),
        (" blank", {"word2vec-binary"}),
        ("\nline", set(WRITERS)),
        ("carriage\rreturn", {"word2vec-text"}),
    ],
)
def test_a_word_that_a_form_cannot_hold_is_refused_and_the_old_file_stays(
    tmp_path: Path, word: str, refused: set[str]
) -> None:
    vectors = WordVectors.from_arrays(["a", word], np.eye(2, dtype=np.float32))
    for form in WRITERS:
        path = tmp_path / form
        path.write_text("old")
        if form in refused:
            with pytest.raises(VectorsError, match=r"has (a|no) (blank|line end|carriage return|place)"):
                write_vectors(vectors, path, form)
            assert path.read_text() == "old"
        else:
            write_vectors(vectors, path, form)
            assert list(open_vectors(path)) == ["a", word]


def test_an_unknown_form_is_an_error(tmp_path: Path) -> None:
    vectors = WordVectors.from_arrays(["a"], np.ones((1, 2), dtype=np.float32))
    with pytest.raises(VectorsError, match="word2vec-text, word2vec-binary, safetensors"):
        write_vectors(vectors, tmp_path / "x", "docx")


def test_vectors_that_are_only_indexed_have_to_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "words.txt"
    path.write_text("red 1 2\nsky 3 4\n")
    monkeypatch.setattr(files, "SMALL", 0)
    with pytest.raises(VectorsError, match="not read in full"):
        write_vectors(open_vectors(path), tmp_path / "x", "safetensors")


def test_writing_can_be_cancelled_and_leaves_nothing(tmp_path: Path) -> None:
    def cancel(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        write_vectors(open_vectors("glove-6b-50d"), tmp_path / "x", "word2vec-binary", cancel)
    assert list(tmp_path.iterdir()) == []
