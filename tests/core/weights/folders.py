"""Folders of models, written as their makers lay them out, from the bundled layer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from safetensors import safe_open
from safetensors.numpy import save_file

import askew_assets
from askew.trained import FILE

if TYPE_CHECKING:
    from pathlib import Path

PIECES = ("##ing", "##ed", "[unused0]", "[unused1]", "")


def bundled() -> tuple[dict[str, np.ndarray], list[str]]:
    """Return the tensors of the bundled layer and its words."""
    file: Any = safe_open(askew_assets.path(FILE), framework="np")
    tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  (no dict)
    words = tensors.pop("vocab_utf8").tobytes().decode().split("\n")
    return tensors, words


def bert_tensors(prefix: str = "") -> tuple[dict[str, np.ndarray], list[str]]:
    """Return the bundled layer in the layout of BERT, with pieces among its words, and its vocabulary."""
    old, words = bundled()
    table = old["word_embeddings"]
    table = np.concatenate([table[:5], np.full((len(PIECES), table.shape[1]), 9, table.dtype), table[5:]])
    new = {
        "embeddings.word_embeddings.weight": table,
        "embeddings.position_embeddings.weight": old["position_embeddings"],
        "embeddings.token_type_embeddings.weight": np.stack([old["token_type_embedding_0"]] * 2),
        "embeddings.LayerNorm.weight": old["layernorm_weight"],
        "embeddings.LayerNorm.bias": old["layernorm_bias"],
    }
    for part, name in (("q", "query"), ("k", "key"), ("v", "value")):
        here = f"encoder.layer.0.attention.self.{name}"
        new[f"{here}.weight"] = np.ascontiguousarray(old[f"layer0.W_{part}"].T)
        new[f"{here}.bias"] = old[f"layer0.b_{part}"]
    return {prefix + name: array for name, array in new.items()}, [*words[:5], *PIECES, *words[5:]]


def write_folder(
    folder: Path,
    tensors: dict[str, np.ndarray],
    words: list[str] | None = None,
    config: dict[str, Any] | None = None,
    **more: Any,  # noqa: ANN401  (whatever JSON says)
) -> Path:
    """Write model.safetensors and, as given, vocab.txt, config.json and other files of JSON."""
    folder.mkdir()
    save_file(tensors, folder / "model.safetensors")
    if words is not None:
        (folder / "vocab.txt").write_text("".join(f"{word}\n" for word in words), "utf-8")
    files = {"config": config, **more}
    for name, said in files.items():
        if said is not None:
            (folder / f"{name}.json").write_text(json.dumps(said), "utf-8")
    return folder


def write_bert(folder: Path, prefix: str = "", **settings: Any) -> Path:  # noqa: ANN401
    """Write the bundled layer as a BERT; `settings` go over config.json's."""
    tensors, words = bert_tensors(prefix)
    config = {"model_type": "bert", "num_attention_heads": 12, "layer_norm_eps": 1e-12, **settings}
    return write_folder(folder, tensors, words, config)
