"""Pictures without a screen, as the command line asks for them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from askew.errors import AskewError
from askew.experiment import evaluate
from askew_gui.export.carrying import can_carry, carried_session
from askew_gui.export.picture_file import format_of, picture_bytes
from askew_gui.export.spec import FORMATS
from askew_gui.fonts import load_fonts

if TYPE_CHECKING:
    from askew.experiment import Evaluation
    from askew_gui.export.spec import PictureSpec


def gui_without_screen() -> QGuiApplication:
    """Return a Qt application that paints text in the program's fonts; windows are not needed for that."""
    existing = QGuiApplication.instance()
    application = existing if isinstance(existing, QGuiApplication) else QGuiApplication(["askew"])
    load_fonts()  # before anything is laid out: widths of text are measured then
    return application


def rendered(evaluation: Evaluation, spec: PictureSpec, head: int | None, output: str) -> tuple[bytes, str]:
    """Return the content of the file `output`, and what is to be said of it.

    Raises
    ------
    AskewError
        If there is no such head, or it cannot be painted.
    """
    if not spec.all_heads:
        evaluation = showing(evaluation, head or 0)
    known = output.lower().endswith(tuple(f".{name}" for name in FORMATS))
    file_format = format_of(output) if known else "png"  # pipes and devices may have any name
    session, why_not = None, ""
    if spec.carry and can_carry(file_format):
        session, why_not = carried_session(evaluation)
    note = f"the picture does not carry its experiment: {why_not}" if why_not else ""
    return picture_bytes(evaluation, spec, file_format, session), note


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
