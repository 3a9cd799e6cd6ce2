"""Files beside a vector file that are read with it: where one changes, what is kept of the whole is old."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

APPENDED = (
    *(f".{name}.npy" for name in ("vectors", "syn0", "vectors_vocab", "vectors_ngrams")),
    *(f".wv.{name}.npy" for name in ("vectors", "syn0", "vectors_vocab", "vectors_ngrams")),
)
LIST_ENDINGS = (
    "_vocab.txt",
    ".vocab.txt",
    "_words.txt",
    ".words.txt",
    ".vocab",
    ".words",
    ".txt",
    "_vocab.json",
)
COMMON_LISTS = ("vocab.txt", "words.txt", "vocabulary.txt")
_WITH_ENDING = {
    ".npy": COMMON_LISTS,
    ".npz": COMMON_LISTS,
    ".safetensors": ("tokenizer.json", "../tokenizer.json", *COMMON_LISTS),
    "": ("key2row", "strings.json", "vectors.cfg"),
}


def appended(path: Path) -> list[Path]:
    """Return the files that hold arrays of a vector file, named after it."""
    return [other for ending in APPENDED if (other := path.with_name(path.name + ending)).is_file()]


def companions(path: Path) -> str:
    """Return names, sizes and times of the files that may be read with a vector file."""
    names = [path.name + ending for ending in APPENDED]
    more = _WITH_ENDING.get(path.suffix)
    if more is not None:
        names += [*more, *(path.stem + ending for ending in LIST_ENDINGS)]
    return " ".join(filter(None, (stamp(path.parent / name) for name in names)))


def state(path: Path) -> str:
    """Return name, size and time of a file and of those that may be read with it."""
    return f"{stamp(path)} {companions(path)}"


def stamp(path: Path) -> str:
    """Return name, size and time of a file, "" if there is none."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return ""
    return f"{path.name} {status.st_size} {status.st_mtime_ns}"
