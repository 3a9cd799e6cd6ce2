from __future__ import annotations

import struct
import warnings
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.vectors.written import fasttext

from askew.errors import AskewError
from askew.vectors import open_vectors
from askew.vectors.formats.letters import groups_of
from askew.vectors.importing import import_vectors
from askew.vectors.store import open_store

if TYPE_CHECKING:
    from askew.arrays import Float32

CASES = Path(__file__).parents[2] / "data/cases"
TOY = CASES / "formats/fasttext_toy.bin"
A19A = CASES / "A19a_fasttext_unsupervised.bin"
PLACE_OF_DIM, PLACE_OF_BUCKETS, PLACE_OF_WORDS = 8, 40, 68


def test_vectors_are_means_of_a_words_own_row_and_its_letter_groups() -> None:
    vectors = open_vectors(A19A)
    assert vectors.vectors(["cat", "sky"]).tolist() == [[1, 2], [0, 3]]
    assert vectors.builds_from_letters


def test_unknown_words_are_built_from_letters_and_marked_so() -> None:
    vectors = open_vectors(A19A)
    built = vectors.find("sun")
    assert built is not None
    assert built.row is None
    assert "sun" not in vectors
    assert vectors.vectors(["sun", "cat"]).tolist() == [[0, 3], [1, 2]]


def test_a_word_without_any_letter_group_is_unknown() -> None:
    vectors = open_vectors(A19A)
    assert vectors.find("`") is None
    assert vectors.get("`") is None


class Keyed(Protocol):
    """What is used of gensim's FastTextKeyedVectors."""

    key_to_index: dict[str, int]
    vectors_vocab: Float32

    def __getitem__(self, word: str) -> Float32: ...


def gensims(path: Path) -> Keyed:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from gensim.models.fasttext import load_facebook_vectors

        loaded: Keyed = load_facebook_vectors(str(path))
    return loaded


@pytest.mark.parametrize("name", ["crime-and-punishment.bin", "lee_fasttext_new.bin", "toy-model.bin"])
def test_words_and_unknown_words_have_gensims_vectors_bit_for_bit(name: str) -> None:
    from gensim.test.utils import datapath

    path = Path(datapath(name))
    theirs, ours = gensims(path), open_vectors(path)
    words = [word for word in ours if word != "</s>"]  # gensim takes letters from it, fastText does not
    assert len(words) > 20
    np.testing.assert_array_equal(ours.vectors(words), [theirs[word] for word in words])
    for word in ("zzyzx", "\u00fcberraschung", "\u0447\u0435\u043b\u043e\u0432\u0435\u043a\u043e", "x" * 300):
        np.testing.assert_array_equal(ours.get(word), theirs[word])


def test_the_end_of_a_sentence_has_its_own_row_alone() -> None:
    from gensim.test.utils import datapath

    path = Path(datapath("crime-and-punishment.bin"))
    theirs = gensims(path)
    row = theirs.key_to_index["</s>"]
    np.testing.assert_array_equal(open_vectors(path).get("</s>"), theirs.vectors_vocab[row])


def test_the_store_builds_unknown_words_as_the_file_does() -> None:
    stored = open_store(import_vectors(TOY))
    assert stored is not None
    whole = open_vectors(TOY)
    np.testing.assert_array_equal(stored.vectors(list(whole)), whole.vectors(list(whole)))
    built = stored.get("zzyzx")
    assert built is not None
    np.testing.assert_array_equal(built, whole.get("zzyzx"))


def hashed(group: bytes) -> int:
    """FNV-1a with the sign of each byte extended, byte after byte."""
    value = 2166136261
    for byte in group:
        value = ((value ^ (byte | (0xFFFFFF00 if byte > 127 else 0))) * 16777619) & 0xFFFFFFFF
    return value


def by_hand(word: str, shortest: int, longest: int) -> list[int]:
    letters = [letter.encode() for letter in f"<{word}>"]
    return [
        hashed(b"".join(letters[start : start + size]))
        for start in range(len(letters))
        for size in range(max(1, shortest), longest + 1)
        if start + size <= len(letters) and not (size == 1 and (start == 0 or start + size == len(letters)))
    ]


