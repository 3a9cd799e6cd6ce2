"""Closing while anything is at work: the program ends within 2 seconds with exit code 0, and says nothing."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

SECONDS = 2.0

PROGRAM = """
import os, signal, sys, time
from functools import partial
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from askew_gui import app, intents

kind, how, place = sys.argv[1:]

def window():
    return next(w for w in QApplication.topLevelWidgets() if hasattr(w, "sessions"))

def busy():
    return not window().store.jobs.idle

def helping():
    from askew_gui.helper import Helper
    return [each for each in window().findChildren(Helper) if each.process.processId()]

def until(ready, then):
    if ready():
        then()
    else:
        QTimer.singleShot(5, partial(until, ready, then))

def opening():
    window().open_file(place)
    until(busy, close)

def opening_another():
    window().open_file(place)
    until(busy, partial(window().open_file, place + "2"))
    QTimer.singleShot(200, close)

def preparing():
    window().open_file(place)
    until(helping, partial(QTimer.singleShot, 300, close))

def training():
    window().vector_files.show_training()
    from askew.vectors.training import Recipe
    trainer = window().vector_files._trainer
    trainer.start(Path(place), Recipe())
    until(helping, partial(QTimer.singleShot, 300, close))

def evaluating():
    intents.apply_example(window().store, "glove-random")
    intents.set_shape(window().store, count=64)
    intents.set_text(window().store, " ".join(["the cat sat on the mat"] * 85))
    assert window().store.stale
    close()

def exporting():
    intents.apply_example(window().store, "glove-random")
    intents.set_text(window().store, " ".join(["the cat sat on the mat"] * 25))
    until(lambda: not window().store.stale, export)

def export():
    from askew_gui.dialogs.export import export as write
    from askew_gui.export.spec import PictureSpec
    QTimer.singleShot(20, close)
    write(window(), window().store, window().store.evaluation, PictureSpec(width=8000), None, place)

def saving():
    intents.set_shape(window().store, count=64)
    window().sessions._save_to(place)
    close()

def nearest():
    from askew_gui import nearest as module
    window().sentence.edit.setFocus()
    intents.set_text(window().store, "the cat")
    window().focus.lock((0, 1))
    close()

def close():
    Path(place + ".began").write_text(repr(time.time()))
    if how == "window":
        window().close()
    else:
        os.kill(os.getpid(), getattr(signal, how))

application = app.make_app()
QTimer.singleShot(300, globals()[kind])
sys.exit(app.run())
"""

LINES = 60_000
KINDS = [
    "opening",
    "opening_another",
    "preparing",
    "training",
    "evaluating",
    "exporting",
    "saving",
    "nearest",
]


@pytest.fixture(scope="module")
def big_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a text file of vectors that takes some seconds to read, 150 MB."""
    file = tmp_path_factory.mktemp("big") / "big.txt"
    numbers = " ".join(f"0.{number:05d}" for number in range(300))
    with file.open("w", encoding="utf-8") as opened:
        for line in range(LINES):
            opened.write(f"word{line} {numbers}\n")
    return file


def place_for(kind: str, big_file: Path, tmp_path: Path) -> Path:
    """Return the file that the work is about."""
    if kind in ("opening", "opening_another", "preparing"):
        for name in ("big.txt", "big.txt2"):
            (tmp_path / name).hardlink_to(big_file)
        return tmp_path / "big.txt"
    place = tmp_path / {"exporting": "map.png", "saving": "mine.askew"}.get(kind, "text.txt")
    if kind == "training":
        place.write_text("the cat sat on the mat and the dog sat too\n" * 100_000, "utf-8")
    return place


@pytest.mark.slow
@pytest.mark.parametrize("how", ["window", "SIGTERM", "SIGINT"])
@pytest.mark.parametrize("kind", KINDS)
def test_closing_ends_soon_and_well_whatever_is_at_work(
    kind: str, how: str, big_file: Path, tmp_path: Path
) -> None:
    place = place_for(kind, big_file, tmp_path)
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, kind, how, str(place)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    said, _ = program.communicate(timeout=60)

    took = time.time() - float(Path(f"{place}.began").read_text("utf-8"))
    assert program.returncode == 0, said
    assert [line for line in said.splitlines() if b"This plugin does not" not in line] == []
    print(f"{kind}, {how}: {took:.2f} s")
    assert took < SECONDS
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".")] == []
