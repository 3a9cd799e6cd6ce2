"""The session as it was last: kept while one works, shown at the next start, offered after a crash."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.gui.sessions.steps import answer, choice, open_file, press, said, save_as, settled, trigger

from askew import session_file
from askew_gui import intents, kept_sessions
from askew_gui.kept_sessions import About, Kept
from askew_gui.recovery import when
from askew_gui.session_start import beginning

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew_gui.window import Window


def keep_now(window: Window, qtbot: QtBot) -> None:
    window.recovery.keep()
    settled(window, qtbot)


def left_by_a_crash(window: Window, qtbot: QtBot) -> Kept:
    """Return what a window would leave that was killed now; it forgets about it."""
    keep_now(window, qtbot)
    kept = window.recovery._kept
    assert kept is not None
    window.recovery.adopt(None)
    return kept


def test_a_change_is_kept_a_few_seconds_later(window: Window, qtbot: QtBot) -> None:
    assert not window.recovery.pause.isActive()
    intents.set_text(window.store, "the cat")
    assert window.recovery.pause.isActive()
    assert 0 < window.recovery.pause.interval() <= 3000
    window.recovery.pause.start(0)
    qtbot.waitUntil(lambda: window.store.jobs.idle and window.recovery._kept is not None)
    kept = window.recovery._kept
    assert kept is not None
    assert kept.load().session.experiment.text == "the cat"
    assert kept.about.modified
    assert not kept.about.closed
    assert "state" in kept.file.parts


def test_typing_without_a_pause_is_kept_all_the_same(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("askew_gui.recovery.now", lambda: 1000.0)
    intents.set_text(window.store, "the")
    monkeypatch.setattr("askew_gui.recovery.now", lambda: 1019.5)
    intents.set_text(window.store, "the cat")
    assert window.recovery.pause.interval() == 500


def test_a_closed_window_comes_back_as_it_was(window: Window, qtbot: QtBot) -> None:
    intents.set_text(window.store, "the cat")
    intents.set_weight(window.store, 1, "k", 0, 0, 7.25)
    intents.select_head(window.store, 3)
    window.close()
    assert not window.isVisible()
    begun = beginning()
    store = begun.store()
    assert store is not None
    assert store.experiment.text == "the cat"
    assert store.experiment.selected == (3,)
    assert store.experiment.heads[1].w_k[0, 0] == 7.25
    assert begun.modified
    assert begun.left == ()
    assert begun.kept is not None
    begun.kept.release()
    store.jobs.close()


def test_of_a_session_with_a_file_the_file_is_shown(window: Window, qtbot: QtBot, tmp_path: Path) -> None:
    place = tmp_path / "mine.askew"
    save_as(window, qtbot, place)
    intents.set_text(window.store, "a dog")
    keep_now(window, qtbot)
    window.close()
    answer(window, qtbot, "Don't save")
    qtbot.waitUntil(lambda: not window.isVisible())
    begun = beginning()
    assert begun.opened is not None
    assert begun.opened.session.experiment.text != "a dog"
    assert begun.path == str(place)
    assert not begun.modified
    assert begun.kept is not None
    begun.kept.release()


def test_a_session_whose_file_broke_is_shown_from_what_was_kept(
    window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    place = tmp_path / "mine.askew"
    intents.set_text(window.store, "a dog")
    save_as(window, qtbot, place)
    window.close()
    place.write_bytes(b"")
    begun = beginning()
    assert begun.opened is not None
    assert begun.opened.session.experiment.text == "a dog"
    assert begun.modified
    assert begun.error is not None
    assert "empty" in str(begun.error)
    assert place.read_bytes() == b""
    assert begun.kept is not None
    begun.kept.release()


def test_nothing_is_kept_of_a_window_in_which_nothing_was_done(window: Window) -> None:
    window.close()
    assert list(kept_sessions.folder().iterdir()) == []


def test_what_a_running_program_keeps_is_not_offered(window: Window, qtbot: QtBot) -> None:
    intents.set_text(window.store, "the cat")
    keep_now(window, qtbot)
    begun = beginning()
    assert begun.opened is None
    assert begun.left == ()


def test_what_a_crash_left_is_offered_and_restored(window: Window, qtbot: QtBot, tmp_path: Path) -> None:
    place = tmp_path / "mine.askew"
    save_as(window, qtbot, place)
    intents.set_text(window.store, "the cat")
    kept = left_by_a_crash(window, qtbot)
    later = time.time() + 1000
    os.utime(place, (later, later))  # the file may be touched later than the session was kept
    window.store.undo()
    kept.release()
    begun = beginning()
    assert begun.opened is None
    assert [each.about.path for each in begun.left] == [str(place)]
    window.recovery.offer(begun.left)
    assert said(window).startswith("Askew ended before “mine” was saved. It was kept at ")
    press(window, qtbot, "Restore")
    assert window.store.experiment.text == "the cat"
    assert window.windowTitle() == "mine[*] — Askew"
    assert window.isWindowModified()
    assert session_file.load(place).session.experiment.text != "the cat"
    trigger(window, "save")
    settled(window, qtbot)
    assert session_file.load(place).session.experiment.text == "the cat"


def test_what_is_discarded_is_not_offered_again(window: Window, qtbot: QtBot) -> None:
    intents.set_text(window.store, "the cat")
    kept = left_by_a_crash(window, qtbot)
    window.recovery.offer([kept])
    press(window, qtbot, "Discard")
    assert kept.file.exists() is False
    assert beginning().left == ()


def test_an_offer_that_is_only_dismissed_comes_again(window: Window, qtbot: QtBot) -> None:
    intents.set_text(window.store, "the cat")
    kept = left_by_a_crash(window, qtbot)
    window.recovery.offer([kept])
    window.messages.dismiss()
    window.store.undo()
    window.close()
    left = beginning().left
    assert len(left) == 1
    left[0].release()


def test_a_broken_file_is_opened_from_what_was_kept_of_it(
    window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    place = tmp_path / "mine.askew"
    save_as(window, qtbot, place)
    intents.set_text(window.store, "the cat")
    kept = left_by_a_crash(window, qtbot)
    place.write_bytes(place.read_bytes()[:100])
    trigger(window, "new")
    answer(window, qtbot, "Don't save")
    window.recovery.offer([kept])
    window.messages.dismiss()
    open_file(window, qtbot, place)
    assert "cut short" in said(window)
    name = next(text for text, _ in window.messages.current.choices if text.startswith("Restore"))  # type: ignore[union-attr]
    choice(window, name)()
    assert window.store.experiment.text == "the cat"


def test_of_two_windows_closed_unsaved_the_later_is_shown_and_the_other_offered(
    window: Window, qtbot: QtBot
) -> None:
    session, tables, _ = window.sessions.snapshot()
    for number in (1, 2):
        text = replace(session.experiment, text=f"the cat {number}")
        kept = Kept.new()
        about = About(modified=True, closed=True, saved_at=1000.0 + number)
        kept.write(about, session_file.to_bytes(replace(session, variants=(text,)), tables))
        kept.release()
    begun = beginning()
    assert begun.opened is not None
    assert begun.opened.session.experiment.text == "the cat 2"
    assert [each.load().session.experiment.text for each in begun.left] == ["the cat 1"]
    for each in (begun.kept, *begun.left):
        assert each is not None
        each.release()


def test_a_folder_that_cannot_be_written_is_said_once(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(kept_sessions, "folder", refuse)
    intents.set_text(window.store, "the cat")
    keep_now(window, qtbot)
    assert "cannot be kept for the next start" in said(window)
    window.messages.dismiss()
    keep_now(window, qtbot)
    assert window.messages.current is None
    window.close()
    assert not window.isVisible()


@pytest.mark.parametrize("line", [b"", b"[]", b'{"path": 3, "vectors": [1, "a"]}', b"{", b"\xff\xfe"])
def test_a_kept_file_that_is_not_one_is_never_a_reason_not_to_start(line: bytes) -> None:
    (kept_sessions.folder() / "strange.kept").write_bytes(line + b"\nPK")
    begun = beginning()
    assert begun.opened is None
    assert begun.left == ()
    assert begun.error is not None
    assert beginning().error is None  # it is said once


PROGRAM = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from askew_gui import app, intents

def window():
    return next(w for w in QApplication.topLevelWidgets() if w.isVisible() and hasattr(w, "sessions"))

def edit():
    intents.set_text(window().store, "killed while typing")
    intents.set_weight(window().store, 2, "q", 0, 0, 7.25)
    window().recovery.pause.setInterval(0)
    window().recovery.pause.start()
    tell()

def tell():
    if not window().store.jobs.idle or window().recovery.pause.isActive():
        QTimer.singleShot(50, tell)
        return
    print("kept", flush=True)

def restore():
    if window().messages.current is None:
        QTimer.singleShot(50, restore)
        return
    print(window().messages.current.line, flush=True)
    dict(window().messages.current.choices)["Restore"]()
    experiment = window().store.experiment
    print(experiment.text, experiment.heads[2].w_q[0, 0], window().isWindowModified(), flush=True)
    window().close()

application = app.make_app()
QTimer.singleShot(300, {"edit": edit, "restore": restore}[sys.argv[1]])
sys.exit(app.run())
"""


