"""A first look at a file with weights: its kind by its content, its names, shapes and types."""

from __future__ import annotations

import codecs
import re
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

from askew.errors import WeightsError
from askew.vectors.formats.matrix import is_number
from askew.vectors.formats.npy_header import read_header
from askew.vectors.formats.safetensors_file import header_of, tensors_of
from askew.vectors.formats.source import Source
from askew.vectors.formats.zip_arrays import MOST, list_arrays
from askew.weights.hints import hints_of
from askew.weights.model import Hints, Tensor, WeightsFile
from askew.weights.naming import stacks_of
from askew.weights.places import Parsed, Stored, Zipped, told_as_weights
from askew.weights.refused import check_kind, in_folder, no_pickle
from askew.weights.tables import read_table

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from askew.vectors.formats.npy_header import Array
    from askew.weights.model import Kind
    from askew.weights.places import Place

MOST_TEXT = 1 << 25
"""Bytes that a table of text may have: each number costs time to read."""
_MOST_HEADER = 1 << 25
_BY_CODE = {"f": "float", "i": "int", "u": "uint"}
_OTHER = {
    "b": "bool",
    "c": "complex",
    "U": "str",
    "S": "bytes",
    "O": "object",
    "V": "fields",
    "M": "date",
    "m": "time",
}
_SIZED = re.compile(r"[<>|=][fiu]\d{1,2}", re.ASCII)
_SAFETENSORS = {"BF16": "bfloat16", "F": "float", "I": "int", "U": "uint"}


_NO_HINTS = Hints()


def look(path: str | os.PathLike[str]) -> WeightsFile:
    """Look at a file, or at a folder that holds model.safetensors.

    Raises
    ------
    WeightsError
        If it cannot be read, is no file of weights, or holds Python objects or no matrices.
    """
    place, source = _found(Path(path))
    head = source.head(16)
    check_kind(head, place)
    if head.startswith(b"\x93NUMPY"):
        return _npy(source)
    if place.suffix.lower() == ".safetensors" or _begins_as_safetensors(head, source.size):
        return _safetensors(source)
    if head.startswith(b"PK"):
        return _npz(source)
    if source.size > MOST_TEXT:
        raise WeightsError(
            f"a table of {source.size >> 20} MB of text is more than {MOST_TEXT >> 20} MB",
            where=source.name,
            remedy="Save it as .npy",
        )
    return _text(_decoded(source), source.name, place.stem, place.suffix.lower())


def look_text(text: str, name: str = "clipboard") -> WeightsFile:
    """Look at a pasted table.

    Raises
    ------
    WeightsError
        Naming row and column, counted from 1, if it is empty or ragged or a cell is no number.
    """
    if len(text) > MOST_TEXT:
        raise WeightsError("the text is too long for a table", where=name, remedy="Save it as .npy")
    return _text(text, name, name, "")


def _found(path: Path) -> tuple[Path, Source]:
    """Return the plain file that is meant, which is not empty, and its bytes."""
    try:
        path = in_folder(path)
        if not path.is_file():
            path.stat()
            raise WeightsError("it is no file", where=str(path), remedy="Choose a file with weights")
        source = Source(path, path.name, path.stat().st_size)
        source.path.open("rb").close()
    except OSError as error:
        raise WeightsError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error
    except ValueError as error:  # a null byte in the name
        raise WeightsError(f"cannot read {str(path)!r}: no such file") from error
    if not source.size:
        raise WeightsError("the file is empty", where=source.name, remedy="Get the whole file again")
    return path, source


def _file(
    name: str,
    kind: Kind,
    found: Mapping[str, tuple[Tensor, Place]],
    hints: Hints = _NO_HINTS,
    remark: str = "",
) -> WeightsFile:
    """Return what is known of a file, its attentions found by the names of its tensors."""
    tensors = tuple(tensor for tensor, _ in found.values())
    if not any(len(tensor.shape) > 1 for tensor in tensors):
        only = f", only {', '.join(repr(tensor.name) for tensor in tensors[:5])}" if tensors else ""
        raise WeightsError(f"it holds no matrices{only}", where=name, remedy="Choose a file with weights")
    stacks = stacks_of(tensors)
    return WeightsFile(
        name,
        kind,
        stacks[0].scheme if stacks else "bare",
        tensors,
        tuple(sorted({layer for stack in stacks for layer in stack.layers})),
        stacks,
        hints,
        {tensor.name: place for tensor, place in found.values()},
        remark,
    )


