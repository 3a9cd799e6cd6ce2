"""What the command line says and writes: notes, errors in one line, exit codes."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest
from tests.gui.command_line import computed, failure, run

if TYPE_CHECKING:
    from pathlib import Path


def test_unknown_words_are_named_on_stderr_and_in_the_file() -> None:
    result = run("compute", "--text", "the zzyzxq cat", "-o", "-")
    assert result.stderr == "askew: note: 1 unknown word left out: zzyzxq\n"
    data = json.loads(result.stdout)
    assert (data["tokens"], data["unknown"]) == (["the", "cat"], ["zzyzxq"])
    kept = computed("--text", "the zzyzxq cat", "--unknown", "keep")
    assert kept["tokens"] == ["the", "zzyzxq", "cat"]
    assert kept["heads"][0]["pattern"][1] == [None, None, None]


def test_a_file_is_written_whole_and_replaced(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    target.write_text("old")
    assert run("compute", "-o", str(target)).exit_code == 0
    assert json.loads(target.read_text(encoding="utf-8")) == computed()
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["out.json"]


def test_a_place_that_cannot_be_written_is_named_with_the_reason(tmp_path: Path) -> None:
    target = tmp_path / "nowhere" / "out.json"
    assert failure("compute", "-o", str(target)).startswith(
        f"cannot write {target}: no such file or directory"
    )


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--heads", "0"), "the number of heads is 0"),
        (("--d-k", "0"), "d_k is 0"),
        (("--d-v", "-3"), "d_v is -3"),
        (("--heads", "100000000"), "100,000,000 heads are more than can be shown"),
        (("--d-k", "100000000"), "50,000,002,500 numbers"),
        (("--seed", "-1"), "seed is -1"),
        (("--gain", "nan"), "gain is nan"),
        (("--gain", "inf"), "gain is inf"),
        (("--gain", "1e300"), "not finite"),
        (("--temperature", "0"), "temperature is 0"),
        (("--temperature", "-1"), "temperature is -1"),
        (("--temperature", "nan"), "temperature is nan"),
        (("--temperature", "inf"), "temperature is inf"),
        (("--init", "identity", "--d-k", "51"), "51 columns and only 50 rows"),
        (("--rank", "2"), "rank is for low-rank"),
        (("--init", "low-rank", "--rank", "0"), "rank is 0"),
        (("--init", "low-rank", "--rank", "99999999"), "Choose 1 to 10"),
        (("--text", "zzyzxq"), "no word of the text has a vector in glove-6b-50d: 'zzyzxq'"),
        (("--text", " "), "it is empty"),
        (("--vectors", "none.txt"), "none.txt"),
        (("--vectors", ""), "holds no vectors"),
        (("--weights", "none.npz"), "cannot read none.npz: no such file"),
    ],
)
@pytest.mark.parametrize("command", ["compute", "render"])
def test_what_the_user_can_mend_is_one_line_and_exit_code_one(
    command: str, flags: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    target = tmp_path / ("out.json" if command == "compute" else "out.png")
    assert said in failure(command, *flags, "-o", str(target))
    assert not target.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("compute",),
        ("compute", "-o", "out.txt"),
        ("compute", "-o", ""),
        ("compute", "-o", "-", "--heads", "many"),
        ("compute", "-o", "-", "--mask", "sideways"),
        ("compute", "-o", "-", "--example", "nothing"),
        ("compute", "-o", "-", "--positions", "alibi"),
        ("compute", "-o", "-", "s.askew", "surplus"),
        ("vectors",),
        ("vectors", "burn"),
        ("comptue",),
        ("--nonsense",),
    ],
)
def test_wrong_usage_is_exit_code_two(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Usage: askew" in result.stderr
    assert result.stdout == ""


def test_unknown_words_that_nobody_can_see_are_named_by_their_code_points() -> None:
    said = run("compute", "--text", "the \x1b cat \u202e zzyzxq", "--heads", "1", "-o", "-").stderr
    assert said == "askew: note: 3 unknown words left out: U+001B, U+202E, zzyzxq\n"


def test_version_and_list_of_vectors() -> None:
    assert run("--version").stdout.startswith(f"askew {version('askew')}\n")
    assert run("vectors", "list").stdout == (
        "glove-6b-50d\t50,000 words\t50 numbers per word\nminilm-l6-v2\t15,005 words\t384 numbers per word\n"
    )


def test_vectors_of_a_file_are_read_and_their_problems_told(tmp_path: Path) -> None:
    path = tmp_path / "toy.txt"
    path.write_text("red 0.5 -0.25 0.125 1\nsky 0 0.75 -0.5 0.25\nred 9 9 9 9\n", encoding="utf-8")
    result = run("compute", "--vectors", str(path), "--text", "red sky", "--heads", "1", "-o", "-")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["raw"]["dot"][0][0] == 1.328125
    assert result.stderr.startswith("askew: note: toy.txt: ")
    assert "red" in result.stderr
    assert "%" not in result.stderr, "progress is for terminals"
