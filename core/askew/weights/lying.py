"""Which side of a matrix takes the token vector: what a scheme says, else the shape, else what is chosen."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from askew.edits import MAX_NUMBERS
from askew.errors import WeightsError
from askew.weights.naming import ANY, ANY_BIAS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from askew.heads import Orientation
    from askew.weights.model import Choice, Group, Scheme, Tensor

_WHOLE = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
_NUMBERS = frozenset(["text", "bfloat16", "float16", "float32", "float64", *_WHOLE])
IN_OUT: Orientation = "in-out"
OUT_IN: Orientation = "out-in"
_STACKED = (
    "w_q and w_k are (heads, d_model, d_k), w_v (heads, d_model, d_v), biases (heads, d); heads may be 1"
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A tensor, or a part of one, that becomes `part`; `cut` is which of its outputs."""

    part: str
    tensor: Tensor
    inputs: int
    outputs: int
    turned_over: bool = False
    cut: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """The pieces of an attention; the number of heads where they are stacked by head."""

    pieces: tuple[Piece, ...]
    notes: tuple[str, ...]
    stacked: int | None = None

    def outputs(self, part: str) -> int | None:
        """Return how many numbers a matrix gives for all heads; None if it is not in the file."""
        return next((piece.outputs for piece in self.pieces if piece.part == part), None)

    @property
    def axis(self) -> str:
        """What outputs are in the file: rows of a torch Linear, else columns."""
        return "rows" if any(piece.turned_over for piece in self.pieces) else "columns"


def lay_out(
    group: Group,
    tensors: Mapping[str, Tensor],
    scheme: Scheme,
    choice: Choice,
    d_model: int | None,
    part: str,
) -> Layout:
    """Return the pieces of an attention; `part` is what a matrix without a telling name is.

    Raises
    ------
    WeightsError
        If a tensor is no matrix of numbers, is too big, or has no side of d_model numbers.
    """
    renamed = {ANY: f"w_{part}", ANY_BIAS: f"b_{part}"}
    found = {renamed.get(role, role): tensors[name] for role, name in group.names.items()}
    for tensor in found.values():
        _check_numbers(tensor)
    matrices = {role: tensor for role, tensor in found.items() if role[0] == "w"}
    biases = {role: tensor for role, tensor in found.items() if role[0] == "b"}
    if sum(prod(tensor.shape) for tensor in found.values()) > MAX_NUMBERS:
        raise WeightsError(
            f"its matrices hold more than {MAX_NUMBERS:,} numbers",
            remedy="Bring a smaller layer or fewer heads",
        )
    if scheme == "askew":
        return _stacked(matrices, biases)
    for tensor in matrices.values():
        if len(tensor.shape) != 2:
            raise WeightsError(f"{tensor.name} has shape {tensor.shape}, which is no matrix")
    orientation, notes = _orientation(matrices, scheme, choice, d_model)
    pieces = [
        piece for role, tensor in matrices.items() for piece in _matrix_pieces(role, tensor, orientation)
    ]
    pieces += [piece for role, tensor in biases.items() for piece in _bias_pieces(role, tensor, pieces)]
    return Layout(tuple(pieces), notes)


def _check_numbers(tensor: Tensor) -> None:
    """Refuse what holds no numbers, or numbers that are no weights."""
    if tensor.dtype not in _NUMBERS:
        told = f"type {tensor.dtype}, not numbers of a kind that is read"
        what = "Python objects, not numbers" if tensor.dtype == "object" else told
        raise WeightsError(f"{tensor.name} is of {what}", remedy="Save it as float32")
    if 0 in tensor.shape:
        raise WeightsError(f"{tensor.name} has shape {tensor.shape}: it is empty")


def _stacked(matrices: Mapping[str, Tensor], biases: Mapping[str, Tensor]) -> Layout:
    """Return the pieces of matrices that are stacked by head."""
    axes = {"w": "(heads, d_model, d)", "b": "(heads, d)"}
    for role, tensor in {**matrices, **biases}.items():
        if len(tensor.shape) != axes[role[0]].count(",") + 1:
            raise WeightsError(
                f"{tensor.name} has shape {tensor.shape}, not {axes[role[0]]}", remedy=_STACKED
            )
    lead = next(iter(matrices.values()))
    heads, d_model, _ = lead.shape
    widths = {role[2]: tensor.shape[2] for role, tensor in matrices.items()}
    widths["k"] = widths.get("q", widths.get("k", 0))
    pieces = []
    for role, tensor in {**matrices, **biases}.items():
        width = widths.get(role[2])
        fitting = (heads, d_model, width) if role[0] == "w" else (heads, width)
        if tensor.shape != fitting:
            asks = f"{lead.name} {lead.shape} asks for {fitting}" if width else f"there is no w_{role[2]}"
            raise WeightsError(f"{tensor.name} has shape {tensor.shape}, but {asks}", remedy=_STACKED)
        pieces.append(Piece(role, tensor, d_model, heads * tensor.shape[-1]))
    return Layout(tuple(pieces), (), heads)


