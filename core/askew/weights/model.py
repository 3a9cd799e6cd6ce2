"""What is known about weights in a file, what is asked, and what will become of them: plain data."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from askew.errors import WeightsError
from askew.heads import FromFiles

if TYPE_CHECKING:
    from collections.abc import Mapping

    from askew.arrays import Float32
    from askew.heads import Head, Orientation, Part
    from askew.weights.places import Place

Kind = Literal["csv", "tsv", "text", "npy", "npz", "safetensors"]
Scheme = Literal["askew", "torch-mha", "bert", "gpt2", "llama", "t5", "linear", "bare"]
Field = Literal["heads", "layer"]


@dataclass(frozen=True, slots=True)
class Tensor:
    """An array as the file has it; `dtype` in numpy's words ("float32"), "bfloat16", or "text" in a table."""

    name: str
    shape: tuple[int, ...]
    dtype: str


@dataclass(frozen=True, slots=True)
class Hints:
    """What a file, or the config.json beside it, says of its heads; None is nothing.

    `source` names what says so. `rope_base` and `window` are RoPE's base and the sliding window of the model,
    `rope_kind` what is special about its RoPE.
    """

    heads: int | None = None
    kv_heads: int | None = None
    d_k: int | None = None
    source: str = ""
    rope_base: float | None = None
    rope_kind: str = ""
    window: int | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """The tensors of one attention: names by role, "w_q" to "b_v", and "w_qkv", "b_qkv" where packed."""

    prefix: str
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Stack:
    """Attentions that follow each other in a model; the layer is None where the names count none.

    `name` is that of its tensors with `*` for the number of the layer.
    """

    name: str
    scheme: Scheme
    groups: Mapping[int | None, Group]

    @property
    def layers(self) -> tuple[int, ...]:
        """The numbers of its layers, as the names count them: from 0."""
        return tuple(sorted(layer for layer in self.groups if layer is not None))


@dataclass(frozen=True, slots=True, eq=False)
class WeightsFile:
    """A file that was looked at; no numbers were read but those of a table of text.

    Parameters
    ----------
    name
        For messages.
    kind
        Its format, by its content.
    scheme
        Whose naming it follows; "linear" is any torch Linear, "bare" a matrix whose name does not tell how
        it lies.
    tensors
        All that is in it.
    layers
        The layers that can be chosen; empty where the names count none.
    stacks
        The attentions found, likeliest first; several in a model with encoder and decoder.
    """

    name: str
    kind: Kind
    scheme: Scheme
    tensors: tuple[Tensor, ...]
    layers: tuple[int, ...]
    stacks: tuple[Stack, ...] = ()
    hints: Hints = Hints()
    places: Mapping[str, Place] = field(default_factory=dict, repr=False)
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person chose; None is "as the file says, or as is likeliest".

    `part` is what a bare matrix is; `orientation` is "in-out" for (d_model, d), "out-in" for torch's
    (d, d_model).
    """

    heads: int | None = None
    kv_heads: int | None = None
    orientation: Orientation | None = None
    layer: int | None = None
    part: Part | None = None
    d_k: int | None = None
    stack: str | None = None


@dataclass(frozen=True, slots=True)
class Role:
    """What a tensor, or a part of it, becomes.

    Parameters
    ----------
    tensor
        Its name in the file.
    part
        "w_q" to "b_v".
    shape
        As it lies in the file, packed parts included.
    turned_over
        Whether rows and columns are exchanged: the file has (out, in).
    note
        In words; empty if there is nothing to say.
    cut
        First and last + 1 of the outputs that are taken, of a packed tensor; None is all.
    """

    tensor: str
    part: str
    shape: tuple[int, ...]
    turned_over: bool = False
    note: str = ""
    cut: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Needs:
    """What a scheme needs besides its weights to give its own patterns; None is nothing in particular."""

    scoring: str | None = None
    mask: str | None = None
    positions: str | None = None

    def __bool__(self) -> bool:
        """Whether there is any."""
        return any((self.scoring, self.mask, self.positions))

    def __str__(self) -> str:
        """Return them in words: "mask causal, positions rope"."""
        named = (("scoring", self.scoring), ("mask", self.mask), ("positions", self.positions))
        return ", ".join(f"{name} {value}" for name, value in named if value)


@dataclass(frozen=True, slots=True)
class Question:
    """What must be chosen before the file can be read: the field of `Choice`, and its possible values.

    `suggested` is the likeliest of the options, empty if none is likelier.
    """

    field: Field
    text: str
    options: tuple[str, ...]
    suggested: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What will happen, before anything is read.

    `heads`, `kv_heads`, `d_k` and `d_v` are None where the file brings nothing of the kind, or as long as a
    question about them is open. `missing` is what the scheme has and Askew does not bring; `lacking` names
    the matrices, "w_q" to "w_v", that are not in the file and stay as they are.
    """

    roles: tuple[Role, ...]
    d_model: int | None
    heads: int | None
    kv_heads: int | None
    d_k: int | None
    d_v: int | None
    notes: tuple[str, ...] = ()
    needs: Needs = Needs()
    missing: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()
    lacking: tuple[str, ...] = ()
    layer: int | None = None
    stack: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Imported:
    """The weights that were read.

    Parameters
    ----------
    heads
        All heads; None if the file lacks a matrix.
    parts
        For each of "w_q" to "b_v" that the file brings, one array a head, (d_model, d) or (d,): float32,
        read-only. Heads that share keys hold the very same arrays.
    origin
        The file, and how each matrix lay in it.
    """

    heads: tuple[Head, ...] | None
    parts: Mapping[str, tuple[Float32, ...]]
    notes: tuple[str, ...] = ()
    needs: Needs = Needs()
    missing: tuple[str, ...] = ()
    origin: FromFiles = field(default_factory=FromFiles)

    @property
    def count(self) -> int:
        """How many heads the arrays are for."""
        return len(next(iter(self.parts.values())))

    def onto(self, heads: tuple[Head, ...]) -> tuple[Head, ...]:
        """Return these heads with what the file brings in place of their own; the rest stays.

        Raises
        ------
        WeightsError
            If they are not as many, or of other sizes.
        """
        if len(heads) != self.count:
            raise WeightsError(
                f"it brings {self.count} heads, and there are {len(heads)}",
                remedy=f"Choose {self.count} heads for it",
            )
        brought = [{part: arrays[h] for part, arrays in self.parts.items()} for h in range(self.count)]
        return tuple(
            replace(head, recipe=self.origin.onto(head.recipe), **arrays)  # type: ignore[arg-type]
            for head, arrays in zip(heads, brought, strict=True)
        )
