"""Files that hold weights, but not in a way that can be read safely: said in words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from askew.errors import WeightsError
from askew.vectors.formats.source import read_beside
from askew.weights.places import told_as_weights

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

INDEX = ".safetensors.index.json"
_MOST_INDEX = 1 << 24
_PICKLES = (".pt", ".pth", ".pkl", ".pickle", ".ckpt")
_FOREIGN = {b"GGUF": "GGUF", b"\x89HDF": "HDF5"}


def in_folder(path: Path) -> Path:
    """Return the file that is meant by a path: itself, or the model in a folder.

    Raises
    ------
    WeightsError
        If the folder holds none, or the model is in parts.
    """
    if path.name.lower().endswith(INDEX) and path.is_file():
        raise _in_parts(path)
    if not path.is_dir():
        return path
    if (path / "model.safetensors").is_file():
        return path / "model.safetensors"
    if (path / f"model{INDEX}").is_file():
        raise _in_parts(path / f"model{INDEX}")
    if (path / "pytorch_model.bin").is_file():
        raise _pickle(f"{path.name}/pytorch_model.bin")
    raise WeightsError(
        "there is no model.safetensors in the folder", where=str(path), remedy="Choose a file with weights"
    )


def _in_parts(index: Path) -> WeightsError:
    """Return the error for a list of the parts of a model: it holds no numbers."""
    with told_as_weights():
        data = read_beside(index, _MOST_INDEX)
    try:
        parts = sorted({str(part) for part in json.loads(data)["weight_map"].values()})
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        parts = []
    named = ", ".join(parts[:5]) + (", ..." if len(parts) > 5 else "")
    return WeightsError(
        f"it only lists the parts of a model, {len(parts)} files: {named}" if parts else "it lists no parts",
        where=index.name,
        remedy="Open the part that holds the layer",
    )


def _pickle(name: str) -> WeightsError:
    return WeightsError(
        "a PyTorch pickle can run code", where=name, remedy="Save it as safetensors and open that"
    )


def check_kind(head: bytes, path: Path) -> None:
    """Refuse pickles, and formats that are known but not read.

    Raises
    ------
    WeightsError
        If the file begins as one of them, or is named as a pickle.
    """
    if (head[:1] == b"\x80" and head[1:2] in b"\2\3\4\5") or path.suffix.lower() in _PICKLES:
        raise _pickle(path.name)
    for magic, name in _FOREIGN.items():
        if head.startswith(magic):
            raise WeightsError(
                f"this is a file of {name}, which Askew does not read",
                where=path.name,
                remedy="Save it as safetensors",
            )
    if path.suffix.lower() == ".npz" and not head.startswith((b"PK", b"\x93NUMPY")):
        raise WeightsError(
            "not an .npz file, or cut short", where=path.name, remedy="Save it again with numpy.savez"
        )
    if path.suffix.lower() == ".npy" and not head.startswith(b"\x93NUMPY"):
        raise WeightsError(
            "not an .npy file, or cut short", where=path.name, remedy="Save it again with numpy.save"
        )


def no_pickle(entries: Sequence[str], name: str) -> None:
    """Refuse an archive that is a checkpoint of PyTorch.

    Raises
    ------
    WeightsError
        If one of its entries is a pickle.
    """
    if any(entry.rpartition("/")[2] == "data.pkl" for entry in entries):
        raise _pickle(name)
