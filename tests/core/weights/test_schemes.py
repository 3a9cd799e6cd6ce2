"""Weights under the names of torch and of well-known models give the patterns of those models."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from tests.core.weights.written import safetensors

from askew.experiment import Experiment, evaluate
from askew.vectors import WordVectors
from askew.weights import Choice, Needs, load, look, plan

if TYPE_CHECKING:
    from askew.arrays import Float32
    from askew.heads import Head
    from askew.weights import Imported, Plan

with np.load(Path(__file__).parents[2] / "data/golden_schemes.npz") as archive:
    GOLDEN: dict[str, Any] = dict(archive)
LAYER = 1
CASES = {
    "torch-mha": ("torch-mha", Needs(), LAYER),
    "torch-apart": ("torch-mha", Needs(), None),
    "bert": ("bert", Needs(), LAYER),
    "gpt2": ("gpt2", Needs(mask="causal"), LAYER),
    "llama": ("llama", Needs(mask="causal", positions="rope"), LAYER),
    "mistral-wide": ("llama", Needs(mask="causal", positions="rope"), LAYER),
    "qwen2": ("llama", Needs(mask="causal", positions="rope"), LAYER),
    "t5": ("t5", Needs(scoring="dot"), LAYER),
    "bart": ("linear", Needs(), LAYER),
}
EACH_CASE = pytest.mark.parametrize("case", CASES)


def tensors(case: str) -> dict[str, Any]:
    start = f"{case}/tensors/"
    return {name.removeprefix(start): array for name, array in GOLDEN.items() if name.startswith(start)}


def brought(path: Path, layer: int | None, heads: int | None = 4) -> tuple[Plan, Imported]:
    file = look(path)
    what = plan(file, Choice(heads=heads, layer=layer), 16)
    return what, load(file, what)


def pattern(case: str, heads: tuple[Head, ...], needs: Needs) -> Float32:
    """Return the pattern of heads over the stored input, each row of which is the vector of a word."""
    x = GOLDEN[f"{case}/x"]
    vectors = WordVectors.from_arrays(list("abcdef"), x)
    scored = tuple(replace(head, scoring=needs.scoring or head.scoring) for head in heads)
    experiment = Experiment("a b c d e f", vectors.ref, scored)
    experiment = replace(experiment, mask=needs.mask or "none", positions=needs.positions or "none")
    return evaluate(experiment, vectors).pattern


@EACH_CASE
def test_a_layer_gives_the_pattern_of_its_model(case: str, tmp_path: Path) -> None:
    scheme, needs, layer = CASES[case]
    path = safetensors(tmp_path / "model.safetensors", tensors(case))
    assert look(path).scheme == scheme
    what, imported = brought(path, layer)
    assert what.needs == needs
    assert imported.heads is not None
    np.testing.assert_allclose(pattern(case, imported.heads, needs), GOLDEN[f"{case}/pattern"], atol=1e-5)


@EACH_CASE
def test_the_same_names_in_an_npz_give_the_same(case: str, tmp_path: Path) -> None:
    _, needs, layer = CASES[case]
    np.savez(tmp_path / "model.npz", **tensors(case))
    _, imported = brought(tmp_path / "model.npz", layer)
    assert imported.heads is not None
    np.testing.assert_allclose(pattern(case, imported.heads, needs), GOLDEN[f"{case}/pattern"], atol=1e-5)


@pytest.mark.parametrize("case", ["llama", "gpt2", "t5"])
def test_without_what_the_scheme_needs_the_pattern_is_another(case: str, tmp_path: Path) -> None:
    path = safetensors(tmp_path / "model.safetensors", tensors(case))
    _, imported = brought(path, LAYER)
    assert imported.heads is not None
    assert np.abs(pattern(case, imported.heads, Needs()) - GOLDEN[f"{case}/pattern"]).max() > 0.05


@pytest.mark.parametrize("case", [name for name, (_, _, layer) in CASES.items() if layer is not None])
def test_a_file_with_several_layers_asks_which(case: str, tmp_path: Path) -> None:
    file = look(safetensors(tmp_path / "model.safetensors", tensors(case)))
    assert file.layers == (0, 1)
    (question,) = plan(file, Choice(heads=4), 16).questions
    assert (question.field, question.options) == ("layer", ("0", "1"))
    assert not plan(file, Choice(heads=4, layer=0), 16).questions


def test_heads_share_the_very_same_keys_and_values_where_there_are_fewer(tmp_path: Path) -> None:
    _, imported = brought(safetensors(tmp_path / "model.safetensors", tensors("qwen2")), LAYER)
    assert imported.heads is not None
    first, second, third, _ = imported.heads
    for part in ("w_k", "b_k", "w_v", "b_v"):
        assert getattr(first, part) is getattr(second, part)
        assert getattr(first, part) is not getattr(third, part)
    assert first.w_q is not second.w_q
    assert any("heads share keys: 4 heads, 2 key heads" in note for note in imported.notes)


def test_d_k_is_not_taken_to_be_d_model_over_heads(tmp_path: Path) -> None:
    what, _ = brought(safetensors(tmp_path / "model.safetensors", tensors("mistral-wide")), LAYER)
    assert (what.heads, what.kv_heads, what.d_k, what.d_v) == (4, 2, 6, 6)


def test_a_linear_is_turned_over_and_a_conv1d_is_not(tmp_path: Path) -> None:
    linear, _ = brought(safetensors(tmp_path / "a.safetensors", tensors("t5")), LAYER)
    assert {role.part: role.turned_over for role in linear.roles} == dict.fromkeys(
        ("w_q", "w_k", "w_v"), True
    )
    assert any("turned over: file is (20, 16)" in note for note in linear.notes)
    conv, _ = brought(safetensors(tmp_path / "b.safetensors", tensors("gpt2")), LAYER)
    assert not any(role.turned_over for role in conv.roles)
    assert [(role.part, role.cut) for role in conv.roles][:3] == [
        ("w_q", (0, 16)),
        ("w_k", (16, 32)),
        ("w_v", (32, 48)),
    ]


def test_a_gpt2_whose_packed_matrix_is_a_linear_is_known_by_its_shape(tmp_path: Path) -> None:
    turned = {name: a.T if "c_attn.weight" in name else a for name, a in tensors("gpt2").items()}
    what, imported = brought(safetensors(tmp_path / "model.safetensors", turned), LAYER)
    assert imported.heads is not None
    assert all(role.turned_over for role in what.roles if role.part[0] == "w")
    np.testing.assert_allclose(pattern("gpt2", imported.heads, what.needs), GOLDEN["gpt2/pattern"], atol=1e-5)


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("bert", "embedding layer"),
        ("gpt2", "ln_1"),
        ("llama", "RMS norm"),
        ("t5", "relative position bias"),
        ("torch-mha", "output projection"),
    ],
)
def test_what_a_scheme_has_and_askew_does_not_bring_is_said(case: str, said: str, tmp_path: Path) -> None:
    what, imported = brought(safetensors(tmp_path / "model.safetensors", tensors(case)), CASES[case][2])
    assert any(said in each for each in what.missing)
    assert imported.missing == what.missing


def test_norms_of_queries_and_keys_are_said_to_be_missing(tmp_path: Path) -> None:
    named = tensors("llama") | {
        f"layers.1.self_attn.{part}_norm.weight": np.ones(4, np.float32) for part in "qk"
    }
    what, _ = brought(safetensors(tmp_path / "model.safetensors", named), LAYER)
    assert any("q_norm" in each for each in what.missing)


def test_of_several_stacks_the_encoders_attention_to_itself_is_taken_and_the_others_named(
    tmp_path: Path,
) -> None:
    file = look(safetensors(tmp_path / "model.safetensors", tensors("bart")))
    names = [stack.name for stack in file.stacks]
    assert names[0] == "encoder.layers.*.self_attn"
    assert set(names[1:]) == {"decoder.layers.*.self_attn", "decoder.layers.*.encoder_attn"}
    what = plan(file, Choice(heads=4, layer=0), 16)
    assert what.stack == names[0]
    assert any("decoder.layers.*.encoder_attn" in note for note in what.notes)
    other = plan(file, Choice(heads=4, stack="decoder.layers.*.self_attn", layer=0), 16)
    assert all(role.tensor.startswith("decoder.layers.0.self_attn") for role in other.roles)


def test_a_decoder_of_t5_needs_a_causal_mask_too(tmp_path: Path) -> None:
    names = {name.replace("encoder", "decoder"): array for name, array in tensors("t5").items()}
    what, _ = brought(safetensors(tmp_path / "model.safetensors", names), LAYER)
    assert what.needs == Needs(scoring="dot", mask="causal")
