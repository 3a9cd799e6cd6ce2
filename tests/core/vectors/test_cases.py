from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from askew.errors import AskewError
from askew.tokens import Found
from askew.vectors import ChoiceNeededError, DamagedError, open_vectors

DATA = Path(__file__).parents[2] / "data/cases"
FORMATS = DATA / "formats"
CASES = [case for case in json.loads((DATA / "expected.json").read_text("utf-8")) if case["case"][0] == "A"]
MADE = [{**case, "case": case["file"]} for case in json.loads((FORMATS / "expected.json").read_text("utf-8"))]
ASKED: dict[str, dict[str, Any]] = {"syn_numberbatch.txt": {"language": "en"}}


def where(case: dict[str, Any]) -> Path:
    return (DATA if case["case"] != case["file"] else FORMATS) / str(case["file"])


def of(*expectations: str, having: str = "case") -> list[Any]:
    return [
        pytest.param(case, id=case["case"])
        for case in (*CASES, *MADE)
        if case["expect"] in expectations and having in case
    ]


@pytest.mark.parametrize("case", of("load", "ask_or_say", "load_or_error"))
def test_a_file_gives_the_words_and_numbers_that_are_in_it(case: dict[str, Any]) -> None:
    vectors = open_vectors(where(case), **ASKED.get(case["file"], {}))
    if isinstance(case.get("words"), list):
        assert list(vectors) == case["words"]
    elif "words" in case:
        assert len(vectors) == case["words"]
    assert vectors.dim == case.get("dim", vectors.dim)
    assert len(vectors) == case.get("count", len(vectors))
    for word in case.get("words_include", []):
        assert word in vectors
    for word, expected in case.get("vectors", {}).items():
        found = vectors.get(word)
        assert found is not None
        np.testing.assert_array_equal(found, np.array(expected, dtype=np.float32))
    for word in case.get("words_flagged", []):
        assert vectors.find(word) is None
    assert vectors.origin.format == case.get("format", vectors.origin.format)
    assert list(vectors.origin.container) == case.get("container", list(vectors.origin.container))


@pytest.mark.parametrize("case", of("load", "ask_or_say"))
def test_a_file_with_something_odd_is_reported(case: dict[str, Any]) -> None:
    vectors = open_vectors(where(case), **ASKED.get(case["file"], {}))
    said = " ".join(problem.message for problem in vectors.report).lower()
    for text in case.get("must_say", []):
        assert text.lower() in said
    assert bool(said) == ("must_say" in case)


@pytest.mark.parametrize("case", of("error", "error_or_skip"))
def test_a_file_that_cannot_be_opened_says_why(case: dict[str, Any]) -> None:
    with pytest.raises(AskewError) as caught:
        open_vectors(where(case))
    for text in (*case.get("must_say", []), case["file"]):
        assert text.lower() in str(caught.value).lower()


@pytest.mark.parametrize("case", of("error", "error_or_skip", having="words_kept"))
def test_damage_can_be_skipped_and_is_then_reported(case: dict[str, Any]) -> None:
    with pytest.raises(DamagedError):
        open_vectors(where(case))
    vectors = open_vectors(where(case), skip_damaged=True)
    assert list(vectors) == case["words_kept"]
    assert "damaged" in {problem.kind for problem in vectors.report}


def test_an_archive_of_several_files_asks_which() -> None:
    (case,) = (case for case in CASES if case["case"] == "A18a")
    with pytest.raises(ChoiceNeededError) as caught:
        open_vectors(where(case))
    assert list(caught.value.choices) == case["choices"]
    assert caught.value.flag == "--member"
    assert open_vectors(where(case), member=case["choices"][1]).dim == 4


def test_half_letters_are_kept_apart_by_their_bytes() -> None:
    vectors = open_vectors(DATA / "A15_bin_half_letters.bin")
    assert list(vectors) == ["\u0434\u043e\u043c", "\u0441\\xd1", "\u0441\\xd0"]


def test_a_file_in_another_encoding_is_read_on_request() -> None:
    vectors = open_vectors(FORMATS / "syn_latin1.txt", encoding="latin-1")
    assert list(vectors) == ["the", "caf\u00e9", "na\u00efve"]


@pytest.mark.parametrize("case", of("load", having="oov_vectors"))
def test_words_outside_the_file_are_built_from_letters(case: dict[str, Any]) -> None:
    vectors = open_vectors(where(case))
    for word, expected in case["oov_vectors"].items():
        assert word not in vectors
        assert vectors.find(word) == Found(None)
        np.testing.assert_array_equal(vectors.get(word), np.array(expected, dtype=np.float32))
    for word in case["oov_unknown"]:
        assert vectors.find(word) is None
        assert vectors.get(word) is None


def test_a_file_of_several_languages_asks_which() -> None:
    with pytest.raises(ChoiceNeededError) as caught:
        open_vectors(FORMATS / "syn_numberbatch.txt")
    assert caught.value.choices == ("en", "zh")
    english = open_vectors(FORMATS / "syn_numberbatch.txt", language="en")
    assert list(english) == ["absolute value", "king"]
    assert len(open_vectors(FORMATS / "syn_numberbatch.txt", language="zh")) == 1


def test_the_words_of_a_binary_file_can_be_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "words.bin"
    path.write_bytes("1 1\ncaf\u00e9 ".encode("latin-1") + np.array([2.5], "<f4").tobytes())
    assert list(open_vectors(path)) == ["caf\\xe9"]
    vectors = open_vectors(path, encoding="latin-1")
    assert list(vectors) == ["caf\u00e9"]
    np.testing.assert_array_equal(vectors.get("caf\u00e9"), [2.5])


@pytest.mark.parametrize("encoding", ["no-such-thing", "base64", "a\0b"])
def test_an_encoding_that_is_not_known_is_an_error(encoding: str) -> None:
    with pytest.raises(AskewError, match="no text encoding"):
        open_vectors(FORMATS / "syn_latin1.txt", encoding=encoding)


def test_a_conflict_mark_is_never_skipped() -> None:
    with pytest.raises(AskewError, match=r"line 1.*clean copy"):
        open_vectors(DATA / "A10_merge_conflict_inside.txt", skip_damaged=True)


def test_only_the_first_words_are_read_if_so_asked() -> None:
    vectors = open_vectors(FORMATS / "w2v_text.txt", limit=2)
    assert list(vectors) == ["the", "king"]
    assert [problem.kind for problem in vectors.report] == []
