"""Every change a person can make to an experiment: pure functions from one experiment to the next."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from askew.arrays import frozen32
from askew.drawing import (
    drawn_as,
    drawn_like,
    drawn_message,
    edited,
    is_own_work,
    lost_message,
    random_recipe,
    redrawn_head,
)
from askew.errors import ExperimentError, WeightsError
from askew.heads import PARTS, Recipe
from askew.token_edits import shift_edits, with_edit, without_edits
from askew.weight_edits import matrix_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from askew.experiment import Experiment
    from askew.heads import Head, Part
    from askew.token_edits import TokenEdit
    from askew.vectors.table import WordVectors

MAX_NUMBERS = 2**28
"""Numbers that all heads together may hold: 1 GiB of float32."""
MAX_HEADS = 1024


@dataclass(frozen=True, slots=True)
class Change:
    """An experiment after an edit, and what the person must be told; empty if nothing."""

    experiment: Experiment
    message: str = ""


def shared_recipe(experiment: Experiment, heads: Sequence[int] | None = None) -> Recipe:
    """Return the recipe that most of `heads` (None: all) share, index 0; of none, gaussian with seed 0.

    Heads that are not locked come first: they are those that a new recipe is for.
    """
    among = experiment.heads if heads is None else [_head(experiment, h) for h in heads]
    drawn = [head for head in among if isinstance(head.recipe, Recipe)]
    free = [head for head in drawn if not head.is_locked]
    recipes = [replace(head.recipe, index=0) for head in free or drawn if isinstance(head.recipe, Recipe)]
    return Counter(recipes).most_common(1)[0][0] if recipes else Recipe("gaussian", 0, 0)


def check_shape(count: int, d_model: int, d_k: int, d_v: int) -> None:
    """Raise ExperimentError unless there is at least one of each and memory for all."""
    for name, value in (("the number of heads", count), ("d_k", d_k), ("d_v", d_v)):
        if value < 1:
            raise ExperimentError(f"{name} is {value}", remedy="It must be at least 1")
    if count > MAX_HEADS:
        raise ExperimentError(
            f"{count:,} heads are more than can be shown", remedy=f"Take at most {MAX_HEADS:,}"
        )
    numbers = count * d_model * (2 * d_k + d_v)
    if numbers > MAX_NUMBERS:
        raise ExperimentError(
            f"{count} heads with d_model {d_model}, d_k {d_k} and d_v {d_v} would hold {numbers:,} numbers",
            remedy=f"At most {MAX_NUMBERS:,} fit; take fewer heads or a smaller d_k and d_v",
        )


def with_text(experiment: Experiment, text: str) -> Experiment:
    """Replace the sentence; what was done to single tokens moves along with them."""
    return replace(experiment, text=text, edits=shift_edits(experiment.edits, experiment.text, text))


def with_token_edit(experiment: Experiment, edit: TokenEdit) -> Experiment:
    """Do something to a token; earlier edits of the same text give way."""
    return replace(experiment, edits=with_edit(experiment.edits, edit))


def without_token_edits(experiment: Experiment, start: int, end: int) -> Experiment:
    """Take back everything done to tokens that touch the text from `start` to `end`."""
    return replace(experiment, edits=without_edits(experiment.edits, start, end))


def with_vectors(experiment: Experiment, vectors: WordVectors) -> Change:
    """Use other word vectors; heads are drawn again where the numbers per word differ.

    Heads as wide as the old vectors become as wide as the new ones; none stays wider than those.
    """
    moved = replace(experiment, vectors=vectors.ref)
    if experiment.embedding is not None and vectors.fingerprint != experiment.vectors.fingerprint:
        moved = _without_embedding(moved)
    if vectors.dim == experiment.heads[0].d_model:
        return Change(moved)
    old = experiment.heads[0]
    d_k, d_v = (
        vectors.dim if width == old.d_model else min(width, vectors.dim) for width in (old.d_k, old.d_v)
    )
    return _redrawn(moved, vectors.dim, d_k, d_v)


def _without_embedding(experiment: Experiment) -> Experiment:
    """Leave the model whose words these were: its positions go with it."""
    positions = "none" if experiment.positions == "learned" else experiment.positions
    return replace(experiment, embedding=None, positions=positions)


def with_shape(
    experiment: Experiment, *, count: int | None = None, d_k: int | None = None, d_v: int | None = None
) -> Change:
    """Change the number of heads or their widths; None leaves a size as it is.

    Heads are added and removed at the end, so the others stay as they are. Other widths draw every head
    again from its recipe; edited and imported ones are replaced, and the message says so.
    """
    old = experiment.heads[0]
    count = len(experiment.heads) if count is None else count
    d_k, d_v = old.d_k if d_k is None else d_k, old.d_v if d_v is None else d_v
    check_shape(count, old.d_model, d_k, d_v)
    change = Change(experiment)
    if (d_k, d_v) != (old.d_k, old.d_v):
        change = _redrawn(experiment, old.d_model, d_k, d_v)
    return _counted(change, count)


def with_recipe(
    experiment: Experiment,
    *,
    initializer: str | None = None,
    seed: int | None = None,
    gain: float | None = None,
    rank: int | None = None,
    tau: float | None = None,
    heads: Sequence[int] | None = None,
) -> Change:
    """Draw `heads` (None: all) with one recipe: the one they share with the changes given.

    Another initializer starts from its own default rank and τ. What is locked stays.
    """
    recipe = shared_recipe(experiment, heads)
    if initializer is not None and initializer != recipe.initializer:
        recipe = replace(recipe, initializer=initializer, rank=None, tau=1.0)
    recipe = replace(
        recipe,
        seed=recipe.seed if seed is None else seed,
        gain=recipe.gain if gain is None else gain,
        rank=recipe.rank if rank is None else rank,
        tau=recipe.tau if tau is None else tau,
    )
    meant = range(len(experiment.heads)) if heads is None else heads
    changed = list(experiment.heads)
    for h in meant:
        changed[h] = redrawn_head(_head(experiment, h), replace(recipe, index=h), PARTS)
    return Change(replace(experiment, heads=tuple(changed)), drawn_message(experiment.heads, meant))


def randomized(
    experiment: Experiment,
    seed: int,
    heads: Sequence[int] | None = None,
    parts: Sequence[Part] = PARTS,
    *,
    over_locks: bool = False,
) -> Experiment:
    """Draw heads, or only some of their matrices, from a new seed.

    Parameters
    ----------
    seed
        Head h takes its matrices from the draw of (seed, h), as every drawn head does.
    heads
        Which; None means all.
    parts
        Which matrices. A bias goes with its matrix. A head of which some matrix stays counts as edited.
    over_locks
        Draw also what is locked, which else stays.
    """
    changed = list(experiment.heads)
    for index in range(len(changed)) if heads is None else heads:
        head = _head(experiment, index)
        wanted = [part for part in PARTS if part in parts and (over_locks or part not in head.locked)]
        changed[index] = redrawn_head(head, random_recipe(head, index, seed, wanted), wanted, locks=False)
    return replace(experiment, heads=tuple(changed))


def exchanged(experiment: Experiment, h: int) -> Experiment:
    """Exchange W_q with W_k and b_q with b_k of head `h`: its scores are transposed."""
    head = _head(experiment, h)
    turned = replace(head, w_q=head.w_k, w_k=head.w_q, b_q=head.b_k, b_k=head.b_q, recipe="edited")
    return with_head(experiment, h, turned)


def reset(experiment: Experiment, h: int) -> Experiment:
    """Draw head `h` from the recipe that most heads share; bring it back where the layer is a trained one."""
    trained = trained_head(experiment, h)
    if trained is not None:
        return with_head(experiment, h, replace(trained, locked=_head(experiment, h).locked))
    recipe = replace(shared_recipe(experiment), index=h)
    return with_head(experiment, h, drawn_like(_head(experiment, h), recipe))


def trained_head(experiment: Experiment, h: int) -> Head | None:
    """Return head `h` of the bundled trained layer, if the experiment is on its input and has its shape."""
    from askew.trained import BUNDLED_LAYER, trained_embedding, trained_heads

    head, layer = _head(experiment, h), experiment.embedding
    if (
        layer is None or layer.name != BUNDLED_LAYER
    ):  # so that its file is opened only where it may be the one
        return None
    if layer is not trained_embedding() or h >= len(trained_heads()):
        return None
    trained = trained_heads()[h]
    return trained if (trained.w_q.shape, trained.w_v.shape) == (head.w_q.shape, head.w_v.shape) else None


def with_matrix(experiment: Experiment, h: int, part: Part, matrix: npt.ArrayLike) -> Experiment:
    """Replace W_q, W_k or W_v of head `h`.

    Raises
    ------
    WeightsError
        If the shape is not that of the old matrix or a number is not finite.
    """
    head = _head(experiment, h)
    old = matrix_of(head, part)
    with np.errstate(over="ignore"):  # beyond float32 is inf, which Head refuses in words
        new = frozen32(matrix)
    if new.shape != old.shape:
        raise WeightsError(
            f"the matrix is {_shape(new)} and W_{part} of head {h} is {_shape(old)} (d_model × d)",
            remedy="Bring a matrix of that shape, or change d_k or d_v first",
        )
    if np.array_equal(old, new):
        return experiment
    return with_head(experiment, h, edited(head, {part: new}))


def with_weight(
    experiment: Experiment, h: int, part: Part, row: int, column: int, value: float
) -> Experiment:
    """Replace one number of W_q, W_k or W_v of head `h`; row and column count from 0."""
    matrix = matrix_of(_head(experiment, h), part).copy()
    with np.errstate(over="ignore"):
        matrix[row, column] = value
    return with_matrix(experiment, h, part, matrix)


def with_head(experiment: Experiment, h: int, head: Head) -> Experiment:
    """Put `head` in the place of head `h`, as pasting does; it must have the same shape."""
    old = _head(experiment, h)
    shapes = [(each.d_model, each.d_k, each.d_v) for each in (head, old)]
    if shapes[0] != shapes[1]:
        raise WeightsError(
            f"the head has (d_model, d_k, d_v) = {shapes[0]} and head {h} has {shapes[1]}",
            remedy="Change d_k and d_v first, so that they agree",
        )
    return replace(experiment, heads=(*experiment.heads[:h], head, *experiment.heads[h + 1 :]))


def with_locked(experiment: Experiment, h: int, locked: bool, parts: Sequence[Part] = PARTS) -> Experiment:
    """Lock matrices of head `h` against "randomize all" and new recipes, or unlock them."""
    head = _head(experiment, h)
    new = head.locked | set(parts) if locked else head.locked - set(parts)
    return experiment if head.locked == new else with_head(experiment, h, replace(head, locked=new))


def with_selected(experiment: Experiment, h: int, extend: bool = False) -> Experiment:
    """Show head `h`; with `extend` add it to those shown, or take it away if it is not the only one."""
    _head(experiment, h)
    selected = experiment.selected
    if not extend or selected == (h,):
        return replace(experiment, selected=(h,))
    rest = tuple(each for each in selected if each != h)
    return replace(experiment, selected=rest if h in selected else (*rest, h))


def _head(experiment: Experiment, h: int) -> Head:
    """Return head `h`; heads count from 0 and never from the end."""
    if not 0 <= h < len(experiment.heads):
        raise ExperimentError(f"there is no head {h}", remedy=f"Heads are 0 to {len(experiment.heads) - 1}")
    return experiment.heads[h]


def _redrawn(experiment: Experiment, d_model: int, d_k: int, d_v: int) -> Change:
    """Draw every head in another shape, from its own recipe if it has one."""
    check_shape(len(experiment.heads), d_model, d_k, d_v)
    shared = shared_recipe(experiment)
    heads = []
    for index, head in enumerate(experiment.heads):
        recipe = head.recipe
        if not isinstance(recipe, Recipe):
            recipe = Recipe("gaussian", shared.seed, index, gain=shared.gain)
        heads.append(drawn_as(head, recipe, d_model, d_k, d_v))
    lost = [h for h, head in enumerate(experiment.heads) if is_own_work(head)]
    message = lost_message(experiment.heads, lost, "replaced by a random draw")
    return Change(replace(experiment, heads=tuple(heads)), message)


def _counted(change: Change, count: int) -> Change:
    """Add or remove heads at the end."""
    experiment, present = change.experiment, len(change.experiment.heads)
    if count == present:
        return change
    shared, last = shared_recipe(experiment), experiment.heads[-1]
    added = (
        drawn_like(replace(last, locked=frozenset()), replace(shared, index=h)) for h in range(present, count)
    )
    heads = (*experiment.heads[:count], *added)
    lost = [h for h in range(count, present) if is_own_work(experiment.heads[h])]
    messages = (change.message, lost_message(experiment.heads, lost, "removed"))
    selected = tuple(h for h in experiment.selected if h < count) or (count - 1,)
    return Change(replace(experiment, heads=heads, selected=selected), " ".join(filter(None, messages)))


def _shape(matrix: npt.NDArray[np.float32]) -> str:
    """Write a shape as people do."""
    return " × ".join(str(size) for size in matrix.shape) or "a single number"
