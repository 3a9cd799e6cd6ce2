"""Whether a file is one of weights or of word vectors, told by its content before anything is read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from askew.errors import AskewError
from askew.vectors.companions import APPENDED, COMMON_LISTS, LIST_ENDINGS
from askew.weights.looking import look
from askew.weights.naming import ANY

if TYPE_CHECKING:
    import os

    from askew.weights.model import WeightsFile

MOST_ROWS = 1 << 14
"""Rows of a bare matrix up to which it is taken for weights: no model is so wide, most tables are longer."""

_HEAD = 1 << 16
_LINES = 5
_NUMBER = re.compile(r"\s*[+\-\u2212]?(\d+[.,]?\d*|[.,]\d+)([eE][+\-]?\d+)?\s*", re.ASCII)
_BINARY = (b"PK", b"\x93NUMPY")
_TABLES = frozenset({"vectors", "embeddings", "embedding.weight"})


def holds_weights(path: str | os.PathLike[str], d_model: int | None = None) -> bool:
    """Tell whether a file or folder holds weights of heads rather than vectors of words.

    A model's folder does, and arrays named as those of attention. A bare matrix does if it is small, no list
    of words lies beside it and one of its sides is `d_model`; a table of text if it has no words. What cannot
    be read does not.

    Parameters
    ----------
    d_model
        Numbers per token vector; None is any.
    """
    place = Path(path)
    try:
        if place.is_dir():
            return _is_named(look(place))
        if not place.is_file():  # a pipe may never end
            return False
        with place.open("rb") as file:
            head = file.read(_HEAD)
        if head.startswith(_BINARY) or head[8:9] == b"{":
            found = look(place)
            return _is_named(found) or (found.kind == "npy" and _is_bare_matrix(found, place, d_model))
    except (AskewError, OSError):
        return False
    return _is_table_of_numbers(head)


def _is_named(file: WeightsFile) -> bool:
    """Whether an attention was found by its names, and no table with words of its own."""
    names = {tensor.name for tensor in file.tensors}
    if "vocab_utf8" in names and names & _TABLES:
        return False
    return any(ANY not in group.names for stack in file.stacks for group in stack.groups.values())


def _is_bare_matrix(file: WeightsFile, place: Path, d_model: int | None) -> bool:
    """Whether a matrix is small, and neither words lie beside it nor what it is a part of."""
    listed = [place.with_name(place.stem + ending) for ending in LIST_ENDINGS]
    listed += [place.with_name(name) for name in COMMON_LISTS]
    listed += [
        place.with_name(place.name.removesuffix(ending)) for ending in APPENDED if ending in place.name
    ]
    shape = file.tensors[0].shape
    fits = shape[0] <= MOST_ROWS and (d_model is None or d_model in shape)
    return fits and not any(each.is_file() for each in listed)


def _is_table_of_numbers(head: bytes) -> bool:
    """Whether the first lines are numbers alone, parted by commas, semicolons or tabs; names may lead."""
    try:
        lines = head.decode("utf-8-sig", "strict" if len(head) < _HEAD else "ignore").splitlines()
    except UnicodeDecodeError:
        return False
    if len(head) == _HEAD:
        lines = lines[:-1]
    lines = [line for line in lines if line.strip()][: _LINES + 1]
    mark = next((mark for mark in "\t;," if lines and mark in lines[-1]), None)
    if mark is None:
        return False
    rows = [line.split(mark) for line in lines]
    if len(rows) > 1 and not any(map(_NUMBER.fullmatch, rows[0])):
        rows = rows[1:]
    if not all(_NUMBER.fullmatch(cell) for row in rows for cell in row):
        return False
    # Words may be whole numbers too, such as years, where tabs part them from their vectors.
    return mark != "\t" or not all(row[0].strip().isdigit() for row in rows)
