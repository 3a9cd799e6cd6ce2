"""Several sentences and sessions at once: numbered files, failures told, the rest goes on."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtGui import QImage
from tests.gui.command_line import computed, failure, run

from askew import request
from askew.examples import example
from askew.session import Session
from askew.session_file import save
from askew.token_edits import TokenEdit
from askew.vectors import open_vectors
from askew_gui import cli_batch
from askew_gui.cli_batch import Line, read_lines
from askew_gui.terminal import TerminalProgress

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

THREE = "the cat sat\n\nzzyzxq\nthe dog, naïve 猫\n"


@pytest.fixture
def text_file(tmp_path: Path) -> Path:
    path = tmp_path / "three.txt"
    path.write_text(THREE, encoding="utf-8")
    return path


@pytest.fixture
def sessions(tmp_path: Path) -> list[Path]:
    """Two sessions: the trained layer, and random heads with a word left out at another temperature."""
    made = []
    for name, table, kind, text in (
        ("warm", "minilm-l6-v2", "trained", "the cat sat"),
        ("few", "glove-6b-50d", "glove-random", "the dog sat down"),
    ):
        vectors = open_vectors(table)
        edits = (TokenEdit(0, 3, "leave-out"),) if name == "few" else ()
        one = replace(example(kind, vectors), text=text, edits=edits)
        one = replace(one, temperature=0.7 if edits else 1.0)
        save(tmp_path / f"{name}.askew", Session((one,)), {vectors.fingerprint: vectors})
        made.append(tmp_path / f"{name}.askew")
    return made


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def said(result: Result) -> list[str]:
    return result.stderr.splitlines()


def test_each_line_becomes_a_numbered_file_with_the_numbers_it_has_alone(
    text_file: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "new" / "out"
    result = run("compute", "--text-file", str(text_file), "-o", str(folder), "--example", "trained")
    assert result.exit_code == 1, "a line failed"
    assert names(folder) == ["001-the-cat-sat.json", "003-the-dog-naïve-猫.json"]
    alone = computed("--example", "trained", "--text", "the dog, naïve 猫")
    assert json.loads((folder / names(folder)[1]).read_text(encoding="utf-8")) == alone


def test_a_failed_line_is_named_and_so_are_unknown_words(text_file: Path, tmp_path: Path) -> None:
    result = run("compute", "--text-file", str(text_file), "-o", str(tmp_path / "out"))
    assert said(result)[0].startswith("askew: error: line 3: no word of the text has a vector")
    assert said(result)[1].startswith("askew: note: line 4: ")
    assert said(result)[2] == f"askew: error: 1 of 3 could not be written; the others are in {tmp_path}/out."
    assert len(said(result)) == 3
    assert result.stdout == ""


def test_all_is_well_without_a_word_on_stderr(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_bytes("\ufeffthe cat\r\nthe dog\r\n".encode())
    result = run(
        "compute", "--text-file", str(tmp_path / "t.txt"), "-o", f"{tmp_path}/out/", "--format", "npz"
    )
    assert (result.exit_code, result.stderr) == (0, "")
    with np.load(tmp_path / "out" / "001-the-cat.npz") as file:
        assert file["tokens"].tolist() == ["the", "cat"]
    assert names(tmp_path / "out") == ["001-the-cat.npz", "002-the-dog.npz"]


@pytest.mark.parametrize(("kind", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF-1.")])
def test_pictures_of_all_heads_come_out_of_every_line(kind: str, begins: bytes, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("the cat\nthe dog sat\n")
    flags = ("--format", kind, "--all-heads", "--width", "500", "--view", "difference")
    result = run("render", "--text-file", str(tmp_path / "t.txt"), "-o", str(tmp_path / "out"), *flags)
    assert (result.exit_code, result.stderr) == (0, "")
    assert names(tmp_path / "out") == [f"001-the-cat.{kind}", f"002-the-dog-sat.{kind}"]
    alone = tmp_path / f"alone.{kind}"
    assert run("render", "--text", "the dog sat", "-o", str(alone), *flags[2:]).exit_code == 0
    content = (tmp_path / "out" / f"002-the-dog-sat.{kind}").read_bytes()
    assert content == alone.read_bytes()
    assert content.startswith(begins)


def test_png_is_what_render_writes_unless_asked(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("the cat\n")
    assert (
        run("render", "--text-file", str(tmp_path / "t.txt"), "-o", str(tmp_path), "--width", "300").exit_code
        == 0
    )
    assert QImage(str(tmp_path / "001-the-cat.png")).width() == 300


# Sessions


def test_several_sessions_are_numbered_under_their_names(sessions: list[Path], tmp_path: Path) -> None:
    result = run("compute", *map(str, sessions), "-o", str(tmp_path / "out"))
    assert (result.exit_code, result.stderr) == (0, "")
    assert names(tmp_path / "out") == ["001-warm.json", "002-few.json"]
    for session, name in zip(sessions, names(tmp_path / "out"), strict=True):
        assert json.loads((tmp_path / "out" / name).read_text()) == computed(str(session))


def test_every_session_takes_every_line_as_if_it_were_alone(sessions: list[Path], tmp_path: Path) -> None:
    lines = ("the dog sat down", "the animal slept")  # the first of them is a session's own
    (tmp_path / "t.txt").write_text("\n".join(lines))
    flags = ("--text-file", str(tmp_path / "t.txt"), "-o", str(tmp_path / "out"))
    assert run("compute", *map(str, sessions), *flags).exit_code == 0
    assert names(tmp_path / "out") == [
        *("001-warm-the-dog-sat-down.json", "002-warm-the-animal-slept.json"),
        *("003-few-the-dog-sat-down.json", "004-few-the-animal-slept.json"),
    ]
    for name, (session, text) in zip(
        names(tmp_path / "out"), [(one, text) for one in sessions for text in lines], strict=True
    ):
        expected = computed(str(session), "--text", text)
        assert json.loads((tmp_path / "out" / name).read_text()) == expected
    assert "the" not in json.loads((tmp_path / "out" / names(tmp_path / "out")[2]).read_text())["tokens"]


def test_a_session_that_cannot_be_opened_leaves_the_others(sessions: list[Path], tmp_path: Path) -> None:
    broken = tmp_path / "broken.askew"
    broken.write_bytes(b"")
    (tmp_path / "t.txt").write_text("the cat\nthe dog\n")
    flags = ("--text-file", str(tmp_path / "t.txt"), "-o", str(tmp_path / "out"))
    result = run("compute", str(broken), str(sessions[0]), *flags)
    assert result.exit_code == 1
    assert said(result)[0].startswith("askew: error: broken.askew: ")
    assert said(result)[1].startswith("askew: error: 2 of 4 could not be written")
    assert names(tmp_path / "out") == ["003-warm-the-cat.json", "004-warm-the-dog.json"]


def test_vectors_and_heads_are_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []

    def counted(name: str) -> None:
        done = getattr(request, name)

        def run_it(*given: object, **named: object) -> object:
            opened.append(name)
            return done(*given, **named)

        monkeypatch.setattr(request, name, run_it)

    counted("open_vectors")
    counted("_draw")
    (tmp_path / "t.txt").write_text("the cat\n" * 12)
    flags = ("--text-file", str(tmp_path / "t.txt"), "-o", str(tmp_path / "out"), "--seed", "3")
    assert run("compute", *flags).exit_code == 0
    assert opened == ["open_vectors", "_draw"]
    assert len(names(tmp_path / "out")) == 12


def test_names_have_as_many_digits_as_the_largest_number_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli_batch, "FEWEST_DIGITS", 1)
    (tmp_path / "t.txt").write_text("the cat\n" * 10)
    assert run("compute", "--text-file", f"{tmp_path}/t.txt", "-o", f"{tmp_path}/out").exit_code == 0
    assert names(tmp_path / "out")[0] == "01-the-cat.json"
    assert names(tmp_path / "out")[-1] == "10-the-cat.json"


def test_progress_is_shown_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = []
    writing = TerminalProgress("out", "Writing")
    writing._is_terminal = True
    monkeypatch.setattr("click.echo", lambda text, **_: shown.append(text))
    writing(1, 2)
    writing.close()
    assert shown == ["\rWriting out: 50 %", "\r\x1b[K"]


# What cannot be


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--text", "the cat"), "leave one of them out"),
        (("--format", "gif"), "gif"),
        (("-o", "out.json"), "several files go into a folder, and 'out.json' is none"),
        (("-o", "-"), "'-' is none"),
    ],
)
def test_flags_that_contradict_each_other_are_wrong_usage(
    text_file: Path, flags: tuple[str, ...], message: str
) -> None:
    result = run("compute", "--text-file", str(text_file), "-o", "out", *flags)
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_format_without_a_folder_is_wrong_usage() -> None:
    assert "--format goes with" in run("compute", "-o", "a.csv", "--format", "csv").stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot read"),
        (b"", "there is no sentence in it. Write one in each line"),
        (b"\xef\xbb\xbf \r\n\t\n", "there is no sentence in it"),
        ("the cat\nnaïve\n".encode("latin-1"), "line 2 is not UTF-8"),
        ("the cat".encode("utf-16"), "line 1 is not UTF-8. Save the file as UTF-8"),
    ],
)
def test_a_file_of_sentences_that_cannot_be_read_is_said_in_a_line(
    content: bytes | None, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "t.txt"
    if content is not None:
        path.write_bytes(content)
    assert message in failure("compute", "--text-file", str(path), "-o", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_made_is_said_in_a_line(text_file: Path) -> None:
    assert "cannot write" in failure("compute", "--text-file", str(text_file), "-o", f"{text_file}/out")


def test_lines_end_as_in_a_text_editor_and_are_counted_so(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_bytes("a\x85b\r\nc\u2028d\rno\x0bend\n\n e ".encode())
    assert read_lines(str(path)) == [
        Line(1, "a\x85b"),
        Line(2, "c\u2028d"),
        Line(3, "no\x0bend"),
        Line(5, "e"),
    ]


def test_a_file_of_sentences_without_end_is_not_read(
    text_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli_batch, "LARGEST_TEXT", 5)
    assert "larger than the 5 bytes" in failure("compute", "--text-file", str(text_file), "-o", "out")
