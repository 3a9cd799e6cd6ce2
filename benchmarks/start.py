"""From the start of the process to the first painted window, each in a process of its own.

The real program is the command `askew` as it is installed, with the bundled vectors, until sentence and maps
are painted. The empty window is the least that numpy and PySide6 can do.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time

from benchmarks.table import Row

ROUNDS = 9
EMPTY = """
import sys, time
import numpy
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
class Window(QMainWindow):
    def paintEvent(self, event):
        QTimer.singleShot(0, leave)
def leave():
    print(time.time(), flush=True)
    app.quit()
app = QApplication(sys.argv)
window = Window()
window.resize(1440, 900)
window.show()
app.exec()
"""
NAIVE = """
import sys, time
import gensim.models
import numpy
import pyqtgraph
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
class Plots(pyqtgraph.GraphicsLayoutWidget):
    def paintEvent(self, event):
        super().paintEvent(event)
        QTimer.singleShot(0, leave)
def leave():
    print(time.time(), flush=True)
    app.quit()
app = QApplication(sys.argv)
window, plots = QMainWindow(), Plots()
for head in range(12):
    image = pyqtgraph.ImageItem(numpy.random.rand(12, 12), axisOrder="row-major")
    plots.addPlot(row=head // 4, col=head % 4).addItem(image)
window.setCentralWidget(plots)
window.resize(1440, 900)
window.show()
app.exec()
"""
REAL = """
import sys, time
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from askew_gui import app
class Watch(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.User))  # comes before timers
        return False
    def customEvent(self, event):
        print(time.time(), flush=True)
        app.QApplication.instance().quit()
first_store = app.first_store
def watched_store(*given):
    from askew_gui.window import Window
    show = Window.show
    def shown(window):
        window.watch = Watch(window)
        window.maps.installEventFilter(window.watch)
        show(window)
    Window.show = shown
    return first_store(*given)
app.first_store = watched_store
from askew_gui.start import main
sys.argv = ["askew"]
main()
"""


def rows() -> list[Row]:
    """Return the row of the table about starting."""
    sides = {"real": REAL, "empty": EMPTY, "naive": NAIVE}
    taken: dict[str, list[float]] = {name: [] for name in sides}
    with tempfile.TemporaryDirectory() as home:
        for code in sides.values():
            _milliseconds(code, home)
        for _ in range(ROUNDS):
            for name, code in sides.items():
                taken[name].append(_milliseconds(code, home))
    over_empty = _median_ratio(taken["real"], taken["empty"])
    under_naive = _median_ratio(taken["naive"], taken["real"])
    real = f"{statistics.median(taken['real']):.0f} ms"
    return [
        Row(
            "start to first painted maps",
            f"gensim and pyqtgraph at the top, 12 plots: {statistics.median(taken['naive']):.0f} ms",
            real,
            f"{under_naive:.1f}×",
            "≥ 4×",
            under_naive >= 4,
        ),
        Row(
            "the same",
            f"an empty numpy + PySide6 window: {statistics.median(taken['empty']):.0f} ms",
            real,
            f"{over_empty:.2f} of it",
            "≤ 1.8 of it",
            over_empty <= 1.8,
        ),
    ]


def _milliseconds(code: str, home: str) -> float:
    """Run `code` in a fresh interpreter with settings of its own; return ms until the time it prints."""
    environment = os.environ | {"HOME": home, "XDG_CONFIG_HOME": home, "XDG_CACHE_HOME": home}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else each start compiles what was edited last
    started = time.time()
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    return 1e3 * (float(done.stdout.split()[-1]) - started)


def _median_ratio(above: list[float], below: list[float]) -> float:
    return statistics.median(a / b for a, b in zip(above, below, strict=True))
