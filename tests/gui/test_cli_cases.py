"""Every vector file among the cases, through the commands that tell what it holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from askew_gui.cli import main

CASES = Path(__file__).parents[1] / "data/cases"
FORMATS = CASES / "formats"
LISTED = [case for case in json.loads((CASES / "expected.json").read_text("utf-8")) if case["case"][0] == "A"]
LISTED += json.loads((FORMATS / "expected.json").read_text("utf-8"))
ASKED = {"syn_numberbatch.txt": ("--language", "en")}
ANY_CASE = "load", "ask_or_say", "load_or_error", "error", "error_or_skip", "ask"


def cases(*expectations: str) -> list[Any]:
    return [
        pytest.param(case, id=case.get("case", case["file"]))
        for case in LISTED
        if case["expect"] in expectations
    ]


def run(command: str, case: dict[str, Any], *arguments: str) -> Result:
    path = (CASES if "case" in case else FORMATS) / case["file"]
    return CliRunner().invoke(
        main, ["vectors", command, str(path), *arguments, "--json"], catch_exceptions=False
    )


@pytest.mark.parametrize("case", cases(*ANY_CASE))
def test_what_must_be_said_is_said(case: dict[str, Any]) -> None:
    done = run("info", case, *ASKED.get(case["file"], ()))
    for text in case.get("must_say", []):
        assert text.lower() in done.output.lower()
    assert done.exit_code == (1 if case["expect"] in ("error", "error_or_skip", "ask") else 0)
    if done.exit_code:
        assert done.stdout == ""
        assert done.stderr.startswith("askew: error: ")
        assert done.stderr.count("\n") == 1
        assert "traceback" not in done.stderr.lower()


@pytest.mark.parametrize("case", cases("load", "ask_or_say", "load_or_error"))
def test_info_tells_what_is_in_the_file(case: dict[str, Any]) -> None:
    told = json.loads(run("info", case, *ASKED.get(case["file"], ())).stdout)
    words = case.get("words", case.get("count", told["words"]))
    assert told["words"] == (len(words) if isinstance(words, list) else words)
    if isinstance(words, list):
        assert told["first_words"] == words[:10]
    for key in ("dim", "format", "container"):
        assert told[key] == case.get(key, told[key])
    assert set(told) == {
        "format",
        "container",
        "member",
        "words",
        "dim",
        "first_words",
        "header",
        "problems",
    }
    for problem in told["problems"]:
        assert set(problem) == {"kind", "line", "word", "message"}


@pytest.mark.parametrize("case", cases("load"))
def test_get_gives_the_vectors_that_are_in_the_file(case: dict[str, Any]) -> None:
    expected = {**case.get("vectors", {}), **case.get("oov_vectors", {})}
    expected |= dict.fromkeys(case.get("oov_unknown", []))
    if "oov_vectors" not in case and case.get("format") != "fasttext-bin":  # these build other words
        expected["no such word of any file"] = None
    if not expected:
        return
    found = json.loads(run("get", case, *ASKED.get(case["file"], ()), *expected).stdout)
    assert set(found) == set(expected)
    for word, numbers in expected.items():
        if numbers is None:
            assert found[word] is None
        else:
            np.testing.assert_array_equal(np.float32(found[word]), np.float32(numbers))


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("A18a_two_files_inside.zip", "--member: toy.6B.2d.txt, toy.6B.4d.txt"),
        ("formats/syn_numberbatch.txt", "--language: en, zh"),
        ("formats/gensim_sep.kv.vectors.npy", "Open gensim_sep.kv instead"),
        ("formats/model2vec.safetensors", "--words FILE"),
    ],
)
def test_a_question_is_an_error_that_names_choices_and_flag(file: str, said: str) -> None:
    done = CliRunner().invoke(main, ["vectors", "info", str(CASES / file)])
    assert done.exit_code == 1
    assert said in done.stderr


def test_flags_answer_the_questions() -> None:
    numberbatch, matrix = str(FORMATS / "syn_numberbatch.txt"), str(FORMATS / "model2vec.safetensors")
    done = CliRunner().invoke(main, ["vectors", "get", numberbatch, "king", "--language", "en"])
    assert done.stdout == "king\t0.50451 0.68607 -0.59517 -0.022801\n"
    done = CliRunner().invoke(
        main, ["vectors", "info", matrix, "--words", str(FORMATS / "matrix_vocab.txt"), "--json"]
    )
    assert json.loads(done.stdout)["first_words"] == ["the", "king", "queen", "cat", "dog"]


def test_an_unknown_word_of_fasttext_is_built_from_letters() -> None:
    path = str(CASES / "A19a_fasttext_unsupervised.bin")
    done = CliRunner().invoke(main, ["vectors", "get", path, "sun", "`"])
    assert done.stdout == "sun\t0.0 3.0\n`\tno vector\n"
