"""The window: its parts, what folds when it is small, what is remembered, what is dropped on it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QByteArray, QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLabel, QMenu, QToolTip, QWidget

from askew.vectors import WordVectors
from askew_gui import intents, theme
from askew_gui.context_menus import fill_recent
from askew_gui.dialogs.about import about_dialog, keys_text
from askew_gui.dialogs.export import ExportDialog, ask_and_export
from askew_gui.fonts import ui_font
from askew_gui.settings import Settings
from askew_gui.window import SMALLEST, Window

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from askew_gui.jobs import Job
    from askew_gui.store import Store


@pytest.fixture(autouse=True)
def usual_text(dressed_app: QApplication) -> Iterator[None]:
    yield
    dressed_app.setFont(ui_font())


def vector_file(folder: Path, name: str = "mine.txt", dim: int = 7) -> Path:
    file = folder / name
    lines = [
        f"{word} " + " ".join(f"{(i + 1) * (j + 1) / 10}" for j in range(dim)) for i, word in enumerate(WORDS)
    ]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


WORDS = ["the", "animal", "cat", "dog"]


def click_tab(window: Window, qtbot: QtBot, name: str) -> None:
    place = window.tabs.bar.tabRect(window.tabs.names.index(name)).center()
    qtbot.mouseClick(window.tabs.bar, Qt.MouseButton.LeftButton, pos=place)


# Folding


def test_at_its_designed_size_everything_is_in_sight(window: Window) -> None:
    window.resize(1440, 900)
    for part in (window.sentence, window.heads, window.maps, window.grid, window.tabs, window.inspector):
        assert part.isVisible()
    assert window.tabs.names == ("weights", "measures")
    assert not window.tabs.folded


def test_below_1280_the_inspector_is_a_tab_and_comes_back_when_there_is_room(
    window: Window, qtbot: QtBot
) -> None:
    window.resize(1279, 900)
    assert window.tabs.names == ("weights", "measures", "inspector")
    click_tab(window, qtbot, "inspector")
    assert window.inspector.isVisible()
    assert window.tabs.isAncestorOf(window.inspector)
    window.resize(1280, 900)
    assert "inspector" not in window.tabs.names
    assert window.inspector.isVisible()
    assert not window.tabs.isAncestorOf(window.inspector)


def test_below_800_the_tabs_start_folded_and_a_click_unfolds_and_folds(window: Window, qtbot: QtBot) -> None:
    window.resize(1100, 700)
    assert window.tabs.folded
    assert window.tabs.height() == window.tabs.folded_height()
    click_tab(window, qtbot, "weights")
    assert not window.tabs.folded
    assert window.weights is not None
    assert window.weights.isVisible()
    click_tab(window, qtbot, "measures")
    assert not window.tabs.folded
    assert window.tabs.current == "measures"
    click_tab(window, qtbot, "measures")
    assert window.tabs.folded
    window.resize(1100, 900)
    assert not window.tabs.folded


def test_a_window_that_starts_small_starts_folded(store: Store, settings: Settings, qtbot: QtBot) -> None:
    window = Window(store, settings)
    qtbot.addWidget(window)
    window.resize(1100, 700)
    window.show()
    assert window.tabs.folded
    assert "inspector" in window.tabs.names


@pytest.mark.parametrize("size", [(1100, 700), (1440, 900)])
@pytest.mark.parametrize("count", [0, 1, 12, 300])
def test_nothing_needs_more_room_than_the_window_has(
    window: Window, store: Store, qtbot: QtBot, size: tuple[int, int], count: int
) -> None:
    window.resize(*size)
    intents.set_text(store, "animal " * count)
    intents.randomize(store)
    qtbot.waitUntil(lambda: not store.stale)
    QApplication.processEvents()
    assert (window.width(), window.height()) == size
    assert window.minimumSizeHint().width() <= size[0]
    assert window.minimumSizeHint().height() <= size[1]


def test_the_top_row_shortens_what_does_not_fit(window: Window, store: Store) -> None:
    for text in range(3):
        intents.set_text(store, f"the cat {text}")
    window.resize(1440, 900)
    button = window.topbar._actions[0]
    assert button.text() == "Undo typing"
    window.resize(1000, 700)
    assert button.text() == ""
    assert button.accessibleName() == "Undo typing"
    export = window.topbar._actions[-1]
    assert export.geometry().right() <= window.topbar.width()
    assert window.topbar.menus.width() >= window.topbar.menus.sizeHint().width()


@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_in_the_smallest_window_no_menu_is_covered_by_a_button(window: Window, scale: float) -> None:
    window.set_text_scale(scale)
    window.resize(*SMALLEST)
    QApplication.processEvents()
    bar = window.topbar
    shown = [button for button in (*bar._actions, *bar._menus) if button.isVisible()]
    assert all(bar.menus.geometry().right() < button.x() for button in shown)
    last = bar.menus.actionGeometry(bar.menus.actions()[-1])
    assert bar.menus.rect().contains(last)
    window.set_text_scale(1.0)
    window.resize(1440, 900)
    QApplication.processEvents()
    assert all(button.isVisible() for button in (*bar._actions, *bar._menus))


def test_a_longer_undo_takes_no_room_from_the_menus(window: Window, store: Store) -> None:
    window.resize(1100, 700)
    undo = window.topbar._actions[0]
    assert undo.text() == "Undo"
    window.sentence.toggle_left_out(1)
    QApplication.processEvents()
    assert undo.text() == ""
    assert "leaving out animal" in undo.toolTip()
    assert window.topbar.menus.width() >= window.topbar.menus.sizeHint().width()
    store.undo()
    QApplication.processEvents()
    assert undo.text() == "Undo"


def test_the_icons_of_the_top_row_are_drawn_after_the_first_picture(
    store: Store, settings: Settings, qtbot: QtBot
) -> None:
    window = Window(store, settings)
    qtbot.addWidget(window)
    undo = window.topbar._actions[0]
    blank = undo.icon().pixmap(15, 15).toImage()
    assert {blank.pixelColor(x, y).alpha() for x in range(15) for y in range(15)} == {0}
    window.show()
    qtbot.waitUntil(lambda: undo.icon().pixmap(15, 15).toImage() != blank, timeout=5000)


# Memory


def reopened(window: Window, store: Store, qtbot: QtBot) -> Window:
    window.close()
    again = Window(store, Settings())
    qtbot.addWidget(again)
    again.show()
    return again


def test_geometry_tab_and_columns_are_remembered(
    window: Window, store: Store, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The screen of these tests is smaller than the window: Qt would make it fit.
    restored: list[QByteArray] = []
    monkeypatch.setattr(Window, "restoreGeometry", lambda _self, state: restored.append(state))
    click_tab(window, qtbot, "measures")
    window.body.setSizes([300, 900, 300])
    left = window.body.sizes()[0]
    saved = window.saveGeometry()
    again = reopened(window, store, qtbot)
    assert restored == [saved]
    assert again.tabs.current == "measures"
    assert abs(again.body.sizes()[0] - left) <= 2


def test_a_high_tab_is_as_high_again_after_folding_and_in_the_next_window(
    window: Window, store: Store, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Window, "restoreGeometry", lambda _self, _state: True)
    window.show()
    QApplication.processEvents()
    room = sum(window.centre.sizes())
    window.centre.setSizes([room // 2, room - room // 2])
    high = window.centre.sizes()[1]
    for _ in range(2):
        click_tab(window, qtbot, "weights")
        QApplication.processEvents()
    assert abs(window.centre.sizes()[1] - high) <= 2
    again = reopened(window, store, qtbot)
    QApplication.processEvents()
    assert abs(again.centre.sizes()[1] - high) <= 2


def test_a_folded_tab_is_remembered(window: Window, store: Store, qtbot: QtBot) -> None:
    click_tab(window, qtbot, "weights")
    assert window.tabs.folded
    assert reopened(window, store, qtbot).tabs.folded


def test_reset_layout_goes_back_to_the_first_day(window: Window, qtbot: QtBot) -> None:
    click_tab(window, qtbot, "weights")
    window.resize(1100, 700)
    window.set_theme("dark")
    window.actions_table["reset-layout"].trigger()
    assert (window.width(), window.height()) == (1440, 900)
    assert not window.tabs.folded
    assert window.inspector.isVisible()
    assert window.settings.theme == "dark"


@pytest.mark.parametrize("geometry", ["", "nonsense", "AAAA"])
def test_a_geometry_that_makes_no_sense_is_ignored(
    store: Store, settings: Settings, qtbot: QtBot, geometry: str
) -> None:
    settings.geometry = geometry
    window = Window(store, settings)
    qtbot.addWidget(window)
    window.show()
    assert (window.width(), window.height()) == (1440, 900)


# Look


@pytest.mark.parametrize("name", ["light", "dark"])
def test_a_theme_dresses_every_part_at_once(window: Window, name: theme.ThemeName) -> None:
    window.set_theme(name)
    colours = {"light": theme.LIGHT, "dark": theme.DARK}[name]
    picture = window.grab().toImage()
    assert picture.pixelColor(3, 3).name() == colours.window
    assert picture.pixelColor(window.maps.mapTo(window, QPoint(2, 2))).name() == colours.canvas
    assert window.actions_table[f"theme-{name}"].isChecked()
    assert Settings().theme == name


def test_ctrl_and_plus_or_the_wheel_change_the_size_of_all_text(window: Window, qtbot: QtBot) -> None:
    before = QApplication.font().pointSizeF()
    height = window.sentence.edit.height()
    window.actions_table["larger"].trigger()
    turn_wheel(window, 120)
    assert QApplication.font().pointSizeF() == pytest.approx(before * 1.21, rel=0.01)
    QApplication.processEvents()
    assert window.sentence.edit.height() > height
    turn_wheel(window, -120)
    window.actions_table["smaller"].trigger()
    assert QApplication.font().pointSizeF() == pytest.approx(before, rel=0.01)
    window.actions_table["larger"].trigger()
    window.actions_table["normal"].trigger()
    assert window.settings.text_scale == 1.0


def turn_wheel(window: Window, delta: int) -> None:
    place = QPointF(window.rect().center())
    event = QWheelEvent(
        place,
        place,
        QPoint(),
        QPoint(0, delta),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(window, event)


def test_large_text_folds_the_window_like_a_small_one(window: Window) -> None:
    least = window.left.minimumWidth()
    window.set_text_scale(1.5)
    assert window.tabs.folded
    assert "inspector" in window.tabs.names
    assert window.left.minimumWidth() == round(1.5 * least)
    window.set_text_scale(1.0)
    assert not window.tabs.folded
    assert window.left.minimumWidth() == least


def test_a_button_cut_for_large_text_says_all_again_in_usual_text(window: Window, store: Store) -> None:
    undo = window.topbar._actions[0]
    intents.toggle_lock(store, 1)
    intents.toggle_lock(store, 1)
    QApplication.processEvents()
    whole = undo.text()
    window.set_text_scale(1.4)
    QApplication.processEvents()
    assert undo.text() != whole
    window.set_text_scale(1.0)
    QApplication.processEvents()
    assert undo.text() == whole


def test_text_never_grows_or_shrinks_out_of_sight(window: Window) -> None:
    for _ in range(30):
        window.actions_table["larger"].trigger()
    assert window.settings.text_scale == 2.5
    for _ in range(60):
        window.actions_table["smaller"].trigger()
    assert window.settings.text_scale == 0.6


def test_present_mode_shows_the_sentence_and_the_maps_alone(window: Window, qtbot: QtBot) -> None:
    window.actions_table["present"].trigger()
    assert window.presenting
    assert window.sentence.isVisible()
    assert window.maps.isVisible()
    assert not any(part.isVisible() for part in (window.heads, window.tabs, window.inspector, window.topbar))
    window.maps.setFocus()
    qtbot.keyClick(window.maps, Qt.Key.Key_Escape)
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.presenting
    assert window.topbar.isVisible()


# Files


def dropped(window: Window, *files: Path) -> QDropEvent:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    place = window.rect().center()
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(place, copy, mime, left, none)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted() == bool(files)
    drop = QDropEvent(QPointF(place), copy, mime, left, none)
    QApplication.sendEvent(window, drop)
    return drop


def test_a_dropped_vector_file_is_opened_and_undo_brings_the_old_back(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    before = store.experiment
    file = vector_file(tmp_path, "Ünï 文件 (1).vec")
    with qtbot.waitSignal(store.changed, timeout=5000):
        dropped(window, file)
    assert store.vectors.dim == 7
    assert "Ünï 文件 (1)" in store.experiment.vectors.name
    assert window.messages.current is not None
    assert "7 numbers per word instead of 20" in window.messages.current.text
    store.undo()
    assert store.experiment is before
    assert store.vectors.dim == 20


def test_what_is_not_a_file_is_not_taken(window: Window, store: Store) -> None:
    dropped(window)
    assert store.jobs.idle


def test_a_file_that_cannot_be_read_becomes_a_message_and_changes_nothing(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    before = store.experiment
    file = tmp_path / "page.txt"
    file.write_text("<!DOCTYPE html><html><body>Not found</body></html>")
    window.open_file(str(file))
    qtbot.waitUntil(lambda: window.messages.current is not None, timeout=5000)
    assert window.messages.current is not None
    assert window.messages.current.level == "error"
    assert window.messages.current.remedy
    assert store.experiment is before


def test_ctrl_z_in_a_field_of_a_panel_undoes_the_experiment(
    window: Window, store: Store, qtbot: QtBot
) -> None:
    intents.randomize(store, seed=5)
    field = window.heads.form.seed
    field.setFocus()
    qtbot.keyClicks(field, "7")
    qtbot.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert store.undo_stack.index() == 0


def test_of_two_files_the_later_wins(window: Window, store: Store, qtbot: QtBot, tmp_path: Path) -> None:
    first, second = vector_file(tmp_path, "first.txt", 6), vector_file(tmp_path, "second.txt", 9)
    window.open_file(str(first))
    window.open_file(str(second))
    qtbot.waitUntil(lambda: store.jobs.idle, timeout=5000)
    assert store.vectors.dim == 9
    assert store.undo_stack.count() == 1


def test_a_recent_file_is_opened_again_from_the_menu(
    window: Window, store: Store, qtbot: QtBot, tmp_path: Path
) -> None:
    menu = QMenu(window)
    fill_recent(window, menu)
    assert [action.isEnabled() for action in menu.actions()] == [False]
    with qtbot.waitSignal(store.changed, timeout=5000):
        window.open_file(str(vector_file(tmp_path, "A&B.txt")))
    window.open_file(str(tmp_path / "missing.txt"))
    qtbot.waitUntil(lambda: store.jobs.idle, timeout=5000)
    store.undo()
    fill_recent(window, menu)
    assert [action.text() for action in menu.actions()] == ["A&&B.txt"]
    with qtbot.waitSignal(store.changed, timeout=5000):
        menu.actions()[0].trigger()
    assert store.vectors.dim == 7


def test_progress_is_shown_for_what_takes_long_and_cancel_stops_it(
    window: Window, store: Store, qtbot: QtBot
) -> None:
    def work(job: Job) -> None:
        while True:
            job.report(250_000_000, 1_000_000_000)

    job = store.jobs.submit("files", work, fail, fail, topic="vectors", label="Opening big.txt")
    assert not window.progress.isVisible()
    qtbot.waitUntil(window.progress.isVisible, timeout=5000)
    said = " ".join(label.text() for label in window.progress.findChildren(QLabel))
    assert "Opening big.txt" in said
    assert "250 of 1,000 MB" in said
    qtbot.mouseClick(window.progress._cancel, Qt.MouseButton.LeftButton)
    assert job.cancelled
    assert not window.progress.isVisible()
    qtbot.waitUntil(lambda: store.jobs.idle, timeout=5000)


def fail(what: object) -> None:
    raise AssertionError(f"this should not have arrived: {what}")


# Dialogs


def test_about_names_version_libraries_and_licences(window: Window, qtbot: QtBot) -> None:
    dialog = about_dialog(window)
    qtbot.addWidget(dialog)
    text = dialog.text.toPlainText()
    for what in ("Python 3.", "numpy ", "PySide6", "PDDL", "SIL OPEN FONT LICENSE"):
        assert what.lower() in text.lower()


def test_about_and_keyboard_open_and_close_from_the_menu(window: Window, qtbot: QtBot) -> None:
    for name in ("about", "keys"):
        window.actions_table[name].trigger()
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QDialog)
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
        assert not dialog.isVisible()


def test_the_sheet_of_keys_has_every_shortcut(window: Window) -> None:
    text = keys_text(window)
    for spec in window.actions_table.specs:
        for key in spec.keys:
            assert key in text


def test_the_export_dialog_previews_and_remembers(store: Store, settings: Settings, qtbot: QtBot) -> None:
    dialog = ExportDialog(store.evaluation, settings)
    qtbot.addWidget(dialog)
    assert dialog.image().width() == 1600
    dialog.pixels.setValue(1000)
    assert dialog.image().width() == 1000
    assert "1000 ×" in dialog.size_line.whole_text
    light = dialog.preview.pixmap().toImage()
    dialog.dark.setChecked(True)
    assert dialog.preview.pixmap().toImage() != light
    dialog.accept()
    assert Settings().export_width == 1000


def test_every_view_of_the_export_dialog_has_a_preview(
    store: Store, settings: Settings, qtbot: QtBot
) -> None:
    dialog = ExportDialog(store.evaluation, settings)
    qtbot.addWidget(dialog)
    for index in range(dialog.view.count()):
        dialog.view.setCurrentIndex(index)
        assert not dialog.preview.pixmap().isNull()


@pytest.mark.parametrize("name", ["picture", "picture.png"])
def test_an_export_is_a_file_of_the_width_asked(
    window: Window, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    from PySide6.QtGui import QImage

    window.settings.export_width = 700
    monkeypatch.setattr(ExportDialog, "exec", lambda _self: QDialog.DialogCode.Accepted)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(tmp_path / name), ""))
    window.actions_table["export"].trigger()
    assert QImage(str(tmp_path / "picture.png")).width() == 700
    assert window.messages.current is not None
    assert window.messages.current.level == "info"


def test_a_name_without_its_ending_replaces_no_file_unasked(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "picture.png"
    old.write_bytes(b"mine")
    answers = [str(tmp_path / "picture"), ""]
    suggested: list[str] = []

    def ask(_parent: QWidget, _title: str, suggestion: str, _kind: str) -> tuple[str, str]:
        suggested.append(suggestion)
        return answers.pop(0), ""

    monkeypatch.setattr(ExportDialog, "exec", lambda _self: QDialog.DialogCode.Accepted)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    assert not ask_and_export(window, window.store, window.settings)
    assert old.read_bytes() == b"mine"
    assert suggested[1] == str(old)


def test_an_export_that_is_cancelled_writes_nothing(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ExportDialog, "exec", lambda _self: QDialog.DialogCode.Rejected)
    assert not ask_and_export(window, window.store, window.settings)
    monkeypatch.setattr(ExportDialog, "exec", lambda _self: QDialog.DialogCode.Accepted)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: ("", ""))
    assert not ask_and_export(window, window.store, window.settings)
    assert list(tmp_path.glob("*.png")) == []


def test_an_export_to_a_place_that_cannot_be_written_says_so(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ExportDialog, "exec", lambda _self: QDialog.DialogCode.Accepted)
    target = str(tmp_path / "no such folder" / "x.png")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (target, ""))
    assert not ask_and_export(window, window.store, window.settings)
    assert window.messages.current is not None
    assert window.messages.current.level == "error"


# Errors and the end


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


@pytest.mark.parametrize("name", ["light", "dark"])
def test_the_right_mouse_button_opens_menus_on_maps_and_grid(
    window: Window, qtbot: QtBot, name: theme.ThemeName
) -> None:
    window.set_theme(name)
    place = window.mapToGlobal(QPoint(600, 300))
    for open_menu in (
        partial(window.maps.menu_requested.emit, place, 1),
        partial(window.grid.menu_requested.emit, place, 2),
        partial(window.grid.menu_requested.emit, place, -1),
    ):
        open_menu()
        popup = QApplication.activePopupWidget()
        assert popup is not None
        popup.close()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_a_locked_cell_is_let_go_when_the_tokens_change(window: Window, store: Store) -> None:
    window.focus.lock((2, 3))
    intents.randomize(store)
    assert window.focus.locked == (2, 3)
    intents.set_text(store, "the cat")
    assert window.focus.locked is None
    window.focus.lock((1, 0))
    fewer = WordVectors.from_arrays(["cat", "dog"], np.eye(2, 20, dtype=np.float32), name="fewer")
    intents.use_vectors(store, fewer)
    assert window.focus.locked is None  # row 2 would be another word, or none


def test_a_tooltip_goes_when_the_numbers_it_tells_change(window: Window, store: Store, qtbot: QtBot) -> None:
    window.show()
    qtbot.waitExposed(window)
    QToolTip.showText(window.mapToGlobal(QPoint(600, 300)), "row 1 looks at column 2: 0.250", window.maps)
    assert QToolTip.isVisible()
    intents.set_field(store, "quantity", "scores", "scores")
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_enter_in_the_sentence_goes_to_the_maps_with_a_ring_around_them(window: Window, qtbot: QtBot) -> None:
    window.show()
    window.activateWindow()
    window.sentence.edit.setFocus()
    plain = window.maps.grab().toImage()
    qtbot.keyClick(window.sentence.edit, Qt.Key.Key_Return)
    assert window.maps.hasFocus()
    ringed, middle = window.maps.grab().toImage(), window.maps.width() // 2
    assert ringed.pixelColor(middle, 1) != plain.pixelColor(middle, 1)


@pytest.mark.parametrize("tab", ["weights", "measures"])
def test_everything_that_takes_the_focus_has_a_name_for_screen_readers(window: Window, tab: str) -> None:
    window.tabs.open(tab)
    nameless = [
        f"{type(widget).__name__} in {type(widget.parentWidget()).__name__}"
        for widget in window.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.isVisible()
        and widget.focusProxy() is None
        and not (widget.accessibleName() or getattr(widget, "text", str)())
    ]
    assert nameless == []


def test_the_tab_key_goes_round_the_whole_window(window: Window, qtbot: QtBot) -> None:
    window.activateWindow()
    window.sentence.edit.setFocus()
    seen: list[QWidget] = []
    for _ in range(120):
        focus = QApplication.focusWidget()
        assert focus is not None
        if focus in seen[:1]:
            break
        seen.append(focus)
        qtbot.keyClick(focus, Qt.Key.Key_Tab)
    for part in (window.sentence.chips, window.maps, window.grid, window.heads.form.seed):
        assert part in seen


def test_a_closed_window_asks_the_store_nothing(
    window: Window, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.close()
    monkeypatch.setattr(window.actions_table, "refresh", partial(fail, "a refresh"))
    intents.randomize(store)
    window.refresh_actions()
