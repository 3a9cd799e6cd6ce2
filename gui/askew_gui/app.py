"""Starting the program."""

from __future__ import annotations

import gc
import sys
from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from askew.experiment import Experiment
    from askew.vectors.table import WordVectors
    from askew_gui.settings import Settings
    from askew_gui.store import Store
    from askew_gui.window import Window

FIRST_EXAMPLE = "trained"
BEFORE_VECTORS = "glove-random"
EXIT_SECONDS = 0.3  # after up to 1.2 in which the window waits for what it saves; all in all under 2
A_WHILE = 30  # ms after which the first picture is on the screen and all panels are there


def run(
    experiment: Experiment | None = None,
    vectors: WordVectors | None = None,
    *,
    file: str | None = None,
    argv: Sequence[str] = ("askew",),
) -> int:
    """Open the window and stay until it is closed; return the exit code.

    Parameters
    ----------
    experiment, vectors
        What to show first, and its table; without them, the first example on the bundled vectors.
    file
        A file to open once the window is on screen.
    argv
        Arguments for Qt, the program's name first.
    """
    gc.disable()  # nothing is thrown away before the first picture; to look for it takes a tenth of the time
    from askew_gui.crash_reports import CrashReport
    from askew_gui.ending import EndSignals
    from askew_gui.faults import ErrorCatcher
    from askew_gui.session_start import beginning

    crash_report = CrashReport()
    left = crash_report.begin()
    app = make_app(argv)
    catcher = ErrorCatcher(app)
    catcher.install()
    settings = _settings_applied(app)
    begun = beginning(show_last=experiment is None and vectors is None and file is None)
    last = begun.store()
    name = example_before(file)
    store = last or first_store(experiment, vectors, name)
    window = _window(store, settings, name if experiment is None and last is None else None)
    begun.show_in(window)
    catcher.tell(window.messages.say_caught)
    signals = EndSignals(app)
    signals.asked.connect(window.end)
    signals.install()
    window.show()
    _after_a_while(window, partial(begun.follow_in, window, left), file)
    code = app.exec()
    signals.remove()
    catcher.remove()
    ended = store.jobs.close(timeout=EXIT_SECONDS)
    crash_report.end()
    if not ended:
        _leave_now(code)
    return code


def make_app(argv: Sequence[str] = ("askew",)) -> QApplication:
    """Return the Qt application with the program's name, icon and fonts."""
    from askew_gui.fonts import load_fonts
    from askew_gui.theme import FUSION, STYLE_ARGUMENTS

    app = cast("QApplication | None", QApplication.instance())
    if app is None:
        app = QApplication([*argv, *STYLE_ARGUMENTS])
        app.setProperty(FUSION, True)
    app.setApplicationName("askew")
    app.setApplicationDisplayName("Askew")
    app.setDesktopFileName("askew")
    load_fonts()
    return app


def _settings_applied(app: QApplication) -> Settings:
    """Return the settings; letters and colours are as they say."""
    from askew_gui import theme
    from askew_gui.fonts import ui_font
    from askew_gui.settings import Settings

    settings = Settings()
    app.setFont(ui_font(settings.text_scale))
    theme.apply_theme(app, settings.theme_name)
    return settings


def first_store(
    experiment: Experiment | None = None, vectors: WordVectors | None = None, name: str = FIRST_EXAMPLE
) -> Store:
    """Return the store of what is shown first: an experiment, else the example of a name."""
    from askew.examples import EXAMPLES, PLAIN_VECTORS, example
    from askew.vectors import open_vectors
    from askew_gui.store import Store

    vectors = vectors or open_vectors(EXAMPLES[name].vectors or PLAIN_VECTORS)
    return Store(experiment or example(name, vectors), vectors)


def example_before(file: str | None) -> str:
    """Return the example to show until a file is open: before other vectors, heads that they draw again."""
    if file is None:
        return FIRST_EXAMPLE
    from askew_gui.opening_any import kind_of

    return BEFORE_VECTORS if kind_of(file) == "vectors" else FIRST_EXAMPLE


def _window(store: Store, settings: Settings, name: str | None) -> Window:
    """Return the window, with the lines about the example of a name, if any."""
    from askew_gui.window import Window

    window = Window(store, settings)
    if name is not None:
        window.example_strip.begin(name)
    return window


def _after_a_while(window: Window, follow: Callable[[], None], file: str | None) -> None:
    """Do after the first picture what it need not wait for, then open a file if there is one."""
    QTimer.singleShot(A_WHILE, window, _after_first_picture)
    QTimer.singleShot(A_WHILE, window, follow)
    if file:
        QTimer.singleShot(A_WHILE, window, partial(window.open_file, file))


def _after_first_picture() -> None:
    """Do what the first picture need not wait for."""
    from askew import lexer_patterns  # noqa: F401  (the next word typed may need them)
    from askew_gui import theme

    gc.freeze()  # what is there now stays: never look at it again
    gc.enable()
    cast("QApplication", QApplication.instance()).setWindowIcon(theme.app_icon())


def _leave_now(code: int) -> None:
    """End the process although a worker is busy where it cannot be stopped; settings are on disk."""
    import os

    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
