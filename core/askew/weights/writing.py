"""Writing the weights of heads as files that Askew and others read."""

from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING, Literal

import numpy as np

from askew.errors import WeightsError
from askew.files import replacing, write_bytes

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence
    from typing import IO, Any

    from askew.arrays import Float32
    from askew.heads import Head, Part

Kind = Literal["npz", "safetensors", "csv"]

MATRICES = ("w_q", "w_k", "w_v")
BIASES = ("b_q", "b_k", "b_v")
FORMAT = "askew-heads-1"
DIGITS = "%.9g"
"""Nine significant digits give every float32 back bit for bit."""


def write_heads(
    heads: Sequence[Head],
    path: str | os.PathLike[str],
    kind: Kind,
    numbers: Sequence[int] | None = None,
) -> None:
    """Write matrices and biases of heads; the file is there whole or not at all.

    `npz` and `safetensors` hold `w_q`, `w_k` (H, d_model, d_k), `w_v` (H, d_model, d_v), and `b_q`, `b_k`
    (H, d_k), `b_v` (H, d_v) where any head has that bias: zeros for a head that has none. `csv` is a zip of a
    table for each matrix and bias, `head0_w_q.csv` and so on, a row of the matrix a line.

    Parameters
    ----------
    heads
        At least one, H of them.
    numbers
        What each head is called in the names of csv; None counts from 0.

    Raises
    ------
    WeightsError
        If there is no head, or their shapes differ and the file has no place for that.
    WriteError
        If the place cannot be written.
    """
    if not heads:
        raise WeightsError("there is no head to write", remedy="Choose at least one")
    if kind == "csv":
        with replacing(path) as file:
            _write_tables(heads, range(len(heads)) if numbers is None else numbers, file)
        return
    arrays = stacked_weights(heads)
    with replacing(path) as file:
        WRITERS[kind](arrays, heads, file)


def write_matrix(head: Head, part: Part, path: str | os.PathLike[str]) -> None:
    """Write one matrix as csv: a row of it a line, parted by commas, no line of names.

    Raises
    ------
    WriteError
        If the place cannot be written.
    """
    write_bytes(path, table(getattr(head, f"w_{part}")))


def stacked_weights(heads: Sequence[Head]) -> dict[str, Float32]:
    """Return matrices and biases of heads by name, stacked along a first axis.

    Raises
    ------
    WeightsError
        If the heads differ in shape.
    """
    for h, head in enumerate(heads):
        for name in ("w_q", "w_v"):
            shape, first = getattr(head, name).shape, getattr(heads[0], name).shape
            if shape != first:
                raise WeightsError(
                    f"{name} of one head is {first} and of another, number {h + 1} of those chosen, {shape}",
                    remedy="Export heads of one shape, or as csv",
                )
    arrays = {name: np.stack([getattr(head, name) for head in heads]) for name in MATRICES}
    for name in BIASES:
        if any(getattr(head, name) is not None for head in heads):
            arrays[name] = np.stack([bias_of(head, name) for head in heads])
    return arrays


def bias_of(head: Head, name: str) -> Float32:
    """Return a bias of a head, zeros where it has none."""
    bias: Float32 | None = getattr(head, name)
    width = head.d_v if name == "b_v" else head.d_k
    return np.zeros(width, dtype=np.float32) if bias is None else bias


def shared_keys(heads: Sequence[Head]) -> list[int]:
    """Return for each head the number of its W_k among the different ones; heads may share the very same."""
    seen: dict[int, int] = {}
    return [seen.setdefault(id(head.w_k), len(seen)) for head in heads]


def table(values: Float32) -> bytes:
    """Return a matrix, or a bias as one row, as the text of a csv file."""
    text = io.BytesIO()
    np.savetxt(text, np.atleast_2d(values), fmt=DIGITS, delimiter=",")
    return text.getvalue()


def _write_npz(arrays: Mapping[str, Any], _heads: Sequence[Head], file: IO[bytes]) -> None:
    np.savez(file, **arrays)


def _write_safetensors(arrays: Mapping[str, Float32], heads: Sequence[Head], file: IO[bytes]) -> None:
    said = {
        "format": FORMAT,
        "heads": str(len(heads)),
        "shared_keys": ",".join(map(str, shared_keys(heads))),
        "scoring": ",".join(head.scoring for head in heads),
    }
    header: dict[str, object] = {"__metadata__": said}
    end = 0
    for name, array in arrays.items():
        start, end = end, end + array.nbytes
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [start, end]}
    # The library writes what is said in an order of chance, and the same heads shall give the same bytes.
    head = json.dumps(header, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)  # so that the numbers are aligned
    file.write(len(head).to_bytes(8, "little") + head)
    for array in arrays.values():
        file.write(np.ascontiguousarray(array, dtype="<f4").data)


def _write_tables(heads: Sequence[Head], numbers: Sequence[int], file: IO[bytes]) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, head in zip(numbers, heads, strict=True):
            for name in (*MATRICES, *BIASES):
                values = getattr(head, name)
                if values is not None:
                    # Without a time of its own the same heads give the same bytes.
                    member = zipfile.ZipInfo(f"head{number}_{name}.csv")
                    member.compress_type = zipfile.ZIP_DEFLATED
                    member.external_attr = 0o644 << 16
                    archive.writestr(member, table(values))


WRITERS: dict[str, Callable[[Mapping[str, Float32], Sequence[Head], IO[bytes]], None]] = {
    "npz": _write_npz,
    "safetensors": _write_safetensors,
}
