"""Safetensors: Askew's own layout, and embeddings whose words stand in a tokenizer.json beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from askew.errors import VectorsError
from askew.vectors.formats.contents import Contents, Request, contents_of_table
from askew.vectors.formats.matrix import BRAIN, StoredMatrix
from askew.vectors.formats.scattered import ScatteredRows
from askew.vectors.formats.source import INCOMPLETE
from askew.vectors.formats.text_arrays import joined_lines
from askew.vectors.formats.tokenizer_file import tokens_of
from askew.vectors.formats.word_list import parsed, words_for

if TYPE_CHECKING:
    from askew.arrays import Float32, IntArray
    from askew.vectors.formats.source import Source
    from askew.vectors.formats.word_list import Value

_KINDS = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": BRAIN,
    "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1", "U64": "<u8", "U32": "<u4", "U16": "<u2",
    "U8": "|u1",
}  # fmt: skip
_AGAIN = "Get the whole file again from where it came"
_LONGEST = 100_000_000
_MOST = 1 << 48
_TABLES = ("embeddings", "embedding.weight")


@dataclass(frozen=True, slots=True)
class Tensor:
    """What the header says of a tensor; `start` counts from the beginning of the file."""

    kind: str
    shape: tuple[int, ...]
    start: int
    size: int


def read(request: Request) -> Contents:
    """Read the words and vectors of a safetensors file."""
    source = request.source
    tensors = read_tensors(source)
    tables = [name for name, tensor in tensors.items() if len(tensor.shape) == 2]
    if not tables:
        raise VectorsError("the file holds no matrices", where=source.name)
    if "vocab_utf8" in tensors and "vectors" in tensors:
        text = tensors["vocab_utf8"]
        matrix = _matrix(source, tensors["vectors"])
        words = joined_lines(source.read(text.start, text.size))
        _same_number(words, matrix.rows, source)
        return contents_of_table("safetensors", words, matrix, request)
    table = next((name for name in _TABLES if name in tables), None)
    if table is not None and request.options.words is None:
        return _with_tokenizer(request, tensors, table)
    name = request.options.member or table or tables[0]
    if name not in tables or (len(tables) > 1 and request.options.member is None and table is None):
        raise VectorsError(
            f"the file holds {len(tensors)} tensors, but no table of words that Askew knows",
            where=source.name,
            remedy="Askew reads 'vectors' with 'vocab_utf8', or 'embeddings' and a tokenizer.json beside it",
        )
    matrix = _matrix(source, tensors[name])
    words = words_for(source.path, matrix.rows, matrix.dim, request)
    return contents_of_table("safetensors", words, matrix, request)


def read_tensors(source: Source) -> dict[str, Tensor]:
    """Return what a safetensors file holds, every size checked against the file's.

    Raises
    ------
    VectorsError
        If it is not a whole safetensors file.
    """
    return tensors_of(*header_of(source), source)


def header_of(source: Source, most: int = _LONGEST) -> tuple[dict[str, Value], int]:
    """Return the header of a safetensors file as it stands there, and where the numbers begin.

    `most` is the bytes that it may have.

    Raises
    ------
    VectorsError
        If it is not a safetensors file.
    """
    length = int.from_bytes(source.head(8), "little")
    if source.size < 8 or length > min(most, source.size - 8):
        what = "this is not a safetensors file, or an incomplete one"
        raise VectorsError(what, where=source.name, remedy=_AGAIN)
    try:
        header = parsed(source.read(8, length), source.name)
    except VectorsError as error:
        raise VectorsError("this is not a safetensors file", where=source.name, remedy=_AGAIN) from error
    if not isinstance(header, dict):
        raise VectorsError("this is not a safetensors file", where=source.name, remedy=_AGAIN)
    return header, 8 + length


def tensors_of(header: dict[str, Value], base: int, source: Source) -> dict[str, Tensor]:
    """Return the tensors of a header, every size checked against the file's.

    Raises
    ------
    VectorsError
        If the header is damaged or the file incomplete.
    """
    tensors = {
        name: _tensor(name, entry, base, source) for name, entry in header.items() if name != "__metadata__"
    }
    end = max((tensor.start + tensor.size for tensor in tensors.values()), default=0)
    if end > source.size:
        have, need = source.size - base, end - base
        raise VectorsError(
            f"the file is incomplete: {have} of {need} bytes of data", where=source.name, remedy=INCOMPLETE
        )
    return tensors


def _tensor(name: str, entry: Value, base: int, source: Source) -> Tensor:
    try:
        kind = _KINDS.get(entry["dtype"], "")
        shape = tuple(int(size) for size in entry["shape"])
        begin, end = (int(place) for place in entry["data_offsets"])
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise VectorsError(f"the header of tensor '{name[:40]}' is damaged", where=source.name) from error
    need = 1
    for size in shape:
        need *= size
    item = {BRAIN: 2, "": 0}.get(kind) if kind in (BRAIN, "") else int(kind[-1])
    if (
        not 0 <= begin <= end
        or not all(0 <= size < _MOST for size in shape)
        or (item and need * item != end - begin)
    ):
        raise VectorsError(
            f"the header of tensor '{name[:40]}' is damaged: its shape does not fit its place",
            where=source.name,
        )
    return Tensor(kind, shape, base + begin, end - begin)


def _matrix(source: Source, tensor: Tensor) -> StoredMatrix:
    if len(tensor.shape) != 2 or not tensor.kind:
        raise VectorsError("the vectors are not a matrix of numbers", where=source.name)
    return StoredMatrix(source, tensor.start, *tensor.shape, tensor.kind)


def _same_number(words: list[bytes], rows: int, source: Source) -> None:
    if len(words) != rows:
        raise VectorsError(
            f"the file has {len(words)} words, but {rows} rows of vectors",
            where=source.name,
            remedy=INCOMPLETE,
        )


def _with_tokenizer(request: Request, tensors: dict[str, Tensor], table: str) -> Contents:
    """Read model2vec's layout: a row per token, or per group of tokens and then a factor for each."""
    source = request.source
    matrix = _matrix(source, tensors[table])
    beside = [source.path.with_name("tokenizer.json"), source.path.parent.parent / "tokenizer.json"]
    there = next((each for each in beside if each.is_file()), None) if source.data is None else None
    if there is None:
        raise VectorsError(
            f"the file holds {matrix.rows} vectors, but not their words",
            where=source.name,
            remedy="Put the model's tokenizer.json into the same folder, or name a list: --words FILE",
        )
    words = tokens_of(there, request.reading.problems)
    mapping = _numbers(source, tensors.get("mapping"), len(words))
    factors = _numbers(source, tensors.get("weights"), len(words))
    if mapping is None and factors is None:
        if len(words) != matrix.rows:
            raise VectorsError(
                f"{there.name} has {len(words)} tokens, but the matrix has {matrix.rows} rows",
                where=source.name,
                remedy="Get the tokenizer.json that belongs to it",
            )
        return contents_of_table("model2vec", words, matrix, request, unit="token")
    request.reading.problems.add(
        "weights", "rows are shared by tokens or weighted by token, as the model says"
    )
    return contents_of_table("model2vec", words, Grouped(matrix, mapping, factors), request, unit="token")


