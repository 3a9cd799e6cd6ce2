"""The command as it is installed: what it loads before the window, and what it leaves to the command line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from askew.edits import with_vectors
from askew.errors import AskewError
from askew.vectors import open_vectors
from askew_gui import app, preflight, start

CASES = Path(__file__).parents[1] / "data/cases"
WINDOW = """
import sys
from threadpoolctl import threadpool_info
from PySide6.QtCore import QTimer
from askew_gui import app, start
first_store = app.first_store
def leaving_store(*given):
    from askew_gui.window import Window
    show = Window.show
    def shown(window):
        show(window)
        while not window.maps.picture.painted:
            app.QApplication.processEvents()
        print("threads", *[one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"])
        print("loaded", *sys.modules, flush=True)
        QTimer.singleShot(0, window.close)
    Window.show = shown
    return first_store(*given)
app.first_store = leaving_store
sys.argv = ["askew"]
start.main()
"""

NEEDED = {"askew.evaluation", "askew_gui.maps.view", "askew_gui.maps.painter", "askew_gui.panels.sentence"}
# What somebody may need later, and nobody for the first picture.
LATER = re.compile(
    r"click|regex|concurrent\.futures|multiprocessing|subprocess|socket|ssl|csv|sqlite3|unittest"
    r"|(pyqtgraph|gensim|scipy|msgspec|simdjson|backports|platformdirs)(\..*)?"
    r"|PySide6\.(QtNetwork|QtOpenGL|QtDBus|QtPrintSupport|QtTest)"
    r"|askew\.(number_files|numbers_npz|results_\w+|tables_\w+|session_\w+|carried|request|lexer_patterns|weights\..*)"
    r"|askew\.vectors\.(containers|streams|cache|store|training|formats\..*)"
    r"|askew_gui\.(cli\w*|self_test|helper|training|importing|rendering|recovery|completion|version|terminal)"
    r"|askew_gui\.(dialogs|export)(\..*)?"
    r"|askew_gui\.panels\.(heads|weights|inspector|measures)"
)
# Whose code runs before the first picture, beside that of the project and of Python.
FOREIGN = {
    "PySide6", "askew", "askew_assets", "askew_gui", "loaded", "numpy", "safetensors",
    "shiboken6", "shibokensupport", "signature_bootstrap", "sitecustomize", "threadpoolctl",
}  # fmt: skip


@pytest.fixture(autouse=True)
def blas_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what the command sets from other tests."""
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")


def test_the_first_picture_needs_neither_the_command_line_nor_what_is_slow_to_import(tmp_path: Path) -> None:
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", WINDOW],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    loaded = set(done.stdout.split("loaded ", 1)[1].split())
    assert "threads 1\n" in done.stdout
    assert loaded >= NEEDED
    assert sorted(name for name in loaded if LATER.fullmatch(name)) == []
    foreign = {name.partition(".")[0] for name in loaded} - set(sys.stdlib_module_names)
    assert {name for name in foreign if not name.startswith("_")} <= FOREIGN


def test_alone_it_hands_the_exit_code_of_the_window_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["askew"])
    monkeypatch.setattr(app, "run", lambda: 7)
    with pytest.raises(SystemExit) as left:
        start.main()
    assert left.value.code == 7


def test_what_the_user_can_mend_is_a_line_and_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_screen() -> None:
        raise AskewError("there is no display here", remedy="Start it from a desktop session")

    monkeypatch.setattr(sys, "argv", ["askew"])
    monkeypatch.setattr(preflight, "check_screen", no_screen)
    with pytest.raises(SystemExit) as left:
        start.main()
    assert left.value.code == 1
    said = capsys.readouterr().err
    assert said == "askew: error: there is no display here. Start it from a desktop session.\n"


def test_a_defect_before_there_is_a_window_is_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> int:
        raise ZeroDivisionError

    monkeypatch.setattr(sys, "argv", ["askew"])
    monkeypatch.setattr(app, "run", broken)
    with pytest.raises(SystemExit) as left:
        start.main()
    assert left.value.code == 1
    said = capsys.readouterr().err
    assert said.startswith("askew: error: Askew cannot start: ZeroDivisionError. Please report it; where ")
    assert len(said.splitlines()) == 1


def test_arguments_are_for_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["askew", "rendr"])
    with pytest.raises(SystemExit) as left:
        start.main()
    assert left.value.code == 2
    assert "No such command 'rendr'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("A01a_glove_no_header.txt", "glove-random"),
        ("C01b_linear_out_in.npy", "trained"),
        ("../sessions/format-1.askew", "trained"),
        ("../sessions/format-1.png", "trained"),
        ("nowhere.txt", "glove-random"),
    ],
)
def test_a_file_of_vectors_begins_with_heads_that_other_vectors_can_draw(name: str, shown: str) -> None:
    assert app.example_before(str(CASES / name)) == shown


def test_vectors_opened_at_the_start_take_no_trained_heads_away() -> None:
    store = app.first_store(name=app.BEFORE_VECTORS)
    change = with_vectors(store.experiment, open_vectors(CASES / "A01a_glove_no_header.txt"))
    assert change.message == ""
    store.jobs.close()
