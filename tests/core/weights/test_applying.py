"""Imported weights put into an experiment: all heads, one of them, or one matrix."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from askew.errors import AskewError, ExperimentError
from askew.experiment import Experiment, VectorsRef
from askew.heads import PARTS, FromFile, FromFiles, Head, Part
from askew.initializers import random_heads
from askew.weights import Imported, Needs, Plan
from askew.weights.applying import Target, bring, check_fits, with_needs

D_MODEL = 6
ORIGIN = FromFiles(FromFile("qk.npz"), FromFile("qk.npz"), FromFile("qk.npz"))
LOCKED: frozenset[Part] = frozenset({"q"})


def experiment(count: int = 3, d_k: int = 4, d_v: int = 3) -> Experiment:
    heads = random_heads(count, d_model=D_MODEL, d_k=d_k, d_v=d_v, seed=1)
    return Experiment("a b", VectorsRef("mine", "0", D_MODEL), heads, selected=(count - 1,))


def brought(count: int = 2, d_k: int = 4, d_v: int = 3, d_model: int = D_MODEL) -> Imported:
    heads = random_heads(count, d_model=d_model, d_k=d_k, d_v=d_v, seed=9)
    parts = {f"w_{part}": tuple(getattr(head, f"w_{part}") for head in heads) for part in PARTS}
    return Imported(tuple(replace(head, recipe=ORIGIN) for head in heads), parts, origin=ORIGIN)


def only(part: str, imported: Imported) -> Imported:
    origin = imported.origin.only(PARTS["qkv".index(part[2])])
    return Imported(None, {part: imported.parts[part]}, origin=origin)


def biased(head: Head) -> Head:
    return replace(head, b_q=np.ones(4, np.float32), b_k=np.ones(4, np.float32), locked=LOCKED)


def test_all_heads_take_the_place_of_those_there_are() -> None:
    change = bring(experiment(), brought(2, d_k=2, d_v=5), Target("all"), "some.npz")
    after = change.experiment
    assert [(head.d_k, head.d_v, head.recipe) for head in after.heads] == [(2, 5, ORIGIN)] * 2
    assert after.selected == (0,)
    assert change.message == "2 heads from some.npz in place of 3 heads; undo brings them back."


def test_scoring_mask_and_positions_stay_unless_they_are_asked_for() -> None:
    start = experiment()
    start = replace(start, heads=tuple(replace(head, scoring="cosine") for head in start.heads))
    after = bring(start, brought(), Target("all")).experiment
    assert {head.scoring for head in after.heads} == {"cosine"}
    assert (after.mask, after.positions) == ("none", "none")
    needed = with_needs(after, Needs(scoring="dot", mask="causal", positions="rope"))
    assert {head.scoring for head in needed.heads} == {"dot"}
    assert (needed.mask, needed.positions) == ("causal", "rope")
    assert with_needs(after, Needs()) == after


def test_heads_that_share_keys_go_on_sharing_them() -> None:
    imported = brought()
    assert imported.heads is not None
    first, second = imported.heads
    shared = replace(imported, heads=(first, replace(second, w_k=first.w_k)))
    heads = bring(experiment(), shared, Target("all")).experiment.heads
    assert heads[0].w_k is heads[1].w_k


def test_one_head_takes_the_place_of_one_and_brings_no_bias_of_the_old() -> None:
    start = experiment()
    start = replace(start, heads=(start.heads[0], biased(start.heads[1]), start.heads[2]))
    imported = brought()
    change = bring(start, imported, Target("head", head=1, source=1))
    new = change.experiment.heads[1]
    np.testing.assert_array_equal(new.w_q, imported.parts["w_q"][1])
    assert (new.b_q, new.recipe, new.locked) == (None, ORIGIN, LOCKED)
    assert change.experiment.heads[0] is start.heads[0]
    assert change.experiment.heads[2] is start.heads[2]


def test_one_matrix_leaves_the_others_and_a_bias_that_is_not_brought() -> None:
    start = experiment()
    start = replace(start, heads=(biased(start.heads[0]), *start.heads[1:]))
    imported = only("w_k", brought())
    new = bring(start, imported, Target("matrix", head=0, part="k")).experiment.heads[0]
    np.testing.assert_array_equal(new.w_k, imported.parts["w_k"][0])
    assert new.w_q is start.heads[0].w_q
    assert new.b_k is start.heads[0].b_k
    with_bias = Imported(None, {**imported.parts, "b_k": (np.full(4, 7, np.float32),) * 2})
    new = bring(start, with_bias, Target("matrix", head=0, part="k")).experiment.heads[0]
    np.testing.assert_array_equal(new.b_k, np.full(4, 7))


def test_a_head_tells_the_file_of_each_matrix_and_how_it_lay_there() -> None:
    turned = FromFile("other.safetensors", "out-in", 3)
    other = replace(only("w_k", brought()), origin=FromFiles(k=turned))
    start = bring(experiment(), only("w_q", brought()), Target("matrix", part="q")).experiment
    assert str(start.heads[0].recipe) == "imported: W_q from qk.npz"
    both = bring(start, other, Target("matrix", part="k")).experiment.heads[0].recipe
    assert both == FromFiles(q=ORIGIN.q, k=turned)
    assert str(both) == "imported: W_q from qk.npz; W_k from other.safetensors, layer 3, turned over"
    whole = bring(start, replace(brought(), origin=ORIGIN), Target("head")).experiment.heads[0].recipe
    assert str(whole) == "imported from qk.npz"


def test_a_matrix_alone_out_of_a_whole_file_tells_only_of_itself() -> None:
    new = bring(experiment(), brought(), Target("matrix", part="v")).experiment.heads[0]
    assert new.recipe == FromFiles(v=ORIGIN.v)


def test_a_matrix_of_all_heads_leaves_the_other_matrices() -> None:
    start = experiment(2)
    after = bring(start, only("w_q", brought()), Target("all")).experiment
    assert [head.w_k for head in after.heads] == [head.w_k for head in start.heads]
    with pytest.raises(AskewError, match="brings 2 heads, and there are 3"):
        bring(experiment(3), only("w_q", brought()), Target("all"))


def test_other_vectors_are_refused_with_those_that_would_fit() -> None:
    with pytest.raises(AskewError, match=r"vectors of 384 numbers, and mine has 6.*minilm-l6-v2 would fit"):
        bring(experiment(), brought(d_model=384), Target("all"))
    with pytest.raises(AskewError, match=r"Open vectors of 7 numbers first\.$"):
        bring(experiment(), brought(d_model=7), Target("matrix"))


def test_other_widths_fit_only_all_heads_or_the_only_one() -> None:
    with pytest.raises(AskewError, match="d_k and d_v first"):
        bring(experiment(), brought(d_k=2), Target("head"))
    with pytest.raises(AskewError, match=r"its W_q is 6 × 2 and that of head 1 is 6 × 4"):
        bring(experiment(), brought(d_k=2), Target("matrix", head=1))
    assert bring(experiment(1), brought(d_k=2), Target("head")).experiment.heads[0].d_k == 2


def test_a_head_or_a_matrix_that_is_not_brought_is_an_error() -> None:
    with pytest.raises(AskewError, match="no head 5"):
        bring(experiment(), brought(), Target("head", source=5))
    with pytest.raises(AskewError, match="no W_v"):
        bring(experiment(), only("w_q", brought()), Target("matrix", part="v"))


def test_more_heads_than_can_be_shown_are_refused() -> None:
    imported = brought(1)
    assert imported.heads is not None
    many = Imported(imported.heads * 2000, {part: each * 2000 for part, each in imported.parts.items()})
    with pytest.raises(ExperimentError, match=r"2,000 heads"):
        bring(experiment(), many, Target("all"))


@pytest.mark.parametrize(
    ("to", "lacking", "widths"),
    [
        (Target("all"), (), (2, 9)),
        (Target("head"), (), (4, 3)),
        (Target("matrix", part="k"), ("w_q", "w_v"), (4, None)),
        (Target("matrix", part="v"), ("w_q", "w_k"), (None, 3)),
    ],
)
def test_what_fits_is_let_through_before_it_is_read(
    to: Target, lacking: tuple[str, ...], widths: tuple[int | None, int | None]
) -> None:
    check_fits(experiment(), Plan((), D_MODEL, 2, 2, *widths, lacking=lacking), to)


@pytest.mark.parametrize(
    ("to", "lacking", "message"),
    [
        (Target("head", head=2), (), r"its W_q is 6 × 2 and that of head 2 is 6 × 4"),
        (Target("matrix", part="v"), (), r"its W_v is 6 × 9"),
        (Target("matrix", part="v"), ("w_v",), r"brings no W_v"),
        (Target("all"), ("w_v",), r"brings 2 heads and no w_v, and there are 3 heads"),
    ],
)
def test_what_does_not_fit_is_refused_before_it_is_read(
    to: Target, lacking: tuple[str, ...], message: str
) -> None:
    with pytest.raises(AskewError, match=message):
        check_fits(experiment(), Plan((), D_MODEL, 2, 2, 2, 9, lacking=lacking), to)


def test_the_only_head_may_become_one_of_other_widths() -> None:
    check_fits(experiment(1), Plan((), D_MODEL, 2, 2, 2, 9), Target("head"))
