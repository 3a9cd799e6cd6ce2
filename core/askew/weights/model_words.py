"""The words of a model in a folder: the whole words of its vocabulary, and their rows in its table."""

from __future__ import annotations

import hashlib
import math
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from askew.edits import MAX_NUMBERS
from askew.errors import VectorsError
from askew.vectors.bundled import BUNDLED
from askew.vectors.fingerprint import edges_of_file, fingerprint_of_file
from askew.vectors.formats.in_place import RowsInPlace
from askew.vectors.formats.matrix import StoredMatrix
from askew.vectors.formats.safetensors_file import read_tensors
from askew.vectors.formats.source import Source, read_beside
from askew.vectors.formats.tokenizer_file import as_words, tokens_of
from askew.vectors.formats.word_list import by_number, list_of, parsed
from askew.vectors.index import HashIndex, WordJoiner
from askew.vectors.lazy import CheckedIndex
from askew.vectors.problems import Problems
from askew.vectors.table import Origin, WordVectors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from askew.arrays import Float32, IntArray
    from askew.vectors.formats.safetensors_file import Tensor

WEIGHTS = "model.safetensors"
TABLES = (
    "embeddings.word_embeddings.weight",
    "wte.weight",
    "embed_tokens.weight",
    "tok_embeddings.weight",
    "shared.weight",
    "word_embeddings.weight",
)
"""How models name the vectors of their words, what stands before left out."""

VOCABULARIES = ("vocab.txt", "tokenizer.json", "vocab.json")
SPECIAL = ("[CLS]", "[SEP]", "[UNK]", "[PAD]", "[MASK]")
MOST = 1 << 22  # bytes of a settings file
_STEP = 1 << 14
_UNUSED = re.compile(rb"\[unused\d+\]|<\|?(unused|reserved)[^>]*>")


@dataclass(frozen=True)
class ModelFiles:
    """A folder with a model: its tensors as the header tells them, its settings."""

    folder: Path
    source: Source
    tensors: Mapping[str, Tensor]

    @property
    def name(self) -> str:
        """What the model is called: as its folder, and never as what comes with the program."""
        name = self.folder.resolve().name or str(self.folder)
        return f"{name} (folder)" if name in BUNDLED else name

    @cached_property
    def config(self) -> dict[str, Any]:
        """What config.json says."""
        return settings(self.folder / "config.json")

    @cached_property
    def tokenizer(self) -> dict[str, Any]:
        """What tokenizer_config.json says."""
        return settings(self.folder / "tokenizer_config.json")

    def find(self, name: str) -> str | None:
        """Return the shortest name of a tensor that is `name`, or ends in it after a point."""
        found = [each for each in self.tensors if each == name or each.endswith(f".{name}")]
        return min(found, key=len, default=None)

    @property
    def table(self) -> str | None:
        """The name of the tensor with the vectors of the words."""
        return next((found for found in map(self.find, TABLES) if found is not None), None)

    def read(self, name: str) -> Float32:
        """Return the numbers of a tensor that is there, but for the table.

        Raises
        ------
        VectorsError
            If it holds no numbers, or too many.
        """
        tensor = self.tensors[name]
        if math.prod(tensor.shape) > MAX_NUMBERS:
            raise VectorsError(f"{name} is too large: {tensor.shape}", where=self.source.name)
        rows = tensor.shape[0] if len(tensor.shape) == 2 else 1
        return stored(self.source, tensor, rows).block(0, rows).reshape(tensor.shape)


class ModelRows(RowsInPlace):
    """Some rows of a table in a file, read when asked for."""

    def __init__(self, path: Path, table: StoredMatrix, places: IntArray) -> None:
        super().__init__(path, _Picked(table, places))
        self._table = table
        self._places = places
        self._whole: Float32 | None = None

    @property
    def fits(self) -> bool:
        """Whether there is memory for all rows at once."""
        return len(self._places) * self.dim <= MAX_NUMBERS

    def matrix(self) -> Float32 | None:
        """Return all rows, (n, dim), those with a number that is not finite as zeros; None if too many."""
        if self._whole is None and self.fits:
            whole = np.empty((len(self._places), self.dim), dtype=np.float32)
            for start in range(0, self._table.rows, _STEP):
                first, last = np.searchsorted(self._places, (start, start + _STEP))
                block = self._table.block(start, min(start + _STEP, self._table.rows))
                whole[first:last] = block[self._places[first:last] - start]
            whole[~np.isfinite(whole).all(axis=1)] = 0
            self._whole = whole
        return self._whole


@dataclass(frozen=True, slots=True)
class _Picked:
    """Some rows of a matrix as a matrix."""

    matrix: StoredMatrix
    places: IntArray

    @property
    def rows(self) -> int:
        return len(self.places)

    @property
    def dim(self) -> int:
        return self.matrix.dim

    def block(self, start: int, stop: int) -> Float32:
        rows = [self.matrix.block(place, place + 1)[0] for place in self.places[start:stop].tolist()]
        return np.array(rows, dtype=np.float32).reshape(stop - start, self.dim)


class ModelWords(WordVectors):
    """The words of a model; nearest words can be had unless its table is too large for memory."""

    @property
    def searchable(self) -> bool:
        """Whether all rows can be had at once."""
        rows = self._rows
        return not isinstance(rows, ModelRows) or rows.fits


def is_model_folder(path: Path) -> bool:
    """Tell whether a folder holds a model of words as its makers lay them out."""
    return path.is_dir() and (path / WEIGHTS).is_file()


