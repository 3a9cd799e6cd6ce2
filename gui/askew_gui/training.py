"""Training beside the window: one process, what it tells, where its result goes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from askew_gui import paths
from askew_gui.helper import Helper

if TYPE_CHECKING:
    from pathlib import Path

    from askew.vectors.training import Recipe
    from askew_gui.helper import Failure


class Trainer(QObject):
    """Trains on one text at a time.

    Signals
    -------
    changed()
        It began, went on or ended.
    trained(path)
        The file with the vectors is written.
    failed(failure)
        It came to nothing.
    """

    changed = Signal()
    trained = Signal(str)
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.helper: Helper | None = None
        self.losses: list[float] = []
        self.done = self.total = 0
        self._output: Path | None = None
        self._begun = 0.0

    @property
    def is_running(self) -> bool:
        """Whether it is at work."""
        return self.helper is not None

    def start(self, text: Path, recipe: Recipe) -> None:
        """Begin; the result gets the name of the text."""
        self.cancel()
        self._output = free_place(text.stem)
        self.losses, self.done, self.total = [], 0, 0
        self._begun = time.monotonic()
        self.helper = Helper(arguments(text, self._output, recipe), self)
        self.helper.told.connect(self._on_told)
        self.helper.ended.connect(self._on_ended)
        self.changed.emit()

    def cancel(self) -> None:
        """End it; nothing is left."""
        helper, self.helper = self.helper, None
        if helper is not None:
            helper.cancel()
            self.changed.emit()

    def close(self) -> None:
        """End it before the window goes."""
        self.cancel()
        for helper in self.findChildren(Helper):
            helper.close()

    def seconds_left(self) -> float | None:
        """Return the time left at the pace so far, or None while it is too early to tell."""
        passed = time.monotonic() - self._begun
        return passed * (self.total - self.done) / self.done if self.done and passed > 1 else None

    def _on_told(self, facts: dict[str, Any]) -> None:
        if "loss" in facts:
            self.losses.append(facts["loss"])
        elif "done" in facts:
            self.done, self.total = facts["done"], facts["total"]
        self.changed.emit()

    def _on_ended(self, failure: Failure | None) -> None:
        self.helper = None
        self.changed.emit()
        if failure is None:
            self.trained.emit(str(self._output))
        else:
            self.failed.emit(failure)


def arguments(text: Path, output: Path, recipe: Recipe) -> list[str]:
    """Return the arguments of the command that trains."""
    numbers = [f"--{name}={getattr(recipe, name)}" for name in ("dim", "window", "least", "epochs", "seed")]
    method = "--skip-gram" if recipe.skip_gram else "--cbow"
    case = "--lower" if recipe.lower else "--keep-capitals"
    return ["vectors", "train", *numbers, method, case, "--", str(text.absolute()), str(output)]


def free_place(name: str) -> Path:
    """Return a place for vectors of that name that no file has yet."""
    folder = paths.data_dir() / "trained"
    folder.mkdir(exist_ok=True)
    place, number = folder / f"{name}.safetensors", 1
    while place.exists():
        number += 1
        place = folder / f"{name} {number}.safetensors"
    return place
