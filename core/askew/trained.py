"""The bundled trained layer: layer 0 of all-MiniLM-L6-v2, its embedding layer and its heads."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

import askew_assets
from askew.embedding import EmbeddingLayer
from askew.heads import Head

if TYPE_CHECKING:
    from askew.arrays import Float32

BUNDLED_LAYER = "minilm-l6-v2"
MATRICES = ("W_q", "W_k", "W_v", "b_q", "b_k", "b_v")
FILE = "vectors/minilm-l6-v2.layer0.top15k.f16.safetensors"


@cache
def trained_embedding() -> EmbeddingLayer:
    """Return what the model does to its word vectors; always the same object."""
    file = _open()
    return EmbeddingLayer(
        BUNDLED_LAYER,
        positions=file.get_tensor("position_embeddings"),
        token_type=file.get_tensor("token_type_embedding_0"),
        norm_weight=file.get_tensor("layernorm_weight"),
        norm_bias=file.get_tensor("layernorm_bias"),
        epsilon=float(file.metadata()["layer_norm_eps"]),
        first="[CLS]",
        last="[SEP]",
    )


@cache
def trained_heads() -> tuple[Head, ...]:
    """Return the 12 heads, d_model 384, d_k = d_v = 32; always the same objects."""
    file = _open()
    count = int(file.metadata()["heads"])
    parts = zip(*(_split(file.get_tensor(f"layer0.{name}"), count) for name in MATRICES), strict=True)
    return tuple(
        Head(w_q, w_k, w_v, b_q, b_k, b_v, recipe="trained") for w_q, w_k, w_v, b_q, b_k, b_v in parts
    )


def _split(whole: Float32, count: int) -> list[Float32]:
    """Return the part of each head of a matrix or bias of all."""
    return np.split(np.asarray(whole, dtype=np.float32), count, axis=-1)


def _open() -> Any:  # noqa: ANN401  (the library has no types)
    from safetensors import safe_open

    return safe_open(askew_assets.path(FILE), framework="np")
