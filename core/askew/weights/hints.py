"""What a file says of its heads besides its numbers: metadata, or the config.json of the model beside it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from askew.edits import MAX_HEADS
from askew.errors import AskewError
from askew.vectors.formats.source import read_beside
from askew.weights.model import Hints

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any

_MOST_CONFIG = 1 << 20
_HEADS = ("num_attention_heads", "n_head", "num_heads", "n_heads", "encoder_attention_heads", "heads")
_KEY_HEADS = ("num_key_value_heads", "n_head_kv", "num_kv_heads")
_WIDTH = ("head_dim", "d_kv", "d_k")
_BIGGEST = 1 << 20


def hints_of(metadata: object, path: Path) -> Hints:
    """Return what the metadata of a file or the config.json beside it says; nothing if neither does."""
    if isinstance(metadata, dict):
        hints = _read(metadata, "its metadata")
        if hints.heads is not None or hints.d_k is not None:
            return hints
    try:
        content = json.loads(read_beside(path.with_name("config.json"), _MOST_CONFIG))
    except (AskewError, ValueError, RecursionError):  # none there, or none that says anything
        return Hints()
    if not isinstance(content, dict):
        return Hints()
    inner = content.get("text_config")
    return _read({**inner, **content} if isinstance(inner, dict) else content, "config.json beside it")


def _read(said: Mapping[str, Any], source: str) -> Hints:
    """Return what stands under the usual names."""
    inner = said.get("rope_parameters") or said.get("rope_scaling")
    scaling: Mapping[str, Any] = inner if isinstance(inner, dict) else {}
    return Hints(
        _whole(said, _HEADS, MAX_HEADS),
        _whole(said, _KEY_HEADS, MAX_HEADS),
        _whole(said, _WIDTH, _BIGGEST),
        source,
        _number(scaling.get("rope_theta", said.get("rope_theta"))),
        _rope_kind(scaling, said.get("partial_rotary_factor")),
        None if said.get("use_sliding_window") is False else _whole(said, ("sliding_window",), 1 << 40),
    )


def _rope_kind(scaling: Mapping[str, Any], share: object) -> str:
    """Return what is special about the RoPE of a model; empty if nothing is."""
    kind = scaling.get("rope_type", scaling.get("type"))
    turned = _number(scaling.get("partial_rotary_factor", share))
    if turned not in (None, 1.0):
        return f"which turns {turned:.4g} of each head"
    return f"scaled as '{kind[:20]}'" if isinstance(kind, str) and kind != "default" else ""


def _whole(said: Mapping[str, Any], names: tuple[str, ...], most: int) -> int | None:
    """Return the first whole number under one of the names; metadata writes numbers as text."""
    for name in names:
        value = said.get(name)
        if isinstance(value, str) and value.isdecimal() and value.isascii() and len(value) < 12:
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= most:
            return value
    return None


def _number(value: object) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e30:
        return float(value)
    return None
