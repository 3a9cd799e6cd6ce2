"""What a scheme needs besides its weights, and what it has that Askew does not bring."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askew.errors import WeightsError
from askew.weights.model import Needs
from askew.weights.naming import is_packed

if TYPE_CHECKING:
    from askew.weights.model import Group, Hints, Scheme, Stack, WeightsFile

ROPE_BASE = 10_000
_NEEDS: dict[Scheme, Needs] = {
    "t5": Needs(scoring="dot"),
    "gpt2": Needs(mask="causal"),
    "llama": Needs(mask="causal", positions="rope"),
}
_MISSING: dict[Scheme, tuple[str, ...]] = {
    "bert": ("its embedding layer: positions, token types and layer norm",),
    "gpt2": ("its layer norm before attention (ln_1)", "its learned positions (wpe)"),
    "llama": ("its RMS norm before attention (input_layernorm)",),
    "t5": ("its RMS norm before attention (layer_norm)", "its relative position bias"),
}
# What stands beside the matrices of an attention, and what it is called.
_BESIDE = {
    r"([qk]_(layer)?norm|norm_[qk])\.weight": "its norms of queries and keys (q_norm, k_norm)",
    r"(out_proj|o_proj|c_proj|o|to_out|dense|out_lin)\.weight": "its output projection (W_o)",
    r"sinks": "its attention sinks",
    r"kv_(a|b)_proj.*|kv_proj\.weight": "its keys and values, which come from a projection of their own",
}
_ODD_BIAS = re.compile(r"bias_[kv]|(q|k|v|qkv|query|key|value)_bias|b[qkvQKV]")


def needs_of(stack: Stack) -> Needs:
    """Return what patterns of this scheme need besides weights."""
    needs = _NEEDS.get(stack.scheme, Needs())
    if stack.scheme == "t5" and "decoder" in stack.name and "EncDec" not in stack.name:
        return Needs(scoring="dot", mask="causal")
    return needs


def missing_of(file: WeightsFile, stack: Stack, group: Group) -> tuple[str, ...]:
    """Return what the scheme has and Askew does not bring, in words."""
    missing = list(_MISSING.get(stack.scheme, ()))
    beside = _names_beside(file, group)
    for pattern, words in _BESIDE.items():
        if any(re.fullmatch(pattern, name) for name in beside):
            missing.append(words)
    if stack.scheme == "llama":
        missing += _of_config(file.hints)
    return tuple(missing)


def _of_config(hints: Hints) -> list[str]:
    """Return what only the model's configuration tells."""
    missing = []
    if hints.rope_base not in (None, ROPE_BASE):
        missing.append(f"its base of RoPE, {hints.rope_base:,.0f}; Askew's is {ROPE_BASE:,}")
    if hints.rope_kind:
        missing.append(f"its RoPE, {hints.rope_kind}")
    if hints.window is not None:
        missing.append(f"its sliding window of {hints.window:,} tokens")
    return missing


def _names_beside(file: WeightsFile, group: Group) -> list[str]:
    """Return the names of the other tensors of an attention, without what they all begin with."""
    start = f"{group.prefix}." if group.prefix else ""
    used = set(group.names.values())
    return [
        tensor.name[len(start) :]
        for tensor in file.tensors
        if tensor.name.startswith(start) and tensor.name not in used
    ]


def check_all_is_brought(file: WeightsFile, stack: Stack, group: Group) -> None:
    """Refuse biases that would be left out, and unknown arrays beside Askew's own.

    Raises
    ------
    WeightsError
        Naming them.
    """
    beside = _names_beside(file, group)
    if stack.scheme == "askew" and not group.prefix:
        odd = beside
    elif not group.prefix and len(group.names) == 1 and file.kind != "safetensors":
        odd = [name for name in beside if "bias" in name.lower()]
    else:
        odd = [name for name in beside if _ODD_BIAS.fullmatch(name)]
    if odd:
        raise WeightsError(
            f"it holds {', '.join(repr(name) for name in odd[:5])}, which Askew cannot bring",
            remedy="The names of its own are w_q, w_k, w_v, b_q, b_k, b_v; save the file without the others",
        )


def no_attention(file: WeightsFile) -> WeightsError:
    """Return the error for a file whose names say nothing of attention."""
    packed = [tensor.name for tensor in file.tensors if is_packed(tensor.name)]
    if packed:
        return WeightsError(
            f"q, k and v are packed in '{packed[0]}', in an order that differs between models",
            where=file.name,
            remedy="Save them as q_proj.weight, k_proj.weight and v_proj.weight",
        )
    matrices = [tensor.name for tensor in file.tensors if len(tensor.shape) > 1]
    count = "1 matrix" if len(matrices) == 1 else f"{len(matrices)} matrices"
    named = ", ".join(f"'{name}'" for name in matrices[:5]) + (", ..." if len(matrices) > 5 else "")
    return WeightsError(
        f"it holds {count}, and no name says which is W_q, W_k or W_v: {named}",
        where=file.name,
        remedy="Name them w_q, w_k and w_v, or save one alone",
    )
