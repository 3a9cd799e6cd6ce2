"""Errors that nobody caught: told in the window, logged without what a person works on, and never a flood."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject

from askew_gui import fault_log, faults
from askew_gui.faults import Caught, ErrorCatcher

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

SECRET = "the animal did not cross the street"


@pytest.fixture
def catcher(monkeypatch: pytest.MonkeyPatch) -> Iterator[ErrorCatcher]:
    monkeypatch.setattr(sys, "excepthook", lambda *_error: None)
    monkeypatch.setattr(threading, "excepthook", lambda _hook: None)
    monkeypatch.setattr(sys, "unraisablehook", lambda _hook: None)
    catcher = ErrorCatcher()
    catcher.install()
    yield catcher
    catcher.remove()


@pytest.fixture
def told(catcher: ErrorCatcher) -> list[Caught]:
    told: list[Caught] = []
    catcher.tell(told.append)
    return told


def fail(text: str = SECRET) -> None:
    raise ValueError(text)


def raise_into_the_hook(text: str = SECRET) -> None:
    try:
        fail(text)
    except ValueError as error:
        sys.excepthook(ValueError, error, error.__traceback__)


def log() -> str:
    return fault_log.path().read_text("utf-8")


def test_an_error_nobody_caught_is_told_with_its_traceback(told: list[Caught]) -> None:
    raise_into_the_hook("no")
    assert [each.text for each in told] == ["ValueError: no"]
    assert "Traceback" in told[0].details


def test_an_error_in_a_thread_is_told_in_the_thread_of_the_window(
    catcher: ErrorCatcher, qtbot: QtBot
) -> None:
    class Hearer(QObject):
        def hear(self, caught: Caught) -> None:
            heard.append((caught.text, threading.current_thread() is threading.main_thread()))

    heard: list[tuple[str, bool]] = []
    hearer = Hearer()
    catcher.tell(hearer.hear)
    threading.Thread(target=fail, args=("in a thread",)).start()
    qtbot.waitUntil(lambda: bool(heard))
    assert heard == [("ValueError: in a thread", True)]


def test_an_interrupt_from_the_keyboard_is_no_error(told: list[Caught]) -> None:
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert told == []
    assert not fault_log.path().exists()


def test_the_old_hooks_come_back() -> None:
    before = (sys.excepthook, threading.excepthook, sys.unraisablehook)
    catcher = ErrorCatcher()
    catcher.install()
    assert sys.excepthook != before[0]
    catcher.remove()
    assert (sys.excepthook, threading.excepthook, sys.unraisablehook) == before


def test_what_was_caught_before_there_is_a_window_is_told_once_there_is(catcher: ErrorCatcher) -> None:
    raise_into_the_hook("early")
    told: list[Caught] = []
    catcher.tell(told.append)
    assert [each.text for each in told] == ["ValueError: early"]


def test_the_log_holds_kind_and_place_and_not_a_word_of_the_error(told: list[Caught]) -> None:
    raise_into_the_hook()
    assert SECRET in told[0].text
    assert "ValueError" in log()
    assert f"{__name__}:{fail.__code__.co_firstlineno + 1} fail" in log()
    assert not [word for word in ("animal", "cross", "street") if word in log()]


def test_the_log_names_causes_without_their_words_and_no_file_of_a_person(
    told: list[Caught], tmp_path: Path
) -> None:
    try:
        try:
            (tmp_path / "my secret vectors.txt").read_text("utf-8")
        except OSError as error:
            raise KeyError(SECRET) from error
    except KeyError as error:
        sys.excepthook(KeyError, error, error.__traceback__)
    assert "builtins.KeyError" in log()
    assert "caused by builtins.FileNotFoundError" in log()
    for word in ("secret", "animal", str(tmp_path), tmp_path.name):
        assert word not in log()


def test_the_same_error_a_thousand_times_is_told_and_logged_a_few_times(told: list[Caught]) -> None:
    for number in range(1000):
        raise_into_the_hook(f"{SECRET} {number}")
    assert [each.count for each in told] == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
    assert len({each.place for each in told}) == 1
    assert "came 512 times" in log()
    assert fault_log.path().stat().st_size < 5000


def test_a_recursion_without_end_takes_little_of_the_log(told: list[Caught]) -> None:
    def deeper() -> None:
        deeper()

    try:
        deeper()
    except RecursionError as error:
        sys.excepthook(RecursionError, error, error.__traceback__)
    assert "RecursionError" in log()
    assert len(log().splitlines()) < 2 * fault_log.MAX_FRAMES


def test_the_log_is_turned_over_and_stays_small() -> None:
    for number in range(60):
        fault_log.write(f"{number} " * 2000)
    files = list(fault_log.path().parent.glob("askew.log*"))
    assert len(files) == 1 + fault_log.OLD_FILES
    assert sum(file.stat().st_size for file in files) <= (1 + fault_log.OLD_FILES) * fault_log.MAX_BYTES
    assert "59 59" in log()


def test_a_log_that_cannot_be_written_is_no_second_error(
    told: list[Caught], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fault_log, "path", lambda: tmp_path / "missing" / "askew.log")
    raise_into_the_hook("no")
    monkeypatch.setattr(fault_log, "path", tmp_path.joinpath)
    raise_into_the_hook("no")
    assert [each.count for each in told] == [1, 2]
    assert capsys.readouterr().err == ""


def test_an_error_whose_own_text_fails_is_told_by_its_kind(told: list[Caught]) -> None:
    class Broken(Exception):
        def __str__(self) -> str:
            raise ValueError

    sys.excepthook(Broken, Broken(), None)
    assert [each.text for each in told] == ["Broken"]


def test_an_error_in_telling_of_an_error_ends_there(catcher: ErrorCatcher) -> None:
    calls: list[str] = []

    def hear(caught: Caught) -> None:
        calls.append(caught.text)
        fail("in telling")

    catcher.tell(hear)
    raise_into_the_hook("first")
    assert calls == ["ValueError: first"]
    assert log().count(" askew ") == 2


def test_a_very_long_error_is_one_short_line(told: list[Caught]) -> None:
    raise_into_the_hook("a word\n" * 1000)
    assert len(told[0].text) <= faults.LONGEST_TEXT + 1
    assert "\n" not in told[0].text


def test_an_error_that_nobody_can_raise_is_told(told: list[Caught]) -> None:
    class Dies:
        def __del__(self) -> None:
            fail("at the end")

    Dies()
    assert [each.text for each in told] == ["ValueError: at the end"]
