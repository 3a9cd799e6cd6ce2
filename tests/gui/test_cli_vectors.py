from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.gui.command_line import failure

from askew.vectors import open_vectors
from askew_gui.cli import main

CASES = Path(__file__).parents[1] / "data/cases"
EXPECTED = json.loads((CASES / "expected.json").read_text("utf-8"))
IN_FULL = {case["case"]: case for case in EXPECTED if case["case"] in {"A09", "A15", "A23", "A26b", "A04"}}


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "askew_gui", "vectors", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONWARNINGS": "error"},
    )


@pytest.mark.parametrize("case", IN_FULL.values(), ids=IN_FULL)
def test_info_tells_words_numbers_and_problems_as_json(case: dict[str, Any]) -> None:
    done = run("info", CASES / case["file"], "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["dim"] == case["dim"]
    assert told["words"] == case.get("count", len(case.get("words", [])))
    assert told["first_words"][: len(case.get("words", []))] == case.get("words", [])
    for text in case.get("must_say", []):
        assert text.lower() in (done.stdout + done.stderr).lower()


def test_info_in_words_names_format_and_problems() -> None:
    done = run("info", CASES / "A09_same_word_twice.txt")
    assert done.stdout.splitlines() == [
        "A09_same_word_twice.txt: glove, 3 words, 4 numbers per word",
        "first words: red sky tree",
        "problem: 'sky' is on line 2 and again on line 4; the first one is used",
    ]


def test_get_prints_vectors_as_they_are_in_the_file_and_null_for_other_words() -> None:
    done = run("get", CASES / "formats/w2v_text.txt", "king", "King", "--json")
    assert json.loads(done.stdout) == {"king": [0.50451, 0.68607, -0.59517, -0.022801], "King": None}
    assert run("get", "glove-6b-50d", "zzyzx").stdout == "zzyzx\tno vector\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("info", CASES / "A18a_two_files_inside.zip", "--json"), "--member: toy.6B.2d.txt, toy.6B.4d.txt"),
        (("info", CASES / "A07_short_line_mid_file.txt"), "--skip-damaged"),
        (("info", "none.txt"), "none.txt"),
        (("get", CASES / "A11c_empty.bin", "red"), "0 bytes"),
        (("import", CASES / "A11a_web_page_instead.bin"), "web page"),
    ],
)
def test_what_can_be_mended_is_one_line_and_exit_code_1(arguments: tuple[str | Path, ...], said: str) -> None:
    done = run(*arguments)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("askew: error: ")
    assert done.stderr.count("\n") == 1
    assert said in done.stderr


def test_choices_are_made_by_flags() -> None:
    done = run("info", CASES / "A18a_two_files_inside.zip", "--member", "toy.6B.4d.txt", "--json")
    assert json.loads(done.stdout)["dim"] == 4
    done = run("info", CASES / "A07_short_line_mid_file.txt", "--skip-damaged", "--json")
    assert json.loads(done.stdout)["words"] == 2


def test_import_writes_a_store_that_is_then_used(askew_home: Path) -> None:
    path = CASES / "A09_same_word_twice.txt"
    done = run("import", path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("A09_same_word_twice.txt: 3 words, 4 numbers per word\n")
    assert len(list((askew_home / "cache/vectors").iterdir())) == 1
    assert json.loads(run("info", path, "--json").stdout)["words"] == 3


def test_a_word_that_is_no_text_is_written_as_json_can_hold_it() -> None:
    done = run("get", CASES / "A01a_glove_no_header.txt", os.fsdecode(b"\xff"), "--json")
    assert (done.returncode, json.loads(done.stdout)) == (0, {"\udcff": None}), done.stderr


def test_words_that_look_blank_are_told_by_code_point() -> None:
    done = run("info", CASES / "A04_unicode_line_ends_as_words.txt")
    assert "first words: red U+0085 x" in done.stdout


def test_the_import_of_what_comes_with_the_program_says_that_it_needs_none() -> None:
    done = run("import", "glove-6b-50d")
    assert (done.returncode, done.stderr) == (
        1,
        "askew: error: glove-6b-50d: these vectors come with the program and need no import.\n",
    )


@pytest.mark.parametrize(
    ("file", "limit", "said"),
    [
        ("A01b_word2vec_with_header.txt", "2", "2 of 3 words"),
        ("A01b_word2vec_with_header.txt", "3", "3 words"),
        ("A01b_word2vec_with_header.txt", "9", "3 words"),
        ("A01a_glove_no_header.txt", "2", "the first 2 words"),
        ("A01a_glove_no_header.txt", "1", "the first word"),
    ],
)
def test_an_import_of_the_first_words_says_of_how_many(
    askew_home: Path, file: str, limit: str, said: str
) -> None:
    assert not list(askew_home.glob("cache/vectors/*"))
    for _ in ("read", "from the cache"):
        done = CliRunner().invoke(main, ["vectors", "import", str(CASES / file), "--limit", limit])
        assert (done.exit_code, done.stdout) == (0, f"{file}: {said}, 4 numbers per word\n")
    stored = open_vectors(CASES / file, limit=int(limit))
    assert list(stored) == ["red", "sky", "tree"][: int(limit)]


@pytest.mark.parametrize("command", ["info", "get", "import"])
@pytest.mark.parametrize("flag", ["--member", "--words", "--language"])
@pytest.mark.parametrize("name", ["A01a_glove_no_header.txt", "A01b_word2vec_with_header.txt"])
def test_a_flag_that_does_not_apply_is_refused(command: str, flag: str, name: str) -> None:
    words = ("red",) if command == "get" else ()
    value = str(CASES / name) if flag == "--words" else "en"
    said = failure("vectors", command, str(CASES / name), *words, flag, value)
    assert said.startswith(f"{name}: {flag} does not apply to these vectors; it is for a")
    assert f"Leave out {flag}" in said


@pytest.mark.parametrize("flag", ["--member", "--words", "--language"])
def test_a_flag_that_does_not_apply_to_bundled_vectors_is_refused(flag: str) -> None:
    assert f"{flag} does not apply" in failure("vectors", "info", "glove-6b-50d", flag, "en")


def test_a_flag_counts_where_it_applies_beside_one_that_does_not() -> None:
    archive = ("vectors", "info", str(CASES / "A18a_two_files_inside.zip"), "--member", "toy.6B.4d.txt")
    assert CliRunner().invoke(main, archive).exit_code == 0
    assert "--language does not apply" in failure(*archive, "--language", "en")
