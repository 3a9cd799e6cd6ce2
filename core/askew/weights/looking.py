"""A first look at a file with weights: its kind by its content, its names, shapes and types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askew.errors import WeightsError

if TYPE_CHECKING:
    import os

    from askew.weights.model import WeightsFile


def look(path: str | os.PathLike[str]) -> WeightsFile:
    """Look at a file, or at a folder that holds model.safetensors.

    Raises
    ------
    WeightsError
        If it cannot be read, is no file of weights, or holds Python objects or no matrices.
    """
    raise WeightsError(f"cannot read {path}")


def look_text(text: str, name: str = "clipboard") -> WeightsFile:
    """Look at a pasted table.

    Raises
    ------
    WeightsError
        Naming row and column, counted from 1, if it is empty or ragged or a cell is no number.
    """
    raise WeightsError("there is no table in it", where=name)
