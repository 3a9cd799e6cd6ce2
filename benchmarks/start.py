"""From the start of the process to the first painted window, each in a process of its own.

The real program is the command `askew` as it is installed, with the bundled vectors, until sentence and maps
are painted. The empty window is the least that numpy and PySide6 can do.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.table import Row

if TYPE_CHECKING:
    from collections.abc import Iterator

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
ROOT = Path(__file__).resolve().parent.parent
PROBE = ROOT / "benchmarks" / "start_probe.py"
FROZEN = ROOT / "build" / "frozen" / "askew"
FROZEN_PROBE = ROOT / "build" / "pyinstaller" / "askew" / "askew-start-probe"
COLD_ROUNDS = 5


def rows() -> list[Row]:
    """Return the rows of the table about starting; the frozen program is there after `make installer`."""
    python = sys.executable
    commands = {"real": [python, str(PROBE)], "empty": [python, "-c", EMPTY], "naive": [python, "-c", NAIVE]}
    with tempfile.TemporaryDirectory() as home, _frozen_probe() as frozen:
        if frozen:
            commands["frozen"] = [str(frozen)]
        warm = _measured(commands, ROUNDS, home, cold=False)
        cold = _measured(commands, COLD_ROUNDS, home, cold=True)
    found = [
        _row("start to first painted maps", warm, "real", "naive", "≥ 4×"),
        _row("the same", warm, "real", "empty", "≤ 1.8 of it"),
        _row("the same, files not in memory", cold, "real", "naive", ""),
        _row("the same, files not in memory", cold, "real", "empty", ""),
    ]
    if frozen:
        found += [
            _row("start of the frozen program", warm, "frozen", "real", "≤ 1.25 of it"),
            _row("the same", warm, "frozen", "naive", ""),
            _row("the same", warm, "frozen", "empty", ""),
            _row("the same, files not in memory", cold, "frozen", "real", ""),
        ]
    return found


def _row(what: str, taken: dict[str, list[float]], ours: str, baseline: str, bar: str) -> Row:
    """Return a row; a bar of `≥` is a factor, one of `≤` a share."""
    texts = {
        "naive": "gensim and pyqtgraph at the top, 12 plots",
        "empty": "an empty numpy + PySide6 window",
        "real": "Askew from its environment",
    }
    as_factor = baseline == "naive"
    above, below = (baseline, ours) if as_factor else (ours, baseline)
    ratio = statistics.median(a / b for a, b in zip(taken[above], taken[below], strict=True))
    limit = float(bar.split()[1].rstrip("×")) if bar else 0.0
    return Row(
        what,
        f"{texts[baseline]}: {statistics.median(taken[baseline]):.0f} ms",
        f"{statistics.median(taken[ours]):.0f} ms",
        f"{ratio:.1f}×" if as_factor else f"{ratio:.2f} of it",
        bar,
        (ratio >= limit if as_factor else ratio <= limit) if bar else None,
    )


def _measured(
    commands: dict[str, list[str]], rounds: int, home: str, *, cold: bool
) -> dict[str, list[float]]:
    """Return the milliseconds of each command, all in turn, after one run of each."""
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for command in commands.values():
        _milliseconds(command, home)
    for _ in range(rounds):
        for name, command in commands.items():
            if cold:
                _forget(FROZEN if name == "frozen" else Path(sys.prefix))
            taken[name].append(_milliseconds(command, home))
    return taken


@contextmanager
def _frozen_probe() -> Iterator[Path | None]:
    """Lay the frozen probe beside the frozen program, whose files it shares, for as long as it is needed."""
    place = FROZEN / FROZEN_PROBE.name
    if not FROZEN_PROBE.exists() or not FROZEN.exists():
        yield None
        return
    shutil.copy(FROZEN_PROBE, place)
    try:
        yield place
    finally:
        place.unlink()


def _forget(folder: Path) -> None:
    """Let the system forget what it holds of the files of a folder."""
    for file in folder.rglob("*"):
        if file.is_file():
            handle = os.open(file, os.O_RDONLY)
            try:
                os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(handle)


def _milliseconds(command: list[str], home: str) -> float:
    """Run a command with settings of its own; return ms until the time it prints."""
    environment = os.environ | {"HOME": home, "ASKEW_HOME": home}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else each start compiles what was edited last
    started = time.time()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60)
    return 1e3 * (float(done.stdout.split()[-1]) - started)
