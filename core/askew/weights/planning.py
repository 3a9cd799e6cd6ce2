"""From the names and shapes of a file to what will become of them: pure, nothing is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askew.weights.model import Plan

if TYPE_CHECKING:
    from askew.heads import Head
    from askew.weights.model import Choice, WeightsFile


def plan(file: WeightsFile, choice: Choice, d_model: int | None = None, like: Head | None = None) -> Plan:
    """Say what will happen.

    Parameters
    ----------
    d_model
        Numbers per token vector; None: as the file has it.
    like
        A head in use: the widths that a file which lacks a matrix must have.

    Raises
    ------
    WeightsError
        If the file does not fit: other d_model, sizes that do not go together, too many numbers.
    """
    return Plan((), d_model, None, None, None, None)
