"""Arrays that a picture need not carry: they come with the program, or a recipe draws them again."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from askew.arrays import frozen32
from askew.errors import AskewError
from askew.heads import Recipe
from askew.initializers import draw_head
from askew.session_arrays import digest
from askew.session_errors import SessionError, in_document
from askew.session_schema import DrawnJson, MadeJson, RecipeJson
from askew.trained import BUNDLED_LAYER, trained_embedding, trained_heads

if TYPE_CHECKING:
    from collections.abc import Mapping

    from askew.arrays import Float32
    from askew.experiment import Experiment
    from askew.heads import Head
    from askew.session_schema import Matrix

MATRICES: tuple[Matrix, ...] = ("w_q", "w_k", "w_v")
HEAD_ARRAYS = ("w_q", "w_k", "w_v", "b_q", "b_k", "b_v", "extra")
LAYER_ARRAYS = ("positions", "token_type", "norm_weight", "norm_bias")
MAX_DRAWN = 1 << 24
"""Numbers that all recipes of a picture may draw, for a few bytes could ask for any number of them."""
MAX_WORK = 1 << 33
"""Multiplications that they may take."""


@cache
def bundled_arrays() -> dict[str, Float32]:
    """Return the arrays of the bundled trained layer by name: the very objects that examples use."""
    found = {f"{BUNDLED_LAYER}.{each}": getattr(trained_embedding(), each) for each in LAYER_ARRAYS}
    for h, head in enumerate(trained_heads()):
        found |= {f"{BUNDLED_LAYER}.h{h}.{each}": getattr(head, each) for each in HEAD_ARRAYS}
    return {name: array for name, array in found.items() if array is not None}


@cache
def bundled_names() -> dict[str, str]:
    """Return the names of `bundled_arrays` by hash."""
    return {digest(array): name for name, array in bundled_arrays().items()}


def uses_bundled(experiment: Experiment) -> bool:
    """Tell whether arrays of an experiment may be bundled ones; opening their file takes a moment."""
    return experiment.embedding is not None or any(head.recipe == "trained" for head in experiment.heads)


def recipe_json(recipe: Recipe) -> RecipeJson:
    """Return a recipe as it is stored."""
    return RecipeJson(**{name: getattr(recipe, name) for name in RecipeJson.__struct_fields__})


def recipe_of(stored: RecipeJson) -> Recipe:
    """Return the recipe that was stored."""
    return Recipe(**{name: getattr(stored, name) for name in RecipeJson.__struct_fields__})


def drawn_arrays(head: Head) -> dict[int, MadeJson]:
    """Return, by id of its matrices, how those of a head are drawn that its recipe gives bit for bit."""
    recipe = head.recipe
    if not isinstance(recipe, Recipe):
        return {}
    sizes = (head.d_model, head.d_k, head.d_v)
    if numbers_of(recipe, *sizes) > MAX_DRAWN or work_of(recipe, *sizes) > MAX_WORK:
        return {}
    try:
        drawn = _draw(recipe, *sizes)
    except AskewError:  # a recipe that was kept though nothing can be drawn from it
        return {}
    made = {}
    for part in MATRICES:
        array: Float32 = getattr(head, part)
        if np.array_equal(array.view(np.uint32), getattr(drawn, part).view(np.uint32)):
            how = DrawnJson(
                recipe=recipe_json(recipe), part=part, d_model=sizes[0], d_k=sizes[1], d_v=sizes[2]
            )
            made[id(array)] = MadeJson(hash=digest(array), bundled=None, drawn=how)
    return made


def bundled_array(array: Float32) -> MadeJson | None:
    """Return the name of an array that comes with the program, None for any other."""
    hashed = digest(array)
    name = bundled_names().get(hashed)
    return None if name is None else MadeJson(hash=hashed, bundled=name, drawn=None)


def drawn_again(
    made: Mapping[str, MadeJson], name: str, named: Mapping[str, str]
) -> tuple[dict[str, Float32], list[str]]:
    """Return the arrays that the file `name` does not store, and notes on those that come out otherwise here.

    Raises
    ------
    SessionError
        If there is no such bundled array, no such recipe, or more is drawn than a picture may ask for.
    """
    heads: dict[DrawnJson, Head] = {}
    arrays: dict[str, Float32] = {}
    given: set[int] = set()
    changed = []
    _check_work(made, name)
    for each, how in made.items():
        where = in_document(name, f'$.made["{each}"]')
        if each not in named:
            raise SessionError("nothing names this array", where=where)
        array = _bundled(how, where) if how.drawn is None else _drawn(how.drawn, heads, where)
        arrays[each] = frozen32(array.copy()) if id(array) in given else array  # what was apart stays apart
        given.add(id(array))
        if digest(arrays[each]) != how.hash:
            changed.append(named[each].removeprefix("$."))
    if not changed:
        return arrays, []
    places = ", ".join(changed[:3]) + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")
    return arrays, [f"The numbers of {places} come out otherwise here than where {name} was made."]


def _check_work(made: Mapping[str, MadeJson], name: str) -> None:
    """Raise before more is drawn than a picture may ask for."""
    numbers = work = 0
    for each in {_head_drawn(how.drawn) for how in made.values() if how.drawn is not None}:
        recipe, sizes = recipe_of(each.recipe), (each.d_model, each.d_k, each.d_v)
        numbers += numbers_of(recipe, *sizes)
        work += work_of(recipe, *sizes)
    if numbers > MAX_DRAWN or work > MAX_WORK:
        raise SessionError(
            f"its recipes would draw {numbers:,} numbers, more than a picture may ask for",
            where=in_document(name, "$.made"),
            remedy="Do not trust this file",
        )


def _head_drawn(drawn: DrawnJson) -> DrawnJson:
    """Return what the three matrices of a head have in common."""
    return replace(drawn, part="w_q")


def _drawn(drawn: DrawnJson, heads: dict[DrawnJson, Head], where: str) -> Float32:
    """Return a matrix of a head that is drawn once for all of them."""
    key = _head_drawn(drawn)
    try:
        if key not in heads:
            heads[key] = _draw(recipe_of(drawn.recipe), drawn.d_model, drawn.d_k, drawn.d_v)
    except AskewError as error:
        raise SessionError(error.what, where=f"{where}.drawn", remedy=error.remedy) from error
    array: Float32 = getattr(heads[key], drawn.part)
    return array


def _draw(recipe: Recipe, d_model: int, d_k: int, d_v: int) -> Head:
    """Draw a head; one that comes out infinite is refused in words, without a warning before."""
    with np.errstate(over="ignore", invalid="ignore"):
        return draw_head(recipe, d_model, d_k, d_v)


def _bundled(how: MadeJson, where: str) -> Float32:
    array = bundled_arrays().get(how.bundled or "")
    if array is None:
        raise SessionError(
            f"there is no bundled array '{(how.bundled or '')[:60]}'",
            where=f"{where}.bundled",
            remedy="It may be damaged, or made by a newer Askew",
        )
    return array


def numbers_of(recipe: Recipe, d_model: int, d_k: int, d_v: int) -> int:
    """Return how many numbers are in memory while a head is drawn."""
    rank = _rank(recipe, d_k)
    return sum(d_model * width + rank * (d_model + width) for width in (d_k, d_k, d_v))


def work_of(recipe: Recipe, d_model: int, d_k: int, d_v: int) -> int:
    """Return about how many multiplications drawing a head takes."""
    orthogonal = recipe.initializer == "orthogonal"
    rank = _rank(recipe, d_k)
    return sum(
        math.prod((d_model, width, min(d_model, width) if orthogonal else max(1, rank)))
        for width in (d_k, d_k, d_v)
    )


def _rank(recipe: Recipe, d_k: int) -> int:
    return (recipe.rank or max(1, d_k // 4)) if recipe.initializer == "low-rank" else 0