def _npy(source: Source) -> WeightsFile:
    with told_as_weights():
        array = read_header(source)
    _check_whole(source, array)
    tensor = Tensor(source.path.stem, array.shape, _dtype(array))
    place = Stored(source, array.start, array.shape, array.kind, array.by_columns)
    return _file(source.name, "npy", {tensor.name: (tensor, place)})


def _check_whole(source: Source, array: Array) -> None:
    """Refuse a file that is shorter than its array."""
    there = source.size - array.start
    wanted = prod(array.shape) * int(array.kind[2:]) if is_number(array.kind) else 0
    if there < wanted:
        raise WeightsError(
            f"the file is incomplete: {there:,} of {wanted:,} bytes of data",
            where=source.name,
            remedy="It may be an incomplete download; get the whole file again",
        )


def _npz(source: Source) -> WeightsFile:
    try:
        with told_as_weights():
            named = list_arrays(source)
    except WeightsError as error:
        raise WeightsError(
            "not an .npz file, or cut short", where=source.name, remedy="Save it again with numpy.savez"
        ) from error
    no_pickle([each.entry for each in named], source.name)
    if len(named) == MOST:
        raise WeightsError(
            f"it holds {MOST:,} arrays or more", where=source.name, remedy="Save fewer of them"
        )
    if any(each.entry.endswith(".csv") for each in named):
        raise WeightsError(
            "it is an archive of tables", where=source.name, remedy="Unpack it and open one of them"
        )
    found: dict[str, tuple[Tensor, Place]] = {}
    for each in named:
        if each.array is None:
            what = each.error.what if each.error else "it cannot be read"
            what = f"{each.name} is no array" if "not a whole .npy" in what else f"{each.name}: {what}"
            raise WeightsError(what, where=source.name, remedy="Save arrays of float with numpy.savez")
        tensor = Tensor(each.name, each.array.shape, _dtype(each.array))
        found[each.name] = (tensor, Zipped(source, each, each.array))
    return _file(source.name, "npz", found)


def _dtype(array: Array) -> str:
    """Return the name of a numpy type; no string of a file is handed to numpy for it."""
    code = array.kind[1:2]
    if code in _BY_CODE and _SIZED.fullmatch(array.kind):
        return f"{_BY_CODE[code]}{8 * int(array.kind[2:])}"
    return _OTHER.get(code, array.kind)


def _begins_as_safetensors(head: bytes, size: int) -> bool:
    return int.from_bytes(head[:8], "little") <= size - 8 and head[8:9] == b"{"


def _safetensors(source: Source) -> WeightsFile:
    with told_as_weights():
        header, base = header_of(source, _MOST_HEADER)
        entries = tensors_of(header, base, source)
    found: dict[str, tuple[Tensor, Place]] = {}
    for name, entry in entries.items():
        code = str(header[name]["dtype"])
        letters = code.rstrip("0123456789")
        dtype = (
            _SAFETENSORS.get(code) or f"{_SAFETENSORS.get(letters, letters.lower())}{code[len(letters) :]}"
        )
        tensor = Tensor(name, entry.shape, dtype)
        found[name] = (tensor, Stored(source, entry.start, entry.shape, entry.kind))
    metadata = header.get("__metadata__")
    return _file(source.name, "safetensors", found, hints_of(metadata, source.path))


def _decoded(source: Source) -> str:
    """Return the text of a file in UTF-8, or in UTF-16 as spreadsheets write it with its mark."""
    with told_as_weights():
        data = source.read(0, source.size)
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise WeightsError(
            "this is no file of weights that Askew reads, nor text in UTF-8",
            where=source.name,
            remedy="Askew reads safetensors, npy, npz, csv and tsv",
        ) from error
    if "\0" in text:
        raise WeightsError(
            "this is no file of weights that Askew reads",
            where=source.name,
            remedy="Askew reads safetensors, npy, npz, csv and tsv",
        )
    return text


def _text(text: str, name: str, tensor_name: str, suffix: str) -> WeightsFile:
    try:
        table = read_table(text, header=True, comma_parts=suffix == ".csv")
    except WeightsError as error:
        raise WeightsError(error.what, where=name, remedy=error.remedy) from error
    kinds: dict[str, Kind] = {"\t": "tsv", ";": "csv", ",": "csv"}
    kind: Kind = kinds.get(table.delimiter, "csv" if suffix == ".csv" else "text") if suffix else "text"
    tensor = Tensor(tensor_name, table.values.shape, "text")
    return _file(name, kind, {tensor_name: (tensor, Parsed(table.values))}, remark=table.remark)
