"""From the names and shapes of a file to what will become of them: pure, nothing is read."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from askew.errors import WeightsError
from askew.weights.lying import lay_out
from askew.weights.model import Plan, Question, Role
from askew.weights.naming import ANY
from askew.weights.schemes import check_all_is_brought, missing_of, needs_of, no_attention
from askew.weights.splitting import split

if TYPE_CHECKING:
    from askew.heads import Head, Part
    from askew.weights.lying import Layout, Piece
    from askew.weights.model import Choice, Group, Stack, WeightsFile

_WORDS: dict[str, Part] = {
    "q": "q", "wq": "q", "query": "q", "queries": "q",
    "k": "k", "wk": "k", "key": "k", "keys": "k",
    "v": "v", "wv": "v", "value": "v", "values": "v",
}  # fmt: skip


def plan(
    file: WeightsFile,
    choice: Choice,
    d_model: int | None = None,
    like: Head | None = None,
    vectors: str = "the table in use",
) -> Plan:
    """Say what will happen.

    Parameters
    ----------
    d_model
        Numbers per token vector; None: as the file has it.
    like
        A head in use: the widths that a file which lacks a matrix must have.
    vectors
        What the token vectors are called where they do not fit.

    Raises
    ------
    WeightsError
        If the file does not fit: other d_model, sizes that do not go together, too many numbers.
    """
    if not file.stacks:
        raise no_attention(file)
    try:
        return _plan(file, choice, d_model, like, vectors)
    except WeightsError as error:
        if error.where:
            raise
        raise WeightsError(error.what, where=file.name, remedy=error.remedy) from error


def _plan(file: WeightsFile, choice: Choice, d_model: int | None, like: Head | None, vectors: str) -> Plan:
    stack, told = _stack(file, choice, d_model)
    layer, question = _layer(stack, choice)
    group = stack.groups[layer]
    check_all_is_brought(file, stack, group)
    part, named = _part(group, choice)
    tensors = {tensor.name: tensor for tensor in file.tensors}
    layout = lay_out(group, tensors, stack.scheme, choice, d_model, part)
    inputs = _inputs(layout, d_model, vectors)
    lacking = tuple(f"w_{p}" for p in "qkv" if layout.outputs(f"w_{p}") is None)
    sizes = split(layout, stack.scheme, choice, file.hints, like if lacking else None)
    asked = [each for each in (question, _likelier(sizes.question, layout, like)) if each is not None]
    remark = (file.remark,) if file.remark else ()
    return Plan(
        tuple(_role(piece) for piece in layout.pieces),
        inputs,
        sizes.heads,
        sizes.kv_heads,
        sizes.d_k,
        sizes.d_v,
        notes=(*remark, *told, *named, *_turned(layout), *layout.notes, *sizes.notes),
        needs=needs_of(stack),
        missing=missing_of(file, stack, group),
        questions=tuple(asked),
        lacking=lacking,
        layer=layer,
        stack=stack.name,
    )


def _stack(file: WeightsFile, choice: Choice, d_model: int | None) -> tuple[Stack, tuple[str, ...]]:
    """Return the attentions that are meant, and which others there are."""
    if choice.stack is not None:
        for stack in file.stacks:
            if stack.name == choice.stack:
                return stack, ()
        names = ", ".join(stack.name for stack in file.stacks)
        raise WeightsError(f"there is no '{choice.stack}' in it", remedy=f"There is {names}")
    shapes = {tensor.name: tensor.shape for tensor in file.tensors}
    fitting = [stack for stack in file.stacks if d_model is None or _may_fit(stack, shapes, d_model)]
    chosen = (fitting or list(file.stacks))[0]
    others = [stack.name for stack in file.stacks if stack is not chosen]
    if not others:
        return chosen, ()
    named = ", ".join(others[:5]) + (", ..." if len(others) > 5 else "")
    return chosen, (f"taken from {chosen.name or 'the matrices without a prefix'}; there is also {named}",)


def _may_fit(stack: Stack, shapes: dict[str, tuple[int, ...]], d_model: int) -> bool:
    """Whether a side of the stack's first matrix is d_model."""
    names = next(iter(stack.groups.values())).names
    return any(d_model in shapes[name] for role, name in names.items() if role[0] == "w")


