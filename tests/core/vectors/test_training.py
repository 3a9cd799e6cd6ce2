"""Training on a text of one's own, and writing vectors to files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from askew.errors import Cancelled, VectorsError
from askew.vectors import WordVectors, open_vectors
from askew.vectors.training import Corpus, Recipe, train
from askew.vectors.writing import WRITERS, write_vectors

if TYPE_CHECKING:
    from pathlib import Path

ANIMALS, FOODS = ("cat", "dog", "horse", "cow"), ("bread", "cheese", "soup", "rice")
SMALL = Recipe(dim=12, window=2, least=2, epochs=2)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    """Return a text in which animals run and foods are eaten."""
    generator = np.random.default_rng(0)
    file = tmp_path / "farm.txt"
    lines = []
    for _ in range(1500):
        a, b = generator.choice(ANIMALS, 2)
        c, d = generator.choice(FOODS, 2)
        lines.append(f"The {a} and the {b} run in the field. They eat {c} with {d} at the table.")
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_words_that_stand_in_the_same_places_come_out_near(text: Path) -> None:
    vectors = train(text, Recipe(dim=20, epochs=6))
    assert vectors.name == "farm"
    assert {word for word, _ in vectors.neighbours("cat", 3)} == set(ANIMALS) - {"cat"}
    assert vectors.word(0) == "the"


def test_the_same_seed_gives_the_same_vectors_and_another_seed_others(text: Path) -> None:
    first, again = train(text, SMALL), train(text, SMALL)
    other = train(text, Recipe(dim=12, window=2, least=2, epochs=2, seed=1))
    assert first.fingerprint == again.fingerprint
    assert first.fingerprint != other.fingerprint


def test_progress_goes_over_all_passes_and_the_loss_falls(text: Path) -> None:
    told: list[tuple[int, int]] = []
    losses: list[tuple[int, float]] = []
    recipe = Recipe(dim=20, epochs=8, least=1)
    train(text, recipe, lambda *at: told.append(at), lambda *at: losses.append(at))
    size = text.stat().st_size
    assert told[-1] == (9 * size, 9 * size)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert [epoch for epoch, _ in losses] == list(range(1, 9))
    assert losses[-1][1] < losses[0][1]


def test_cancel_while_words_are_counted_stops_it(text: Path) -> None:
    def stop(_done: int, _total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        train(text, SMALL, stop)


def test_a_text_with_too_few_words_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "short.txt").write_text("once upon a time\n")
    with pytest.raises(VectorsError, match="0 of its words occur at least 2 times") as caught:
        train(tmp_path / "short.txt", SMALL)
    assert "longer text" in caught.value.remedy


def test_words_of_any_script_are_found_and_bytes_that_are_none_do_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "mixed.txt"
    file.write_bytes("Don’t stop, Müller! кот-д'Азур 42 हिन्दी — x_y\n".encode() + b"\xff\xfe caf\xe9\n")
    assert list(Corpus(file, Recipe(lower=True))) == [
        ["don’t", "stop", "müller", "кот-д'азур", "42", "हिन्दी", "x", "y"],
        ["caf"],
    ]
    assert next(iter(Corpus(file, Recipe(lower=False))))[2] == "Müller"


@pytest.mark.parametrize("kind", WRITERS)
@given(
    words=st.lists(st.text("abäß文'.-", min_size=1, max_size=6), min_size=2, max_size=6, unique=True),
    seed=st.integers(0, 1000),
)
def test_what_is_written_is_read_back_exactly(
    kind: str, words: list[str], seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    numbers = np.random.default_rng(seed).standard_normal((len(words), 3)).astype(np.float32)
    table = WordVectors.from_arrays(words, numbers)
    file = tmp_path_factory.mktemp("written") / "out.file"
    write_vectors(table, file, kind)
    again = open_vectors(file)
    assert list(again) == words
    assert np.array_equal(again.vectors(words), numbers)
    assert again.origin.format == kind
    assert again.report == ()


@pytest.mark.parametrize("kind", ["word2vec-text", "safetensors"])
@given(
    numbers=arrays(np.float32, (3, 2), elements=st.floats(width=32, allow_nan=False, allow_infinity=False))
)
def test_extreme_numbers_survive(
    kind: str,
    numbers: np.ndarray[tuple[int, int], np.dtype[np.float32]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    words = ["one", "two", "three"]
    file = tmp_path_factory.mktemp("written") / "out.file"
    write_vectors(WordVectors.from_arrays(words, numbers), file, kind)
    assert np.array_equal(open_vectors(file).vectors(words), numbers)


def test_gensim_reads_what_is_written(tmp_path: Path) -> None:
    from gensim.models import KeyedVectors

    numbers = np.random.default_rng(2).standard_normal((3, 5)).astype(np.float32)
    table = WordVectors.from_arrays(["red", "sky", "tree"], numbers)
    for kind in ("word2vec-text", "word2vec-binary"):
        write_vectors(table, tmp_path / kind, kind)
        read = KeyedVectors.load_word2vec_format(str(tmp_path / kind), binary=kind.endswith("binary"))
        assert list(read.index_to_key) == ["red", "sky", "tree"]
        assert np.array_equal(read.vectors, numbers)


def test_a_word_with_a_blank_has_no_place_in_binary_and_the_old_file_stays(tmp_path: Path) -> None:
    table = WordVectors.from_arrays([". .", "x"], np.ones((2, 2), dtype=np.float32))
    file = tmp_path / "out.bin"
    file.write_text("old")
    with pytest.raises(VectorsError, match="has a blank"):
        write_vectors(table, file, "word2vec-binary")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]
    write_vectors(table, file, "word2vec-text")
    assert list(open_vectors(file)) == [". .", "x"]


def test_writing_can_be_cancelled_and_leaves_nothing(tmp_path: Path) -> None:
    def stop(_done: int, _total: int) -> None:
        raise Cancelled

    table = WordVectors.from_arrays(["a", "b"], np.ones((2, 2), dtype=np.float32))
    with pytest.raises(Cancelled):
        write_vectors(table, tmp_path / "out.txt", "word2vec-text", stop)
    assert list(tmp_path.iterdir()) == []