@given(st.lists(st.text(max_size=8), max_size=5), st.integers(0, 4), st.integers(0, 6))
def test_letter_groups_are_hashed_as_fasttext_does(words: list[str], shortest: int, longest: int) -> None:
    words = [word.encode("utf-8", "replace").decode() for word in words]
    found = groups_of([word.encode() for word in words], shortest, longest)
    expected = [by_hand(word, shortest, longest) for word in words]
    assert found.counts.tolist() == [len(each) for each in expected]
    assert found.hashes.tolist() == list(chain.from_iterable(expected))


def test_a_classifier_is_refused_in_words() -> None:
    with pytest.raises(AskewError, match=r"fastText classifier \(supervised\)"):
        open_vectors(CASES / "A19b_fasttext_supervised.bin")


def test_a_quantized_model_is_refused_in_words(tmp_path: Path) -> None:
    own = np.ones((1, 2), dtype=np.float32)
    (tmp_path / "m.ftz").write_bytes(fasttext(["red"], own, own, (3, 3), quantized=True))
    with pytest.raises(AskewError, match=r"quantized fastText model"):
        open_vectors(tmp_path / "m.ftz")


@pytest.mark.parametrize("size", [5, 60, 95, 300, 900, 1200])
def test_a_file_cut_short_before_the_end_of_its_vectors_is_incomplete(size: int, tmp_path: Path) -> None:
    path = tmp_path / "cut.bin"
    path.write_bytes(TOY.read_bytes()[:size])
    with pytest.raises(AskewError, match=r"cut\.bin: .*(incomplete|do not fit)"):
        open_vectors(path)


def test_a_file_cut_short_after_its_vectors_is_used_and_that_is_told(tmp_path: Path) -> None:
    path = tmp_path / "cut.bin"
    path.write_bytes(TOY.read_bytes()[:-9])
    vectors = open_vectors(path)
    np.testing.assert_array_equal(vectors.vectors(list(vectors)), open_vectors(TOY).vectors(list(vectors)))
    assert [problem.kind for problem in vectors.report] == ["incomplete"]


@pytest.mark.parametrize("place", [PLACE_OF_DIM, PLACE_OF_BUCKETS, PLACE_OF_WORDS])
@pytest.mark.parametrize("number", [-1, 0x7FFFFFFF, 1 << 20])
def test_absurd_headers_are_refused_before_anything_is_allocated(
    place: int, number: int, tmp_path: Path
) -> None:
    data = bytearray(TOY.read_bytes())
    data[place : place + 4] = struct.pack("<i", number)
    (tmp_path / "m.bin").write_bytes(bytes(data))
    with pytest.raises(AskewError, match=r"m\.bin: the fastText file is damaged"):
        open_vectors(tmp_path / "m.bin")


def test_words_that_are_not_utf_8_are_shown_by_bytes_and_told(tmp_path: Path) -> None:
    own = np.arange(4, dtype=np.float32).reshape(2, 2)
    data = fasttext(["caf!", "red"], own, np.zeros((0, 2), np.float32), (0, 0)).replace(b"caf!", b"caf\xe9")
    (tmp_path / "m.bin").write_bytes(data)
    vectors = open_vectors(tmp_path / "m.bin")
    assert list(vectors) == ["caf\\xe9", "red"]
    assert [problem.kind for problem in vectors.report] == ["encoding"]


def test_a_model_without_letter_groups_builds_nothing(tmp_path: Path) -> None:
    own = np.ones((1, 2), dtype=np.float32)
    (tmp_path / "m.bin").write_bytes(fasttext(["red"], own, np.zeros((0, 2), np.float32), (0, 0)))
    vectors = open_vectors(tmp_path / "m.bin")
    assert not vectors.builds_from_letters
    assert vectors.find("blue") is None
