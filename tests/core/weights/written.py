"""Writes small files with weights, byte by byte where libraries would not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy.typing as npt

CODES = {"float16": "F16", "float32": "F32", "float64": "F64", "int8": "I8", "int64": "I64", "uint16": "BF16"}


def safetensors(path: Path, arrays: Mapping[str, Any], metadata: Mapping[str, str] | None = None) -> Path:
    """Write arrays; those of uint16 are taken as the bits of bfloat16."""
    header: dict[str, Any] = {} if metadata is None else {"__metadata__": dict(metadata)}
    data = b""
    for name, array in arrays.items():
        array = np.ascontiguousarray(array)
        end = len(data) + array.nbytes
        code = CODES.get(str(array.dtype), "BOOL")
        header[name] = {"dtype": code, "shape": list(array.shape), "data_offsets": [len(data), end]}
        data += array.tobytes()
    head = json.dumps(header).encode()
    path.write_bytes(len(head).to_bytes(8, "little") + head + data)
    return path


def bfloat16(values: npt.ArrayLike) -> npt.NDArray[np.uint16]:
    """Return the bits of numbers cut to bfloat16."""
    return (np.asarray(values, dtype=np.float32).view(np.uint32) >> 16).astype(np.uint16)