def _orientation(
    matrices: Mapping[str, Tensor], scheme: Scheme, choice: Choice, d_model: int | None
) -> tuple[Orientation, tuple[str, ...]]:
    """Return how the matrices lie, and what must be said about it."""
    if choice.orientation is not None:
        return choice.orientation, (f"orientation: {choice.orientation}, as chosen",)
    if scheme == "bare":
        return _by_shape(list(matrices.values()), d_model)
    if scheme == "gpt2":
        rows, columns = matrices["w_qkv"].shape
        if rows == 3 * columns:
            return OUT_IN, ("c_attn is a Linear here, not the Conv1D of GPT-2",)
        return IN_OUT, ()
    return OUT_IN, ()


def _by_shape(matrices: list[Tensor], d_model: int | None) -> tuple[Orientation, tuple[str, ...]]:
    """Return how matrices lie whose names do not tell: their shapes, or the one agreed on for squares."""
    shapes = {tensor.shape: tensor.name for tensor in matrices}
    oblong = [shape for shape in shapes if shape[0] != shape[1]]
    notes: tuple[str, ...] = ()
    if d_model is None and oblong:
        d_model = max(oblong[0])
        notes = (f"d_model is taken as {d_model}, the longer side of {oblong[0]}",)
    for shape, name in shapes.items():
        if d_model is not None and d_model not in shape:
            raise WeightsError(
                f"{name} has shape {shape}, and neither side is d_model = {d_model}",
                remedy="Choose vectors that fit it, or another matrix",
            )
    if not oblong:
        shape = matrices[0].shape
        said = f"orientation: a square matrix {shape} cannot tell; taken as (d_model, d_k), in-out"
        return IN_OUT, (f"{said}; a torch weight is out-in",)
    lying = {IN_OUT if shape[0] == d_model else OUT_IN for shape in oblong}
    if len(lying) == 2:
        raise WeightsError(
            f"its matrices {', '.join(map(str, oblong))} do not lie the same way", remedy="Save them alike"
        )
    orientation = lying.pop()
    if orientation == IN_OUT:
        notes += (f"orientation: {oblong[0]} is taken as it is, (d_model, d_k)",)
    return orientation, notes


def _matrix_pieces(role: str, tensor: Tensor, orientation: Orientation) -> list[Piece]:
    """Return what a matrix becomes: one part, or three where it is packed."""
    turned = orientation == OUT_IN
    outputs, inputs = tensor.shape if turned else tensor.shape[::-1]
    if role != "w_qkv":
        return [Piece(role, tensor, inputs, outputs, turned)]
    if outputs % 3:
        axis = "rows" if turned else "columns"
        raise WeightsError(
            f"{tensor.name} has {outputs} output {axis}, which are no three equal parts for q, k and v",
            remedy="Save q, k and v as matrices of their own",
        )
    size = outputs // 3
    cuts = [(i * size, (i + 1) * size) for i in range(3)]
    return [Piece(f"w_{p}", tensor, inputs, size, turned, cut) for p, cut in zip("qkv", cuts, strict=True)]


def _bias_pieces(role: str, tensor: Tensor, matrices: list[Piece]) -> list[Piece]:
    """Return what a bias becomes: never is one left out in silence."""
    widths = {piece.part[2]: piece.outputs for piece in matrices}
    parts = [part for part in role[2:] if part in widths]
    if len(parts) != len(role[2:]):
        raise WeightsError(
            f"{tensor.name} is there, but not the matrix it belongs to", remedy="Save both in one file"
        )
    if tensor.shape != (sum(widths[part] for part in parts),):
        raise WeightsError(
            f"{tensor.name} has shape {tensor.shape}, not ({sum(widths[part] for part in parts)},)"
        )
    ends = [sum(widths[p] for p in parts[: i + 1]) for i in range(len(parts))]
    return [
        Piece(f"b_{p}", tensor, 0, widths[p], cut=(end - widths[p], end) if len(parts) > 1 else None)
        for p, end in zip(parts, ends, strict=True)
    ]
