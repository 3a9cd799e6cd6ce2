"""Random actions by the thousand: no error, no warning, no stale map, no growing memory, and undo is whole.

ASKEW_MONKEY_SEED and ASKEW_MONKEY_STEPS choose others than the usual.
"""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from tests.gui.monkey.memory import STATM, memory
from tests.gui.monkey.monkey import PAGE, TEXTS, Monkey

from askew.evaluation import evaluate
from askew_gui import intents

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from askew.session import Session
    from askew.vectors.table import WordVectors
    from askew_gui.window import Window

    Tables = tuple[WordVectors, ...]

DATA = Path(__file__).resolve().parents[2] / "data"
SEED = int(os.environ.get("ASKEW_MONKEY_SEED", "1"))
STEPS = int(os.environ.get("ASKEW_MONKEY_STEPS", "0"))
CHECK_EVERY = 50


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Files of every kind, in a folder of the test: what is opened may leave something beside them."""
    shutil.copytree(DATA / "cases", tmp_path / "cases")
    shutil.copytree(DATA / "sessions", tmp_path / "kept")
    shutil.copytree(DATA.parent / "gui/pictures", tmp_path / "pictures")
    found = sorted(file for file in tmp_path.rglob("*") if file.is_file() and file.suffix != ".json")
    return [*found, tmp_path / "missing.txt", tmp_path / "cases"]


def settle(window: Window, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.store.jobs.idle, timeout=60_000)


def check(window: Window, qtbot: QtBot) -> None:
    """Check what always holds once nothing is running."""
    settle(window, qtbot)
    store = window.store
    shown, fresh = store.evaluation, evaluate(store.experiment, store.vectors)
    assert not store.stale
    assert shown.experiment == store.experiment
    assert shown.sentence == fresh.sentence
    for one, other in zip(arrays(shown), arrays(fresh), strict=True):
        assert np.array_equal(one, other, equal_nan=True)


def arrays(evaluation: object) -> list[np.ndarray]:
    raw, heads = evaluation.raw, evaluation.heads  # type: ignore[attr-defined]
    return [raw.scores, raw.pattern, *(head.pattern for head in heads), *(head.scores for head in heads)]


def check_history(window: Window, qtbot: QtBot) -> None:
    """Check that undo goes back to the first state and redo to the last, by the same states."""
    store = window.store
    settle(window, qtbot)
    while store.undo_stack.canRedo():
        store.redo()
    last, states = store.experiment, []
    while store.undo_stack.canUndo():
        states.append(store.experiment)
        store.undo()
    first = store.experiment
    for wanted in reversed(states):
        store.redo()
        assert store.experiment == wanted
    assert store.experiment == last
    while store.undo_stack.canUndo():
        store.undo()
    assert store.experiment == first
    check(window, qtbot)


def warm_up(window: Window, qtbot: QtBot) -> None:
    """Have every panel made, and what is used once be as large as it gets, before memory is compared."""
    for name in window.tabs.names:
        window.tabs.open(name)
        QApplication.processEvents()
    if window.weights is not None:
        for mode in window.weights.modes:
            mode.click()
            QApplication.processEvents()
    window.resize(1600, 1000)
    intents.set_shape(window.store, count=64)
    for text in (PAGE, TEXTS[0]):
        intents.set_text(window.store, text)
        settle(window, qtbot)
        QApplication.processEvents()


def rest(window: Window, qtbot: QtBot, start: Session, tables: Tables) -> None:
    """Bring the window back to where it began, so that one memory can be compared with another."""
    if window.presenting:
        window.set_presenting(False)
    window.set_text_scale(1.0)
    window.set_theme("light")
    window.actions_table["reset-layout"].trigger()
    QApplication.clipboard().clear()
    window.store.replace_session(start, tables)
    window.store.copied_head = None
    while window.messages.current is not None:
        window.messages.dismiss()
    window.recovery.keep()  # it remembers the session that it kept last
    settle(window, qtbot)
    QApplication.processEvents()


def play(window: Window, qtbot: QtBot, files: list[Path], steps: int, seed: int) -> list[float]:
    """Let a monkey act; return the memory after each thousand of steps."""
    random.seed(seed)
    monkey, used, start = Monkey(window, seed, files), [], window.store.session
    tables = window.store.tables
    warm_up(window, qtbot)
    rest(window, qtbot, start, tables)
    try:
        for step in range(1, steps + 1):
            monkey.act()
            if step % CHECK_EVERY == 0:
                check(window, qtbot)
            if step % 1000 == 0:
                check_history(window, qtbot)
                rest(window, qtbot, start, tables)
                used.append(memory())
        check_history(window, qtbot)
    except BaseException:
        print(f"\nASKEW_MONKEY_SEED={seed}, the last things done:", *monkey.done, sep="\n  ")
        raise
    finally:
        monkey.stop()
    settle(window, qtbot)
    return used


def test_two_hundred_random_actions_break_nothing(zoo: Window, qtbot: QtBot, files: list[Path]) -> None:
    play(zoo, qtbot, files, STEPS or 200, SEED)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(not STATM.exists(), reason="memory is read from Linux's /proc")
def test_two_thousand_random_actions_break_nothing_and_keep_no_memory(
    zoo: Window, qtbot: QtBot, files: list[Path]
) -> None:
    first, *_, last = play(zoo, qtbot, files, max(STEPS, 2000), SEED)
    print(f"seed {SEED}: {first:.0f} MB, {last:.0f} MB")
    assert last < 1.05 * first
