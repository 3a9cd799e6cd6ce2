"""Reading the weights of heads from files; nothing in a file is ever run."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from askew.edits import MAX_NUMBERS
from askew.errors import WeightsError
from askew.heads import Head

if TYPE_CHECKING:
    import os

    from askew.arrays import Float32

MATRICES = ("w_q", "w_k", "w_v")
BIASES = ("b_q", "b_k", "b_v")

_SHAPES = (
    "w_q and w_k are (heads, d_model, d_k), w_v (heads, d_model, d_v), biases (heads, d); "
    "heads is 1 for a single head"
)


def read_npz(path: str | os.PathLike[str]) -> tuple[Head, ...]:
    """Read heads from an .npz file.

    It holds `w_q` and `w_k` (H, d_model, d_k), `w_v` (H, d_model, d_v) and, if there are biases, `b_q`, `b_k`
    (H, d_k), `b_v` (H, d_v): numbers of any type, taken as float32.

    Returns
    -------
    tuple of Head
        H heads that score `scaled-dot`; matrices and biases are all a file brings.

    Raises
    ------
    WeightsError
        If the file cannot be read, an array is missing, unknown, or of another shape or type.
    """
    where = Path(path).name
    arrays = _read(Path(path), where)
    missing = [name for name in MATRICES if name not in arrays]
    if missing:
        raise WeightsError(
            f"there is no {' and no '.join(missing)} in it, only {', '.join(arrays)}"
            if arrays
            else "it holds no arrays",
            where=where,
            remedy="An .npz of heads holds w_q, w_k, w_v and, if there are any, b_q, b_k, b_v",
        )
    count = _check_shapes(arrays, where)
    return tuple(_head(arrays, h, where) for h in range(count))


def _read(path: Path, where: str) -> dict[str, Float32]:
    """Return all arrays of the file as float32."""
    try:
        _check_archive(path, where)
        with np.load(path, allow_pickle=False) as archive:
            return {name: _numbers(archive[name], name, where) for name in archive.files}
    except OSError as error:
        raise WeightsError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error
    except zipfile.BadZipFile as error:
        raise WeightsError(
            "not an .npz file, or cut short", where=where, remedy="Save it again with numpy.savez"
        ) from error
    except ValueError as error:
        raise WeightsError(
            "it holds Python objects or damaged arrays, not numbers",
            where=where,
            remedy="Save arrays of float with numpy.savez",
        ) from error
    except (EOFError, RuntimeError, NotImplementedError, MemoryError, zlib.error) as error:
        raise WeightsError(
            "the file is damaged", where=where, remedy="Save it again with numpy.savez"
        ) from error


def _check_archive(path: Path, where: str) -> None:
    """Refuse what is no archive of known arrays, and what would not fit in memory, before reading it."""
    with zipfile.ZipFile(path) as archive:
        names = [info.filename.removesuffix(".npy") for info in archive.infolist()]
        size = sum(info.file_size for info in archive.infolist())
    unknown = [name for name in names if name not in MATRICES + BIASES]
    if unknown:
        raise WeightsError(
            f"it holds {', '.join(repr(name) for name in unknown[:5])}, which is no part of a head",
            where=where,
            remedy=f"The names are {', '.join(MATRICES + BIASES)}",
        )
    if size > 8 * MAX_NUMBERS:
        raise WeightsError(f"it holds {size:,} bytes", where=where, remedy="Bring fewer heads")


def _numbers(array: object, name: str, where: str) -> Float32:
    """Return an array of real numbers as float32; numpy gives bytes for a member that is no array."""
    if not isinstance(array, np.ndarray):
        raise WeightsError(f"{name} is no array", where=where, remedy="Save it with numpy.savez")
    if array.dtype.kind not in "fiu":
        raise WeightsError(
            f"{name} is of type {array.dtype}, not numbers", where=where, remedy="Save it as float32"
        )
    with np.errstate(over="ignore"):  # beyond float32 is inf, which a head refuses in words
        numbers: Float32 = array.astype(np.float32)
    return numbers


def _check_shapes(arrays: dict[str, Float32], where: str) -> int:
    """Return the number of heads of arrays that fit together."""
    axes = {"w": "(heads, d_model, d)", "b": "(heads, d)"}
    for name, array in arrays.items():
        expected = axes[name[0]]
        if array.ndim != expected.count(",") + 1 or 0 in array.shape:
            raise WeightsError(f"{name} has shape {array.shape}, not {expected}", where=where, remedy=_SHAPES)
    heads, d_model, _ = arrays["w_q"].shape
    for name, array in arrays.items():
        width = arrays["w_v" if name[-1] == "v" else "w_q"].shape[2]
        fitting = (heads, d_model, width) if name[0] == "w" else (heads, width)
        if array.shape != fitting:
            raise WeightsError(
                f"{name} has shape {array.shape}, but w_q {arrays['w_q'].shape} asks for {fitting}",
                where=where,
                remedy=_SHAPES,
            )
    return int(heads)


def _head(arrays: dict[str, Float32], h: int, where: str) -> Head:
    """Return head `h`."""
    w_q, w_k, w_v = (arrays[name][h] for name in MATRICES)
    b_q, b_k, b_v = (arrays[name][h] if name in arrays else None for name in BIASES)
    try:
        return Head(w_q, w_k, w_v, b_q, b_k, b_v, recipe="imported")
    except WeightsError as error:
        raise WeightsError(f"head {h}: {error.what}", where=where, remedy=error.remedy) from error
