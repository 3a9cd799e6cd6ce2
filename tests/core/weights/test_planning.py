"""What a file will become: heads, orientation, questions; all of it said before a number is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.weights.written import safetensors

from askew.errors import WeightsError
from askew.initializers import random_heads
from askew.weights import Choice, Plan, look, look_text, plan
from askew.weights.model import Tensor, WeightsFile
from askew.weights.naming import stacks_of

if TYPE_CHECKING:
    from pathlib import Path

    from askew.heads import Head
    from askew.weights.model import Kind


def named(shapes: dict[str, tuple[int, ...]], kind: Kind = "safetensors") -> WeightsFile:
    """Return a file with tensors of these shapes, as a look at it would."""
    tensors = tuple(Tensor(name, shape, "float32") for name, shape in shapes.items())
    stacks = stacks_of(tensors)
    layers = tuple(sorted({layer for stack in stacks for layer in stack.layers}))
    return WeightsFile("m", kind, stacks[0].scheme if stacks else "bare", tensors, layers, stacks)


def qkv(q: int, k: int, v: int, d_model: int = 8) -> WeightsFile:
    return named({f"{p}_proj.weight": (n, d_model) for p, n in zip("qkv", (q, k, v), strict=True)})


def sizes(what: Plan) -> tuple[int | None, ...]:
    return what.heads, what.kv_heads, what.d_k, what.d_v


def refusal(file: WeightsFile, choice: Choice | None = None, like: Head | None = None) -> str:
    with pytest.raises(WeightsError) as caught:
        plan(file, choice or Choice(), 8, like)
    return str(caught.value)


@given(st.integers(1, 6), st.integers(1, 4), st.integers(1, 5), st.integers(1, 5))
def test_heads_that_share_keys_are_found_from_the_sizes_alone(kv: int, each: int, d_k: int, d_v: int) -> None:
    heads = kv * each
    what = plan(qkv(heads * d_k, kv * d_k, kv * d_v), Choice(heads=heads), 8)
    assert sizes(what) == (heads, kv, d_k, d_v)
    assert any("heads share keys" in note for note in what.notes) == (each > 1)


def test_the_number_of_heads_is_asked_with_the_possible_ones() -> None:
    (question,) = plan(qkv(12, 12, 12), Choice(), 8).questions
    assert (question.field, question.options) == ("heads", ("1", "2", "3", "4", "6", "12"))


def test_of_the_possible_numbers_that_which_keeps_the_width_in_use_is_suggested() -> None:
    (like,) = random_heads(1, d_model=8, d_k=3, d_v=2, seed=0)
    (question,) = plan(qkv(12, 12, 12), Choice(), 8, like).questions
    assert question.suggested == "4"
    (question,) = plan(qkv(8, 8, 8), Choice(), 8, like).questions
    assert question.suggested == ""


def test_the_width_of_heads_tells_their_number() -> None:
    assert sizes(plan(qkv(12, 6, 6), Choice(d_k=3), 8)) == (4, 2, 3, 3)
    assert sizes(plan(qkv(12, 12, 24), Choice(heads=4, d_k=3), 8)) == (4, 4, 3, 6)


@pytest.mark.parametrize(
    ("file", "choice", "said"),
    [
        (qkv(12, 12, 12), Choice(heads=5), "q has 12 output rows, which 5 heads cannot share evenly"),
        (qkv(12, 12, 12), Choice(d_k=5), "q has 12 output rows, not a multiple of d_k = 5"),
        (qkv(12, 12, 12), Choice(heads=3, d_k=3), "12 output rows, which are not 3 heads of d_k = 3"),
        (qkv(12, 9, 9), Choice(heads=4), "4 heads and 3 key heads"),
        (qkv(12, 24, 24), Choice(heads=4), "4 heads and 8 key heads"),
        (qkv(12, 6, 5), Choice(heads=4), "v has 5 output rows, which 2 heads cannot share evenly"),
        (qkv(12, 6, 6), Choice(heads=4, kv_heads=4), "2 key heads, and not 4"),
        (qkv(12, 12, 12, 6), Choice(heads=4), "vectors of 6 numbers, and the table in use has 8"),
        (qkv(4096, 4096, 4096), Choice(heads=2048), "2,048 heads are more than can be shown"),
        (qkv(12, 0, 12), Choice(heads=4), "k_proj.weight has shape (0, 8): it is empty"),
        (qkv(1 << 26, 4, 4), Choice(heads=4), "more than 268,435,456 numbers"),
        (named({"q_proj.weight": (4, 8), "k_proj.weight": (4, 6)}), Choice(heads=1), "takes 6 numbers"),
        (named({"in_proj_weight": (10, 8)}), Choice(heads=1), "no three equal parts"),
        (named({"attn.c_attn.weight": (8, 20)}), Choice(heads=1), "no three equal parts"),
        (named({"q_proj.weight": (4, 8, 1)}), Choice(heads=1), "no matrix"),
        (named({"q_proj.weight": (4, 8), "q_proj.bias": (3,)}), Choice(heads=1), "shape (3,), not (4,)"),
        (named({"q_proj.weight": (4, 8), "k_proj.bias": (4,)}), Choice(heads=1), "k_proj.bias is there"),
        (named({"in_proj_weight": (24, 8), "bias_k": (1, 1, 8)}), Choice(heads=1), "'bias_k'"),
        (named({"query.weight": (8, 8), "q_bias": (8,)}), Choice(heads=1), "'q_bias'"),
        (named({"h.0.attention.query_key_value.weight": (24, 8), "b": (8, 8)}), Choice(), "are packed in"),
        (named({"a": (8, 8), "b": (8, 8)}), Choice(), "2 matrices, and no name says which"),
        (qkv(8, 8, 8), Choice(layer=0, heads=1), "it has no layers to choose from"),
        (qkv(8, 8, 8), Choice(stack="x", heads=1), "there is no 'x'"),
    ],
)
def test_what_does_not_go_together_is_refused_with_the_numbers(
    file: WeightsFile, choice: Choice, said: str
) -> None:
    message = refusal(file, choice)
    assert message.startswith("m: ")
    assert said in message


def test_a_layer_that_is_not_there_is_named_with_those_that_are() -> None:
    file = named({f"layers.{n}.self_attn.q_proj.weight": (8, 8) for n in range(4)})
    assert file.layers == (0, 1, 2, 3)
    assert "no layer 7 in it. It has layers 0 to 3" in refusal(file, Choice(layer=7, heads=1))


@pytest.mark.parametrize(
    ("shape", "d_model", "turned"),
    [((4, 2), 4, False), ((2, 4), 4, True), ((4, 2), 2, True), ((2, 4), None, True), ((4, 2), None, False)],
)
def test_the_side_of_a_bare_matrix_that_is_d_model_takes_the_vector(
    shape: tuple[int, int], d_model: int | None, turned: bool
) -> None:
    what = plan(named({"m": shape}), Choice(), d_model)
    assert [role.turned_over for role in what.roles] == [turned]
    said = f"turned over: file is {shape}" if turned else "taken as it is"
    assert any(said in note for note in what.notes)
    assert what.d_model == (d_model or 4)


def test_a_bare_matrix_with_no_side_of_d_model_is_refused() -> None:
    assert "shape (4, 2), and neither side is d_model = 8" in refusal(named({"m": (4, 2)}))


def test_bare_matrices_of_one_file_lie_alike_and_an_oblong_one_tells_how() -> None:
    shapes: dict[str, tuple[int, ...]] = {"w_q": (8, 8), "w_k": (8, 8), "w_v": (6, 8)}
    what = plan(named(shapes), Choice(), 8)
    assert all(role.turned_over for role in what.roles)
    assert "do not lie the same way" in refusal(named({"w_q": (8, 6), "w_k": (6, 8)}))


@pytest.mark.parametrize(
    ("name", "part"),
    [("W_k", "k"), ("head0_w_v", "v"), ("myQuery", "q"), ("values", "v"), ("matrix", "q"), ("q_and_k", "q")],
)
def test_the_name_of_a_bare_matrix_may_tell_what_it_is(name: str, part: str) -> None:
    what = plan(named({name: (8, 2)}, "npy"), Choice(), 8)
    assert [role.part for role in what.roles] == [f"w_{part}"]
    chosen = plan(look_text("1 2\n3 4"), Choice(part="v"), 2)
    assert [role.part for role in chosen.roles] == ["w_v"]
    assert chosen.lacking == ("w_q", "w_k")


def test_a_bare_matrix_is_split_by_the_width_of_the_heads_in_use() -> None:
    (like,) = random_heads(1, d_model=8, d_k=3, d_v=2, seed=0)
    assert sizes(plan(named({"m": (8, 6)}), Choice(), 8, like))[:3] == (2, 2, 3)
    assert plan(named({"m": (8, 6)}), Choice(part="v"), 8, like).d_v == 2
    assert "not a multiple of d_k = 3" in refusal(named({"m": (8, 7)}), like=like)
    assert "d_k = 6, and those in use 3" in refusal(named({"m": (8, 6)}), Choice(d_k=6), like=like)


def test_a_file_with_every_matrix_may_have_other_widths_than_the_heads_in_use() -> None:
    (like,) = random_heads(1, d_model=8, d_k=3, d_v=2, seed=0)
    assert sizes(plan(qkv(8, 8, 8), Choice(heads=2), 8, like)) == (2, 2, 4, 4)


def test_a_linear_saved_alone_is_turned_over_with_its_bias(tmp_path: Path) -> None:
    arrays = {"weight": np.ones((8, 8), np.float32), "bias": np.ones(8, np.float32)}
    file = look(safetensors(tmp_path / "k_proj.safetensors", arrays))
    what = plan(file, Choice(heads=2, part="k"), 8)
    assert {role.part: role.turned_over for role in what.roles} == {"w_k": True, "b_k": False}


@pytest.mark.parametrize(
    ("name", "scheme"),
    [
        ("self_attn.q_proj.weight", "llama"),
        ("model.layers.3.self_attn.q_proj.weight", "llama"),
        ("bert.encoder.layer.0.attention.self.query.weight", "bert"),
        ("transformer.h.0.attn.c_attn.weight", "gpt2"),
        ("encoder.block.0.layer.0.SelfAttention.q.weight", "t5"),
        ("in_proj_weight", "torch-mha"),
        ("transformer.layer.0.attention.q_lin.weight", "linear"),
        ("q.weight", "linear"),
        ("query.weight", "linear"),
        ("W_q", "bare"),
        ("anything", "bare"),
    ],
)
def test_the_scheme_is_known_by_the_name(name: str, scheme: str) -> None:
    assert named({name: (12, 12)}).scheme == scheme


def test_of_stacks_of_one_kind_that_which_fits_the_vectors_is_taken() -> None:
    file = named({f"{tower}.layers.0.self_attn.q_proj.weight": (n, n) for tower, n in (("a", 6), ("b", 8))})
    assert plan(file, Choice(heads=1), 8).stack == "b.layers.*.self_attn"
    assert plan(file, Choice(heads=1), 6).stack == "a.layers.*.self_attn"