def _numbers(source: Source, tensor: Tensor | None, count: int) -> Float32 | None:
    if tensor is None:
        return None
    if tensor.shape != (count,) or not tensor.kind:
        raise VectorsError(
            f"the file does not fit the {count} tokens of its tokenizer.json", where=source.name
        )
    return StoredMatrix(source, tensor.start, count, 1, tensor.kind).block(0, count).reshape(-1)


class Grouped:
    """A matrix whose rows stand for several words, each with a factor of its own."""

    def __init__(self, matrix: StoredMatrix, mapping: Float32 | None, factors: Float32 | None) -> None:
        self._matrix = ScatteredRows(matrix)
        self._factors = factors
        wanted = np.arange(matrix.rows) if mapping is None else mapping
        if not np.all((wanted >= 0) & (wanted < matrix.rows)):
            raise VectorsError("the file is damaged: it refers to rows that are not there")
        if factors is not None and len(factors) != len(wanted):
            raise VectorsError("the file is damaged: its weights do not fit its rows")
        self._rows: IntArray = wanted.astype(np.intp)

    @property
    def rows(self) -> int:
        """How many words there are."""
        return len(self._rows)

    @property
    def dim(self) -> int:
        """Numbers per word."""
        return self._matrix.dim

    def block(self, start: int, stop: int) -> Float32:
        """Return rows `start` to `stop`, (k, dim)."""
        rows = self._matrix.at(self._rows[start:stop], few=stop - start == 1)
        if self._factors is None:
            return rows
        with np.errstate(over="ignore", invalid="ignore"):
            return rows * self._factors[start:stop, None]