def has_words(folder: Path) -> bool:
    """Tell whether a model's folder has its words beside its weights, so that it can be an example."""
    listed = any((folder / name).is_file() for name in VOCABULARIES)
    try:
        return is_model_folder(folder) and listed and files_of(folder).table is not None
    except VectorsError:
        return False


def files_of(folder: Path) -> ModelFiles:
    """Return what a folder holds; only the header of its weights is read.

    Raises
    ------
    VectorsError
        If there is no model.safetensors in it, or that is damaged.
    """
    if not is_model_folder(folder):
        raise VectorsError(
            f"there is no {WEIGHTS} in this folder",
            where=folder.name or str(folder),
            remedy="Save the model in one safetensors file; other kinds and files in parts are not read",
        )
    source = Source.of_file(folder / WEIGHTS)
    return ModelFiles(folder, source, read_tensors(source))


def open_words(files: ModelFiles) -> WordVectors:
    """Return the whole words of a model; what is left out is told in numbers.

    Raises
    ------
    VectorsError
        If there is no table, no list of its words, or they do not fit.
    """
    name = files.table
    if name is None:
        raise VectorsError(
            "there is no table of words in it that Askew knows",
            where=files.name,
            remedy=f"Its name would end in one of {', '.join(TABLES)}",
        )
    tensor = files.tensors[name]
    table = stored(files.source, tensor, tensor.shape[0] if len(tensor.shape) == 2 else 0)
    problems = Problems()
    tokens, listed = _tokens(files.folder, problems)
    if len(tokens) > table.rows:
        raise VectorsError(
            f"{listed.name} has {len(tokens):,} words, but the table has {table.rows:,} rows",
            where=files.name,
            remedy=f"Get the {listed.name} that belongs to it",
        )
    places = np.array([row for row, token in enumerate(tokens) if _is_word(token)], dtype=np.intp)
    words = [tokens[row] for row in places.tolist()]
    if not words:
        raise VectorsError(f"{listed.name} holds no whole word", where=files.name)
    _tell_left_out(tokens, len(words), problems)
    joiner = WordJoiner()
    joiner.add(words)
    rows = ModelRows(files.source.path, table, places)
    edges = f"{edges_of_file(files.source.path)} {fingerprint_of_file(listed)}"
    return ModelWords(
        files.name,
        CheckedIndex(HashIndex(joiner.joined(), joiner.hashes()), rows),
        rows,
        fingerprint=hashlib.blake2b(edges.encode(), digest_size=16).hexdigest(),
        report=problems.told(),
        origin=Origin("safetensors", member=name),
        unaccented=_is_unaccented(files, words),
    )


def stored(source: Source, tensor: Tensor, rows: int) -> StoredMatrix:
    """Return a tensor as a matrix of so many rows.

    Raises
    ------
    VectorsError
        If it holds no numbers, or is no such matrix.
    """
    size = math.prod(tensor.shape)
    if not tensor.kind or not rows or not size:
        raise VectorsError(f"a tensor of shape {tensor.shape} holds no vectors", where=source.name)
    return StoredMatrix(source, tensor.start, rows, size // rows, tensor.kind)


def settings(path: Path) -> dict[str, Any]:
    """Return what a settings file says; nothing if there is none.

    Raises
    ------
    VectorsError
        If it is no JSON of settings, or huge.
    """
    if not path.is_file():
        return {}
    said = parsed(read_beside(path, MOST), path.name)
    if not isinstance(said, dict):
        raise VectorsError("it holds no settings", where=path.name)
    return said


def _tokens(folder: Path, problems: Problems) -> tuple[Sequence[bytes], Path]:
    """Return the tokens in the order of their rows, pieces of words with ## in front, and their file."""
    text, tokenizer, json = (folder / name for name in VOCABULARIES)
    if text.is_file():
        return list_of(text), text
    if tokenizer.is_file():
        return tokens_of(tokenizer, problems), tokenizer
    if json.is_file():
        numbers = settings(json)
        tokens = by_number({str(token): number for token, number in numbers.items()})
        if tokens is None:
            raise VectorsError("the tokens are not numbered from 0 on without a gap", where=json.name)
        return as_words(tokens, json.name, problems), json
    raise VectorsError(
        "the words of the model are not in its folder",
        where=folder.name or str(folder),
        remedy=f"Put its {', '.join(VOCABULARIES)} there: one of them will do",
    )


def _is_word(token: bytes) -> bool:
    return bool(token) and not token.startswith(b"##") and _UNUSED.fullmatch(token) is None


def _tell_left_out(tokens: Sequence[bytes], words: int, problems: Problems) -> None:
    pieces = sum(token.startswith(b"##") for token in tokens)
    unused = len(tokens) - words - pieces
    if pieces or unused:
        left = [f"{pieces:,} piece{'s' if pieces > 1 else ''} inside of words (##)"] if pieces else []
        left += [f"{unused:,} place{'s' if unused > 1 else ''} without a word"] if unused else []
        verb = "is" if pieces + unused == 1 else "are"
        text = f"of {len(tokens):,} tokens {words:,} are whole words; {' and '.join(left)} {verb} left out"
        problems.add("words", text)


def _is_unaccented(files: ModelFiles, words: Sequence[bytes]) -> bool:
    """Tell whether the words have neither capitals nor accents: as the tokenizer says, or as they look."""
    lower = files.tokenizer.get("do_lower_case")
    if not isinstance(lower, bool):
        plain = [word for word in words if word.decode("utf-8", "replace") not in SPECIAL]
        lower = all(word == word.lower() for word in plain) and b"[CLS]" in words
    return lower and files.tokenizer.get("strip_accents") is not False
