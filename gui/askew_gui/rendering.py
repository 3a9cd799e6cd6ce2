"""Pictures without a screen, as the command line asks for them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from askew.errors import AskewError
from askew.experiment import evaluate
from askew_gui.fonts import load_fonts

if TYPE_CHECKING:
    from askew.experiment import Evaluation


def gui_without_screen() -> QGuiApplication:
    """Return a Qt application that paints text in the program's fonts; windows are not needed for that."""
    existing = QGuiApplication.instance()
    application = existing if isinstance(existing, QGuiApplication) else QGuiApplication(["askew"])
    load_fonts()  # before anything is laid out: widths of text are measured then
    return application


def showing(evaluation: Evaluation, head: int) -> Evaluation:
    """Return the evaluation with one head shown; all numbers are shared.

    Raises
    ------
    AskewError
        If there is no such head.
    """
    count = len(evaluation.heads)
    if not 0 <= head < count:
        raise AskewError(f"there is no head {head}", remedy=f"Heads are 0 to {count - 1}")
    experiment = replace(evaluation.experiment, selected=(head,))
    return evaluate(experiment, evaluation.vectors, previous=evaluation)