def test_a_program_that_is_killed_while_one_edits_offers_all_of_it_at_the_next_start() -> None:
    first = subprocess.Popen([sys.executable, "-c", PROGRAM, "edit"], stdout=subprocess.PIPE, text=True)
    assert first.stdout is not None
    assert first.stdout.readline() == "kept\n"
    first.kill()
    first.wait()
    first.stdout.close()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "restore"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    offered, shown = done.stdout.splitlines()
    assert offered.startswith("Askew ended before an untitled session was saved.")
    assert shown == "killed while typing 7.25 True"


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}",
        b"[" * 100_000,
        b'{"modified": true, "saved_at": 1e300}',
        b'{"modified": true, "saved_at": NaN}',
        b'{"modified": true, "saved_at": -1e18}',
        b'{"closed": true, "path": "a\\u0000b", "vectors": ["\\u0000"]}',
        bytes(range(128, 256)),
    ],
)
def test_a_start_survives_what_a_broken_kept_file_says(line: bytes) -> None:
    (kept_sessions.folder() / f"broken{kept_sessions.SUFFIX}").write_bytes(line + b"\nPK and no more")
    begun = beginning()
    assert begun.opened is None
    for kept in begun.left:
        assert when(kept.about)
        assert kept.about.path == ""
        kept.release()
