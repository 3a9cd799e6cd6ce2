"""The command line as a process: what it does not load, pipes, full disks, Ctrl+C, progress."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from askew_gui.terminal import TerminalProgress

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("arguments", [("compute", "-o", "-"), ("vectors", "list"), ("--help",)])
def test_commands_of_numbers_load_no_qt_gensim_scipy_or_pyqtgraph(arguments: tuple[str, ...]) -> None:
    script = (
        "import sys, atexit\n"
        "heavy = ('PySide6', 'shiboken6', 'gensim', 'scipy', 'pyqtgraph')\n"
        "loaded = lambda: [name for name in sys.modules if name.split('.')[0] in heavy]\n"
        "atexit.register(lambda: print(*loaded(), file=sys.stderr))\n"
        f"sys.argv = ['askew', *{arguments!r}]\n"
        "from askew_gui.cli import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stderr.strip() == ""
    assert done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of Unix")
def test_a_reader_that_goes_away_is_no_error_message() -> None:
    script = f"{sys.executable} -m askew_gui compute --heads 60 -o - | head -c 10"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == '{"format":'
    assert done.stderr == ""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a device of Linux")
@pytest.mark.parametrize(
    ("command", "place"),
    [
        ("compute -o -", "/dev/full"),
        ("compute -o -", "&-"),
        ("vectors get glove-6b-50d cat --json", "/dev/full"),
        ("vectors get glove-6b-50d cat --json", "&-"),
        ("--version", "/dev/full"),
    ],
)
def test_a_full_disk_or_nothing_behind_stdout_is_told_in_one_line(command: str, place: str) -> None:
    script = f"{sys.executable} -m askew_gui {command} >{place}"
    # Unbuffered, nothing would be left for Python to write at its end.
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        ["bash", "-c", script], env=buffered, capture_output=True, text=True, timeout=60, check=False
    )
    why = "no space left on device" if place == "/dev/full" else "it is closed"
    assert done.returncode == 1
    assert done.stderr.lower().startswith("askew: error: ")
    assert done.stderr.lower().endswith(f": {why}.\n")
    assert done.stderr.count("\n") == 1


INTERRUPTED = """
import os, signal, sys
class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupts())
sys.argv = ["askew", *{arguments!r}]
from askew_gui import start
start.main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("numpy", ["compute", "-o", "-"]),
        ("askew_gui.cli", ["vectors", "list"]),
        ("askew.results", ["compute", "-o", "-"]),
        ("askew_gui.rendering", ["render", "-o", "maps.png"]),
        ("askew_gui.window", ["self-test"]),
    ],
)
def test_ctrl_c_is_no_traceback_at_any_time(module: str, arguments: list[str], tmp_path: Path) -> None:
    script = INTERRUPTED.format(module=module, arguments=arguments)
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode in (1, -signal.SIGINT)
    assert done.stderr.strip() in ("", "Aborted!")
    assert done.stdout == ""
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of Unix")
def test_nothing_behind_stderr_and_stdin_is_no_matter() -> None:
    script = f"{sys.executable} -m askew_gui compute --text 'the zzyzxq cat' -o - 2>&- <&-"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(done.stdout)["unknown"] == ["zzyzxq"]


class Terminal(io.StringIO):
    """A stderr that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_is_shown_once_a_percent_on_a_terminal_and_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    progress = TerminalProgress("toy.txt")
    for done in range(0, 1001, 2):
        progress(done, 1000)
    progress.close()
    shown = terminal.getvalue().split("\r")[1:]
    assert shown[:2] == ["Reading toy.txt: 0 %", "Reading toy.txt: 1 %"]
    assert shown[100] == "Reading toy.txt: 100 %"
    assert len(shown) == 102
    assert not shown[-1].strip("\x1b[K")


def test_progress_that_never_was_leaves_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    TerminalProgress("toy.txt").close()
    assert terminal.getvalue() == ""
