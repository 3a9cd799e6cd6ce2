"""Starting the window from the command line, and the test of an installation."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from click.testing import CliRunner

from askew.errors import AskewError
from askew_gui import app, preflight, self_test
from askew_gui.cli import main

if TYPE_CHECKING:
    from click.testing import Result

NO_SCREEN = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, prog_name="askew")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """Return the files that windows were opened with."""
    files: list[str | None] = []

    def open_window(*, file: str | None = None) -> int:
        files.append(file)
        return 7

    monkeypatch.setattr(app, "run", open_window)
    return files


def test_askew_alone_opens_the_window_and_hands_its_exit_code_on(opened: list[str | None]) -> None:
    assert run().exit_code == 7
    assert opened == [None]


@pytest.mark.parametrize("name", ["toy.txt", "folder/plain", "compute.txt", "plain"])
def test_a_file_opens_the_window_with_it(
    opened: list[str | None], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path(name).write_text("red 1 2\n")
    assert run(name).exit_code == 7
    assert opened == [name]


def test_a_file_that_is_not_there_is_named(opened: list[str | None]) -> None:
    result = run("nosuch.txt")
    assert result.exit_code == 1
    assert result.stderr == (
        "askew: error: there is no file 'nosuch.txt'. Look at the name, or see: askew --help.\n"
    )
    assert opened == []


def test_a_mistyped_command_is_no_file(opened: list[str | None]) -> None:
    result = run("rendr")
    assert result.exit_code == 2
    assert "No such command 'rendr'" in result.stderr
    assert opened == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="displays of Linux")
class TestDisplays:
    @pytest.fixture(autouse=True)
    def _no_screen(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in NO_SCREEN:
            monkeypatch.delenv(name, raising=False)

    def test_without_a_display_it_says_so_and_what_to_do(self, opened: list[str | None]) -> None:
        result = run()
        assert result.exit_code == 1
        assert result.stderr.startswith("askew: error: there is no display here")
        assert "askew render -o" in result.stderr
        assert result.stderr.count("\n") == 1
        assert opened == []

    def test_a_process_of_its_own_ends_without_loading_qt(self) -> None:
        environment = {name: value for name, value in os.environ.items() if name not in NO_SCREEN}
        arguments = [sys.executable, "-X", "importtime", "-m", "askew_gui"]
        done = subprocess.run(
            arguments, capture_output=True, text=True, env=environment, timeout=60, check=False
        )
        assert done.returncode == 1
        assert "no window can open" in done.stderr
        assert "PySide6" not in done.stderr

    def test_a_chosen_platform_is_respected(
        self, opened: list[str | None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
        assert run().exit_code == 7

    @pytest.mark.parametrize("platform", ["", "xcb"])
    def test_a_display_that_does_not_answer_is_named(
        self, opened: list[str | None], platform: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("DISPLAY", ":987")
        monkeypatch.setenv("QT_QPA_PLATFORM", platform)
        monkeypatch.setattr(preflight, "_loads", bool)
        result = run()
        assert result.exit_code == 1
        assert "the display :987 cannot be reached" in result.stderr

    def test_missing_system_libraries_are_named_with_their_packages(
        self, opened: list[str | None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("DISPLAY", ":987")
        missing = ("libxcb-cursor.so.0", "libxkbcommon-x11.so.0")
        monkeypatch.setattr(preflight, "_loads", lambda library: library not in missing)
        result = run()
        assert result.exit_code == 1
        assert "libxcb-cursor.so.0, libxkbcommon-x11.so.0" in result.stderr
        assert "sudo apt-get install libxcb-cursor0 libxkbcommon-x11-0" in result.stderr


def test_self_test_prints_ok_and_leaves_no_trace(askew_home: Path) -> None:
    before = set(askew_home.rglob("*"))
    arguments = [sys.executable, "-m", "askew_gui", "self-test"]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "OK\n", "")
    assert set(askew_home.rglob("*")) == before


def test_self_test_runs_without_assertions_too() -> None:
    arguments = [sys.executable, "-O", "-m", "askew_gui", "self-test"]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=100, check=True)
    assert done.stdout == "OK\n"


def test_self_test_names_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_test, "TOY_FILE", self_test.TOY_FILE.replace("-0.125", "-0.25"))
    result = run("self-test")
    assert result.exit_code == 1
    assert result.stderr == "askew: error: self-test failed: a vector of a file. Install Askew again.\n"


@pytest.mark.parametrize("found", [[1.0, 2.1], [1.0, np.nan], [1.0], [[1.0, 2.0]]])
def test_self_test_takes_only_the_right_numbers(found: list[float]) -> None:
    self_test._agree("numbers", [1.0, 2.0], [1.0, 2.0], 0)
    with pytest.raises(AskewError, match="self-test failed: numbers"):
        self_test._agree("numbers", found, [1.0, 2.0], 0.05)
