"""Formats other than lines of text and word2vec binary, each a file of this package."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from askew.vectors.formats.contents import Contents, Request
from askew.vectors.formats.source import Source

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    from askew.vectors.containers import Unpacked
    from askew.vectors.detect import Detected
    from askew.vectors.options import Options
    from askew.vectors.rows import Reading
    from askew.vectors.streams import Progress

# What `detect` calls a file, and the module whose `read` reads it; imported on use.
READERS = {
    "fasttext-bin": "fasttext",
    "gensim-kv": "gensim_file",
    "npy": "npy",
    "numberbatch": "numberbatch",
    "safetensors": "safetensors_file",
    "zip": "npz",  # any other zip is unpacked before
}

IN_PLACE = frozenset(READERS) - {"numberbatch"}  # those whose rows can be read from any place on

__all__ = ["IN_PLACE", "READERS", "Contents", "Request", "Source", "read_contents"]


def read_contents(
    path: Path,
    unpacked: Unpacked,
    detected: Detected,
    stream: BinaryIO,
    reading: Reading,
    options: Options,
    progress: Progress | None = None,
) -> Contents:
    """Return the rows of a file of one of these formats, unchecked.

    Raises
    ------
    VectorsError
        If it cannot be read.
    """
    if detected.format == "numberbatch":
        source = Source(path, path.name, 0)
    elif unpacked.containers:
        source = Source.unpacked(unpacked.stream, path, unpacked.name)
    else:
        source = Source.of_file(path)
    module = import_module(f"askew.vectors.formats.{READERS[detected.format]}")
    contents: Contents = module.read(Request(source, reading, options, detected, stream, progress))
    return contents