def _layer(stack: Stack, choice: Choice) -> tuple[int | None, Question | None]:
    """Return the layer that is meant; the first, with a question, if that is open."""
    layers = stack.layers
    if choice.layer is not None and choice.layer not in stack.groups:
        there = f"It has {_listed(layers)}" if layers else "Leave the choice of a layer out"
        what = f"there is no layer {choice.layer} in it" if layers else "it has no layers to choose from"
        raise WeightsError(what, remedy=there)
    if choice.layer is not None or not layers:
        return choice.layer, None
    if len(stack.groups) == 1:
        return layers[0], None
    text = f"the file has {len(layers)} layers"
    return layers[0], Question("layer", text, tuple(map(str, layers)), str(layers[0]))


def _likelier(question: Question | None, layout: Layout, like: Head | None) -> Question | None:
    """Return the question about the number of heads, with the answer that keeps the width of those in use."""
    if question is None or like is None:
        return question
    count, rest = divmod(layout.outputs("w_q") or 0, like.d_k)
    return replace(question, suggested=str(count)) if count and not rest else question


def _listed(layers: tuple[int, ...]) -> str:
    """Return numbers in words: "layers 0 to 11", or each if some are left out."""
    if layers == tuple(range(layers[0], layers[-1] + 1)) and len(layers) > 2:
        return f"layers {layers[0]} to {layers[-1]}"
    shown = ", ".join(map(str, layers[:20])) + (", ..." if len(layers) > 20 else "")
    return f"layer{'s' if len(layers) > 1 else ''} {shown}"


def _part(group: Group, choice: Choice) -> tuple[Part, tuple[str, ...]]:
    """Return what a matrix without a telling name is: as chosen, as the file is called, else W_q."""
    name = group.names.get(ANY)
    if name is None:
        return "q", ()
    if choice.part is not None:
        return choice.part, (f"taken as W_{choice.part}, as chosen",)
    words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())
    found = {_WORDS[word] for word in words if word in _WORDS}
    if len(found) == 1:
        part = found.pop()
        return part, (f"taken as W_{part}, as its name says",)
    return "q", ("taken as W_q, since its name does not say what it is",)


def _inputs(layout: Layout, d_model: int | None, vectors: str) -> int:
    """Return the numbers that the matrices take, the same for all and those of the vectors in use."""
    sizes = {piece.tensor.name: piece.inputs for piece in layout.pieces if piece.part[0] == "w"}
    (first, taken), *others = sizes.items()
    for name, size in others:
        if size != taken:
            raise WeightsError(
                f"{name} takes {size} numbers and {first} {taken}",
                remedy="Askew has one vector per token for queries, keys and values",
            )
    if d_model not in (None, taken):
        raise WeightsError(
            f"its heads are for vectors of {taken} numbers, and {vectors} has {d_model}",
            remedy=f"Choose vectors of {taken} numbers, or other weights",
        )
    return taken


def _turned(layout: Layout) -> tuple[str, ...]:
    """Say which matrices are turned over, once for each."""
    turned = {piece.tensor.name: piece.tensor.shape for piece in layout.pieces if piece.turned_over}
    return tuple(f"{name} turned over: file is {shape}" for name, shape in turned.items())


def _role(piece: Piece) -> Role:
    note = f"turned over: file is {piece.tensor.shape}" if piece.turned_over else ""
    if piece.cut is not None:
        cut = f"outputs {piece.cut[0] + 1} to {piece.cut[1]}"
        note = f"{cut}, {note}" if note else cut
    return Role(piece.tensor.name, piece.part, piece.tensor.shape, piece.turned_over, note, piece.cut)
