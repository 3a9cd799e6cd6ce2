"""Heads drawn anew from recipes: what is drawn, what a lock keeps, and what is said of what is gone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from askew.heads import PARTS, Recipe
from askew.initializers import draw_head
from askew.weight_edits import matrix_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from askew.arrays import Float32
    from askew.heads import Head, Part

_DRAWN: WeakValueDictionary[tuple[object, ...], Head] = WeakValueDictionary()
_FIXED = ("identity", "zero")  # drawn again they are the same, so "randomize" takes gaussian instead


def is_own_work(head: Head) -> bool:
    """Tell whether the numbers of a head cannot be drawn again."""
    return not isinstance(head.recipe, Recipe)


def drawn_as(head: Head, recipe: Recipe, d_model: int, d_k: int, d_v: int) -> Head:
    """Draw a head of the same scoring and lock as `head`.

    While a head that was drawn so is in use anywhere, it is that very head: steps of undo hold it once.
    """
    key = (recipe, d_model, d_k, d_v, head.scoring, head.locked)
    known = _DRAWN.get(key)
    if known is None:
        drawn = draw_head(recipe, d_model, d_k, d_v)
        known = _DRAWN[key] = replace(drawn, scoring=head.scoring, locked=head.locked)
    return known


def drawn_like(head: Head, recipe: Recipe) -> Head:
    """Draw a head of the same shape, scoring and lock as `head`."""
    return drawn_as(head, recipe, head.d_model, head.d_k, head.d_v)


def random_recipe(head: Head, index: int, seed: int, parts: Sequence[Part]) -> Recipe:
    """Return what "randomize" draws `parts` of a head from."""
    recipe = head.recipe if isinstance(head.recipe, Recipe) else Recipe("gaussian", seed, index)
    # A part of a tied head is drawn free: its W_k alone would else be the W_q of a draw nobody sees.
    if recipe.initializer in _FIXED or (recipe.initializer == "tied" and set(parts) != set(PARTS)):
        recipe = Recipe("gaussian", seed, index, gain=recipe.gain)
    return replace(recipe, seed=seed, index=index)


def redrawn_head(head: Head, recipe: Recipe, parts: Sequence[Part], *, locks: bool = True) -> Head:
    """Return `head` with `parts` drawn from a recipe, those locked left alone if `locks`."""
    parts = [part for part in parts if not (locks and part in head.locked)]
    return with_parts_of(head, drawn_like(head, recipe), parts) if parts else head


def with_parts_of(head: Head, other: Head, parts: Sequence[Part]) -> Head:
    """Return `head` with some matrices of `other`, each with its bias; `other` itself with all of them."""
    if set(parts) == set(PARTS):
        return other
    kept = replace(
        head,
        b_q=other.b_q if "q" in parts else head.b_q,
        b_k=other.b_k if "k" in parts else head.b_k,
        b_v=other.b_v if "v" in parts else head.b_v,
    )
    return edited(kept, {part: matrix_of(other, part) for part in parts})


def edited(head: Head, matrices: Mapping[Part, Float32]) -> Head:
    """Return `head` with other matrices."""
    return replace(
        head,
        w_q=matrices.get("q", head.w_q),
        w_k=matrices.get("k", head.w_k),
        w_v=matrices.get("v", head.w_v),
        recipe="edited",
    )


def lost_message(heads: Sequence[Head], lost: Sequence[int], what: str) -> str:
    """Say which heads that no recipe can draw are gone, and that they come back."""
    if not lost:
        return ""
    kind = "trained" if all(heads[h].recipe == "trained" for h in lost) else "edited or imported"
    names = ", ".join(str(h) for h in lost)
    if len(lost) == 1:
        return f"Head {names} was {kind} and has been {what}; undo brings it back."
    return f"Heads {names} were {kind} and have been {what}; undo brings them back."


def kept_message(
    heads: Sequence[Head], drawn: Sequence[int] | None = None, parts: Sequence[Part] = PARTS
) -> str:
    """Say of which heads (of `drawn`; None: of all) only a part was drawn, because the rest is locked."""
    kept = [
        f"{' and '.join(f'W_{part}' for part in stays)} of head {h}"
        for h in (range(len(heads)) if drawn is None else drawn)
        if (stays := [part for part in parts if part in heads[h].locked]) and len(stays) < len(parts)
    ]
    return f"Locked and left as it was: {', '.join(kept)}." if kept else ""


def drawn_message(heads: Sequence[Head], drawn: Sequence[int]) -> str:
    """Say what a new draw of heads takes away that cannot be drawn again, and what it left alone."""
    lost = [h for h in drawn if not heads[h].is_locked and is_own_work(heads[h])]
    return " ".join(filter(None, (lost_message(heads, lost, "drawn anew"), kept_message(heads, drawn))))
