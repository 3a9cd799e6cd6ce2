"""The whole program with broken parts: it tells, logs, goes on, and remembers how it crashed."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from askew_gui import crash_reports, fault_log

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "zebra"

PROGRAM = """
import faulthandler, os, signal, sys, threading
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from askew_gui import app, intents
from askew_gui.maps.grid import HeadGrid
from askew_gui.panels.sentence import SentencePanel
from askew_gui.store import Store
from askew_gui.window import Window

kind = sys.argv[1]

def window():
    return next(w for w in QApplication.topLevelWidgets() if hasattr(w, "sessions"))

def fail(*_arguments):
    raise ZeroDivisionError("zebra in " + kind)

{code}

application = app.make_app()
QTimer.singleShot(400, begin)
sys.exit(app.run())
"""

BREAKS = {
    "slot": "window().store.evaluated.connect(fail); intents.set_text(window().store, 'a cat')",
    "timer": "QTimer.singleShot(0, fail)",
    "thread": "threading.Thread(target=fail).start()",
    "paint": "broken.append(1); window().grid.viewport().update()",
    "filter": "broken.append(1); window().maps.installEventFilter(window()); window().maps.update()",
    "job": "window().store.jobs.submit('files', fail, fail, throw, topic='t')",
    "evaluation": "intents.set_text(window().store, 'a zebra')",
}
PATCHED = {"paint": "HeadGrid._painted", "filter": "Window.eventFilter"}
PATCH = """
whole = {method}
def sometimes(self, *arguments):
    return fail() if broken else whole(self, *arguments)
{method} = sometimes
"""
BEGIN = """
broken = []

def throw(error):
    raise error

def begin():
    {broken}
    QTimer.singleShot(600, tell)

def tell():
    broken.clear()
    for message in reversed(window().messages.messages):
        print(message.line, [text for text, _ in message.choices], flush=True)
    window().close()
"""
EVALUATION = """
from askew_gui import store as store_module
right = store_module.evaluate
def sometimes(experiment, vectors, **options):
    return fail() if "zebra" in experiment.text else right(experiment, vectors, **options)
store_module.evaluate = sometimes
"""


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = PROGRAM.replace("{code}", code)
    return subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=20, check=False
    )


@pytest.mark.parametrize("kind", BREAKS)
def test_wherever_a_part_breaks_it_is_told_and_logged_and_the_program_ends_as_it_should(kind: str) -> None:
    code = BEGIN.format(broken=BREAKS[kind]) + (EVALUATION if kind == "evaluation" else "")
    if kind in PATCHED:
        code += PATCH.format(method=PATCHED[kind])
    done = run(code, kind)
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert len(said) == 1, said
    assert said[0].startswith("Something went wrong inside Askew (ZeroDivisionError: ")
    assert f"zebra in {kind}" in said[0]
    assert said[0].endswith("['Save a copy of the session…']")
    text = fault_log.path().read_text("utf-8")
    assert "ZeroDivisionError" in text
    assert SECRET not in text
    assert list(crash_reports.folder().iterdir()) == []
    assert "QPainter::" not in done.stderr
    assert "QBackingStore" not in done.stderr


def test_a_window_that_cannot_be_made_is_one_line_and_a_log_entry() -> None:
    broken = "from askew_gui import start, window; window.Window = None; start.main()"
    code = f"import sys; sys.argv = ['askew']; {broken}"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=20, check=False
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("askew: error: Askew cannot start: TypeError: ")
    assert "askew_gui.app:" in fault_log.path().read_text("utf-8")


CRASH = """
def begin():
    intents.set_text(window().store, "zebra crossing")
    window().recovery.keep()
    QTimer.singleShot(300, crash)

def crash():
    os.kill(os.getpid(), signal.SIGSEGV)
"""
AFTERWARDS = """
def begin():
    for message in window().messages.messages:
        print(message.line, flush=True)
    window().close()
"""


def test_after_a_crash_the_next_start_offers_the_session_and_says_where_the_report_lies() -> None:
    crashed = run(CRASH, "crash")
    assert crashed.returncode == -signal.SIGSEGV
    done = run(AFTERWARDS, "afterwards")
    assert done.returncode == 0, done.stderr
    (report,) = crash_reports.folder().iterdir()
    assert done.stdout.startswith("Askew ended before an untitled session was saved. It was kept at ")
    assert done.stdout.endswith(f"A report of the crash, without your text, is {report}.\n")
    text = report.read_text("utf-8")
    assert "Segmentation fault" in text
    assert "crash" in text
    assert SECRET not in text
    again = run(AFTERWARDS, "afterwards")
    assert "report" not in again.stdout
    assert report.exists()


def test_after_a_crash_in_which_nothing_was_lost_the_report_is_named_too() -> None:
    (crash_reports.folder() / "4194305.running").write_text("Fatal Python error: Aborted", "utf-8")
    done = run(AFTERWARDS, "afterwards")
    (report,) = crash_reports.folder().iterdir()
    assert done.stdout == (
        f"Askew ended unexpectedly last time. A report of the crash, without your text, is {report}.\n"
    )


def test_only_the_latest_reports_are_kept_and_empty_ones_are_not() -> None:
    folder = crash_reports.folder()
    for day in range(1, 9):
        (folder / f"2026-01-0{day} 120000 77.txt").write_text("report", "utf-8")
    (folder / "4194305.running").touch()
    watch = crash_reports.CrashReport()
    assert watch.begin() is None
    watch.end()
    assert sorted(each.name[:10] for each in folder.iterdir()) == [f"2026-01-0{day}" for day in range(4, 9)]


def test_the_report_of_a_program_that_runs_is_left_alone() -> None:
    mine = crash_reports.folder() / "1.running"
    mine.write_text("something", "utf-8")
    watch = crash_reports.CrashReport()
    assert watch.begin() is None
    watch.end()
    assert mine.exists()


def test_where_no_report_can_be_written_the_program_works_all_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(crash_reports, "folder", lambda: tmp_path / "missing")
    watch = crash_reports.CrashReport()
    assert watch.begin() is None
    watch.end()


SIGNAL = """
def begin():
    window().sessions.path = "/nowhere/mine.askew"
    intents.set_text(window().store, "kept although nobody was asked")
    QTimer.singleShot(0, ended)

def ended():
    os.kill(os.getpid(), getattr(signal, kind))
"""


AGAIN = """
def begin():
    print(window().store.experiment.text, flush=True)
    window().end()
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_signal_closes_without_a_question_and_keeps_the_session(name: str) -> None:
    done = run(SIGNAL, name)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    again = run(AGAIN, name)
    assert again.stdout == "kept although nobody was asked\n"
