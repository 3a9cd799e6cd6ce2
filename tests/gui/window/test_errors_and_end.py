"""Experiments that cannot be computed, mistakes of the program, its start, and its end while busy."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tests.gui.window.steps import fail

from askew_gui import intents

if TYPE_CHECKING:
    import pytest
    from pytestqt.qtbot import QtBot

    from askew_gui.jobs import Job
    from askew_gui.store import Store
    from askew_gui.window import Window


def test_an_experiment_that_cannot_be_computed_keeps_the_old_maps_and_says_why(
    window: Window, store: Store
) -> None:
    maps = window.maps.heatmaps
    store.apply(replace(store.experiment, temperature=-1.0), "temperature")
    assert window.maps.heatmaps == maps
    assert window.messages.current is not None
    assert window.messages.current.level == "error"
    window.actions_table["undo"].trigger()
    assert not store.stale


def test_closing_while_busy_asks_the_work_to_stop(window: Window, store: Store, qtbot: QtBot) -> None:
    def work(job: Job) -> None:
        while True:
            job.check()

    job = store.jobs.submit("files", work, fail, fail, topic="vectors")
    window.close()
    assert job.cancelled
    assert store.jobs.close(timeout=5)


PROGRAM = """
import sys, threading, time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from askew_gui import app, opening

reading = threading.Event()

def stuck(name, options, job):
    print("reading", name, flush=True)
    reading.set()
    time.sleep(60)

def close():
    for window in QApplication.topLevelWidgets():
        if reading.is_set() and window.isVisible():
            window.close()

opening._open = stuck
application = app.make_app()
timer = QTimer()
timer.timeout.connect(close)
timer.start(50)
sys.exit(app.run(file="large.txt"))
"""


def test_closing_the_program_while_a_file_is_being_read_ends_with_0() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "reading large.txt\n"
    assert "destroyed" not in done.stderr.lower()
    assert "Traceback" not in done.stderr


MISTAKE = """
import sys, threading
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from askew_gui import app
from askew_gui.messages import MessageBar

def mistake():
    QTimer.singleShot(0, threading.Thread(target=in_thread).start)
    QTimer.singleShot(500, report)
    raise ZeroDivisionError("in a slot")

def in_thread():
    raise ZeroDivisionError("in a thread")

def report():
    window = next(w for w in QApplication.topLevelWidgets() if w.isVisible())
    for message in window.messages.messages:
        print(message.text, "Traceback" in message.details, flush=True)
    window.close()

application = app.make_app()
QTimer.singleShot(0, mistake)
sys.exit(app.run())
"""


def test_a_mistake_of_the_program_becomes_a_message_and_the_window_lives() -> None:
    done = subprocess.run(
        [sys.executable, "-c", MISTAKE], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert len(said) == 2
    assert "in a thread" in said[0]
    assert "in a slot" in said[1]
    assert all(line.endswith("True") for line in said)
    assert done.stderr.count("\nZeroDivisionError: ") == 2


def test_nothing_heavy_is_imported_at_the_start() -> None:
    program = (
        "import sys; from askew_gui import app; a = app.make_app(); s = app.first_store();"
        "from askew_gui.settings import Settings; from askew_gui.window import Window;"
        "w = Window(s, Settings()); w.show(); a.processEvents();"
        "heavy = ('gensim', 'scipy', 'pyqtgraph', 'matplotlib');"
        "print([m for m in heavy if m in sys.modules]); s.jobs.close()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_closed_window_asks_the_store_nothing(
    window: Window, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.close()
    monkeypatch.setattr(window.actions_table, "refresh", partial(fail, "a refresh"))
    intents.randomize(store)
    window.refresh_actions()
