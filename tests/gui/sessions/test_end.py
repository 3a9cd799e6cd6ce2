"""The end of the program while it saves or opens a session: exit code 0, and files that are whole."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.gui.sessions.pictures import session_of_one, white_picture

from askew import session_file

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """
import sys, threading, time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from askew import session_file
from askew_gui import app, intents, session_files

kind, path = sys.argv[1:]
stuck = threading.Event()

def wait(*_arguments, **_choices):
    stuck.set()
    time.sleep(60)

def window():
    return next(w for w in QApplication.topLevelWidgets() if w.isVisible() and hasattr(w, "sessions"))

def begin():
    window().sessions._save_to(path)
    QTimer.singleShot(50, saved)

def saved():
    if not window().sessions.path:
        QTimer.singleShot(50, saved)
        return
    intents.set_text(window().store, "another text")
    if kind == "saving":
        session_file.write_bytes = wait
        window().sessions.save()
    elif kind == "slowly":
        whole = session_files._write
        session_files._write = lambda *arguments: (stuck.set(), time.sleep(0.3), whole(*arguments))
        window().sessions.save()
    else:
        session_files._read = wait
        window().sessions._open(path)
    QTimer.singleShot(50, close)

def close():
    if not stuck.is_set():
        QTimer.singleShot(50, close)
        return
    window().sessions._discarding = kind == "opening"
    window().close()

application = app.make_app()
QTimer.singleShot(300, begin)
sys.exit(app.run())
"""


@pytest.mark.parametrize("kind", ["saving", "slowly", "opening"])
def test_closing_in_the_midst_of_a_file_ends_with_0_and_leaves_it_whole(kind: str, tmp_path: Path) -> None:
    place = tmp_path / "mine.askew"
    command = [sys.executable, "-c", PROGRAM, kind, str(place)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    text = session_file.load(place).session.experiment.text
    assert (text == "another text") == (kind == "slowly")
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".mine")] == []


@pytest.mark.parametrize("name", ["mine.askew", "map.png"])
def test_the_program_opens_a_session_that_its_command_names(name: str, tmp_path: Path) -> None:
    place = tmp_path / name
    content = session_of_one("the cat sat")
    place.write_bytes(content if name == "mine.askew" else white_picture(tmp_path, content).read_bytes())
    done = subprocess.run(
        [sys.executable, "-c", NAMED, str(place)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"the cat sat {'mine' if name == 'mine.askew' else 'Untitled'}[*] — Askew\n"


NAMED = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from askew_gui import app
from askew_gui.cli import main

def tell():
    windows = [w for w in QApplication.topLevelWidgets() if w.isVisible() and hasattr(w, "sessions")]
    window = windows[0] if windows else None
    if window is None or window.store.experiment.text != "the cat sat":
        QTimer.singleShot(50, tell)
        return
    print(window.store.experiment.text, window.windowTitle(), flush=True)
    window.close()

application = app.make_app()
QTimer.singleShot(100, tell)
main([sys.argv[1]], prog_name="askew")
"""
