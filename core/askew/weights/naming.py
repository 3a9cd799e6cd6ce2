"""Whose naming the tensors of a file follow, and which of them belong together."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from askew.weights.model import Group, Stack

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from askew.weights.model import Scheme, Tensor

ANY, ANY_BIAS = "w_?", "b_?"
"""The roles of the one matrix of a file whose name does not tell what it is, and of its bias."""
_CROSS = re.compile(r"cross|encoder_attn|encdec|multihead_attn", re.IGNORECASE)
PACKED = re.compile(r"query_key_value|qkv_proj|Wqkv|qkv|to_qkv|in_proj|kv_proj|to_kv|qkv_linear|c_attn")
"""Names of matrices that hold several of q, k and v."""
_ORDER: dict[Scheme, int] = {"askew": 0, "linear": 2, "bare": 3}


def _named(letter: str, word: str) -> dict[str, str]:
    """Return the names that a Linear for one part goes by."""
    big = letter.upper()
    names = (
        f"{letter}_proj {word}_proj {letter}_lin {word}_lin {word} {letter} w{letter} W{letter} W{big} "
        f"w_{letter} W_{big} W_{letter} to_{letter} linear_{letter} {letter}_linear w_{letter}s fc_{letter}"
    )
    return dict.fromkeys(names.split(), letter)


_PARTS = _named("q", "query") | _named("k", "key") | _named("v", "value")
_BIAS = re.compile(r"b_([qkvQKV])")


class _Found(NamedTuple):
    """What a name says: its scheme, the tensors it belongs with, and its role among them."""

    scheme: Scheme
    prefix: tuple[str, ...]
    role: str


def stacks_of(tensors: Sequence[Tensor]) -> tuple[Stack, ...]:
    """Return the attentions of a file, likeliest first: of the encoder, of itself, of a known scheme."""
    groups: dict[tuple[Scheme, tuple[str, ...]], dict[str, str]] = {}
    for tensor in tensors:
        if (found := _recognised(tensor.name)) is not None:
            groups.setdefault(found[:2], {}).setdefault(found.role, tensor.name)
    shapes = {tensor.name: tensor.shape for tensor in tensors}
    stacks: dict[tuple[Scheme, str], dict[int | None, Group]] = {}
    for (scheme, prefix), names in groups.items():
        matrices = [name for role, name in names.items() if role.startswith("w_")]
        if not matrices:
            continue
        layer, stack = _layer_of(prefix)
        kind = _settled(scheme, prefix, [shapes[name] for name in matrices], shapes.keys())
        stacks.setdefault((kind, stack), {})[layer] = Group(".".join(prefix), names)
    listed = [Stack(name, scheme, layers) for (scheme, name), layers in stacks.items()]
    return tuple(sorted(listed, key=_likelihood)) or _only_matrix(tensors)


def _recognised(name: str) -> _Found | None:
    *before, last = name.split(".")
    if last in ("in_proj_weight", "in_proj_bias"):
        return _Found("torch-mha", tuple(before), "w_qkv" if last.endswith("weight") else "b_qkv")
    if last in ("q_proj_weight", "k_proj_weight", "v_proj_weight"):
        return _Found("torch-mha", tuple(before), f"w_{last[0]}")
    if last in ("weight", "bias") and before:
        return _linear(tuple(before[:-1]), before[-1], "w" if last == "weight" else "b")
    if last in _PARTS:
        return _Found("bare", tuple(before), f"w_{_PARTS[last]}")
    bias = _BIAS.fullmatch(last)
    if bias:
        return _Found("bare", tuple(before), f"b_{bias[1].lower()}")
    return None


def _linear(before: tuple[str, ...], module: str, letter: str) -> _Found | None:
    """Return what a weight or bias of a module is; the module before it tells the scheme."""
    parent = before[-1] if before else ""
    if module == "c_attn" and parent == "attn":
        return _Found("gpt2", before, f"{letter}_qkv")
    if module not in _PARTS:
        return None
    scheme: Scheme = "linear"
    if (
        module in ("query", "key", "value")
        and parent == "self"
        and before[-2:-1] in (("attention",), ("crossattention",))
    ):
        scheme = "bert"
    elif module.endswith("_proj") and parent == "self_attn" and len(module) == len("q_proj"):
        scheme = "llama"
    elif len(module) == 1 and parent in ("SelfAttention", "EncDecAttention"):
        scheme = "t5"
    return _Found(scheme, before, f"{letter}_{_PARTS[module]}")


def _settled(
    scheme: Scheme, prefix: tuple[str, ...], matrices: list[tuple[int, ...]], all_names: Container[str]
) -> Scheme:
    """Return the scheme once shapes and neighbours are known.

    Matrices stacked by head are in Askew's own layout. Models of the BART, CLIP and OPT kind name their
    matrices as Llama does, but have an `out_proj`.
    """
    if scheme == "bare" and any(len(shape) == 3 for shape in matrices):
        return "askew"
    out = ".".join((*prefix, "out_proj.weight"))
    return "linear" if scheme == "llama" and out in all_names else scheme


def _layer_of(prefix: tuple[str, ...]) -> tuple[int | None, str]:
    """Return the number of the layer, the first in a name, and the name with `*` in its place."""
    for place, part in enumerate(prefix):
        if part.isdecimal() and part.isascii() and len(part) < 7:
            return int(part), ".".join((*prefix[:place], "*", *prefix[place + 1 :]))
    return None, ".".join(prefix)


def _likelihood(stack: Stack) -> tuple[bool, int, bool]:
    return is_cross(stack), _ORDER.get(stack.scheme, 1), "decoder" in stack.name


def is_cross(stack: Stack) -> bool:
    """Whether the attention looks from one text at another."""
    return _CROSS.search(stack.name) is not None


def is_packed(name: str) -> bool:
    """Whether a name says that q, k and v are in one matrix, in an order that it does not tell."""
    return any(PACKED.fullmatch(part) for part in name.split("."))


def _only_matrix(tensors: Sequence[Tensor]) -> tuple[Stack, ...]:
    """Return the one matrix of a file, whatever its name; `weight`, `bias` are a torch Linear saved alone."""
    matrices = [tensor for tensor in tensors if len(tensor.shape) in (2, 3)]
    if len(matrices) != 1:
        return ()
    name = matrices[0].name
    found = _recognised(name)
    if is_packed(name) or (found is not None and found.role[0] == "b"):
        return ()
    names = {ANY: name}
    if name != "weight":
        scheme: Scheme = "askew" if len(matrices[0].shape) == 3 else "bare"
        return (Stack("", scheme, {None: Group("", names)}),)
    if any(tensor.name == "bias" for tensor in tensors):
        names[ANY_BIAS] = "bias"
    return (Stack("", "linear", {None: Group("", names)}),)
