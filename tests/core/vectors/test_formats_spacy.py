from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.vectors.written import murmur, write_spacy

from askew.errors import AskewError
from askew.vectors import ChoiceNeededError, open_vectors
from askew.vectors.formats.hashes import hashes_of
from askew.vectors.formats.packed_map import numbers_by_number

NUMBERBATCH = Path(__file__).parents[2] / "data/cases/formats/syn_numberbatch.txt"
MATRIX = np.arange(6, dtype=np.float32).reshape(3, 2)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of three words, of which two share a row."""
    write_spacy(tmp_path / "model" / "vocab", ["coffee", "spacy", "tea"], MATRIX, [2, 0, 2])
    return tmp_path / "model"


@pytest.mark.parametrize("place", ["", "vocab", "vocab/vectors"])
def test_a_spacy_folder_is_opened_from_the_model_the_vocabulary_or_the_matrix(
    folder: Path, place: str
) -> None:
    vectors = open_vectors(folder / place)
    assert list(vectors) == ["spacy", "coffee", "tea"]
    assert vectors.vectors(["coffee", "spacy", "tea"]).tolist() == [[4, 5], [0, 1], [4, 5]]
    assert (vectors.name, vectors.origin.format) == ("model", "spacy")


def test_an_installed_package_of_spacys_is_opened_too(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    folder.rename(tmp_path / "package" / "en_core_web_md-3.8.0")
    assert open_vectors(tmp_path / "package").name == "en_core_web_md-3.8.0"


def test_words_that_share_a_row_are_told(folder: Path) -> None:
    (problem,) = open_vectors(folder).report
    assert problem.message.startswith("1 word has the vector of another word, such as 'tea' that of 'coffee'")


def test_keys_without_a_word_are_told(folder: Path) -> None:
    (folder / "vocab/strings.json").write_text('["coffee", "spacy"]', "utf-8")
    vectors = open_vectors(folder)
    assert list(vectors) == ["spacy", "coffee"]
    assert "1 of the keys in key2row without a word" in vectors.report[0].message


def test_floret_vectors_are_refused_in_words(folder: Path) -> None:
    (folder / "vocab/vectors.cfg").write_text('{"mode": "floret", "minn": 4}', "utf-8")
    (folder / "vocab/key2row").unlink()
    with pytest.raises(AskewError, match=r"floret vectors, which have no row per word"):
        open_vectors(folder)


@pytest.mark.parametrize("name", ["key2row", "strings.json"])
def test_a_file_that_is_missing_is_named(folder: Path, name: str) -> None:
    (folder / "vocab" / name).unlink()
    with pytest.raises(AskewError, match=rf"lacks the file {name}"):
        open_vectors(folder)


def test_a_row_that_is_not_there_is_noticed(folder: Path) -> None:
    np.save(folder / "vocab/vectors.npy", MATRIX[:2])
    (folder / "vocab/vectors.npy").rename(folder / "vocab/vectors")
    with pytest.raises(AskewError, match=r"rows that are not in vectors"):
        open_vectors(folder)


def test_another_folder_says_what_would_be_read(tmp_path: Path) -> None:
    with pytest.raises(AskewError, match=r"no vectors that Askew knows.*key2row and strings\.json"):
        open_vectors(tmp_path)


def test_hashes_are_those_of_spacys_documentation() -> None:
    assert hashes_of([b"coffee", b"spacy", b""]).tolist() == [3197928453018144401, 10639093010105930009, 0]


@given(st.lists(st.binary(min_size=1, max_size=40), max_size=6))
def test_hashes_are_murmurhash64a_with_seed_1(words: list[bytes]) -> None:
    assert hashes_of(words).tolist() == [murmur(word) for word in words]


def test_numbers_of_messagepack_are_read_in_every_width() -> None:
    pairs = [
        (b"\x05", 5),
        (b"\xff", -1),
        (b"\xcc\xc8", 200),
        (b"\xcd\x01\x00", 256),
        (b"\xce\x00\x01\x00\x00", 65536),
        (b"\xcf" + b"\xff" * 8, (1 << 64) - 1),
        (b"\xd0\x80", -128),
        (b"\xd1\xff\x00", -256),
        (b"\xd2\x00\x00\x00\x07", 7),
        (b"\xd3" + b"\xff" * 8, -1),
    ]
    for head in (b"\x8a", b"\xde\x00\x0a", b"\xdf\x00\x00\x00\x0a"):
        data = head + b"".join(bytes([place]) + number for place, (number, _) in enumerate(pairs))
        assert numbers_by_number(data, "m") == {place: number for place, (_, number) in enumerate(pairs)}
    for broken in (b"", b"\x81", b"\x81\x01", b"\x81\x01\xcf\x00", b"\x90", b"\x81\xc0\x01"):
        with pytest.raises(AskewError, match=r"damaged or incomplete"):
            numbers_by_number(broken, "m")


def test_numberbatch_asks_for_the_language() -> None:
    with pytest.raises(ChoiceNeededError, match=r"2 languages\. Choose with --language: en, zh") as caught:
        open_vectors(NUMBERBATCH)
    assert caught.value.choices == ("en", "zh")


def test_numberbatch_words_lose_prefix_and_underscores() -> None:
    vectors = open_vectors(NUMBERBATCH, language="en")
    assert list(vectors) == ["absolute value", "king"]
    assert open_vectors(NUMBERBATCH, language="zh").get("\u732b") is not None
    with pytest.raises(ChoiceNeededError, match=r"no words of the language 'xx'"):
        open_vectors(NUMBERBATCH, language="xx")


def test_numberbatch_of_one_language_asks_nothing(tmp_path: Path) -> None:
    (tmp_path / "n.txt").write_text("/c/en/red 1 2\n/c/en/sky_#### 3 4\n", "utf-8")
    vectors = open_vectors(tmp_path / "n.txt")
    assert list(vectors) == ["red", "sky ####"]
    assert [problem.kind for problem in vectors.report] == ["digits"]


def test_damage_is_told_by_its_line_in_the_whole_file(tmp_path: Path) -> None:
    text = "4 2\n/c/de/rot 1 2\n/c/en/red 1 2\n/c/de/blau 1\n/c/en/sky 3\n"
    (tmp_path / "n.txt").write_text(text, "utf-8")
    with pytest.raises(AskewError, match=r"line 5"):
        open_vectors(tmp_path / "n.txt", language="en")
    vectors = open_vectors(tmp_path / "n.txt", language="en", skip_damaged=True)
    assert list(vectors) == ["red"]
    assert [problem.line for problem in vectors.report] == [5]


def test_many_lines_are_read_as_few_are(tmp_path: Path) -> None:
    matrix = np.random.default_rng(5).standard_normal((4000, 6)).astype(np.float32)
    lines = [f"/c/{'en' if n % 3 else 'de'}/w_{n} " + " ".join(map(str, row)) for n, row in enumerate(matrix)]
    (tmp_path / "n.txt").write_text("\n".join(["4000 6", *lines]) + "\n", "utf-8")
    vectors = open_vectors(tmp_path / "n.txt", language="en")
    kept = [n for n in range(4000) if n % 3]
    assert list(vectors) == [f"w {n}" for n in kept]
    np.testing.assert_array_equal(vectors.vectors(list(vectors)), matrix[kept])
