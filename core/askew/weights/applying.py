"""Putting imported weights into an experiment: all heads, one of them, or one matrix."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from askew.edits import Change, check_shape, with_head
from askew.errors import WeightsError
from askew.heads import PARTS
from askew.vectors.bundled import BUNDLED, open_bundled

if TYPE_CHECKING:
    from askew.arrays import Float32
    from askew.experiment import Experiment
    from askew.heads import Head, Part
    from askew.weights.model import Imported, Needs, Plan


@dataclass(frozen=True, slots=True)
class Target:
    """Where weights go.

    Parameters
    ----------
    what
        "all" replaces the heads there are, "head" one of them, "matrix" one matrix of one of them.
    head
        Which head of the experiment; of no meaning for "all".
    part
        Which matrix, with its bias if the file brings one; of meaning for "matrix" alone.
    source
        Which head of what is brought.
    """

    what: Literal["all", "head", "matrix"] = "all"
    head: int = 0
    part: Part = "q"
    source: int = 0


def bring(experiment: Experiment, imported: Imported, to: Target, name: str = "the file") -> Change:
    """Put imported weights into an experiment; scoring, mask and positions stay.

    A matrix that is not brought stays as it is, and so does a bias that belongs to it.

    Raises
    ------
    WeightsError
        If the weights are for other vectors or of other widths than the heads that stay.
    ExperimentError
        If there are too many of them.
    """
    check_d_model(imported, experiment)
    if to.what == "all":
        return _all(experiment, imported, name)
    if not 0 <= to.source < imported.count:
        raise WeightsError(
            f"it brings no head {to.source}", where=name, remedy=f"Its heads are 0 to {imported.count - 1}"
        )
    old, origin = experiment.heads[to.head], imported.origin
    arrays: dict[str, Float32 | None] = {part: each[to.source] for part, each in imported.parts.items()}
    if to.what == "matrix":
        matrix = arrays.get(f"w_{to.part}")
        if matrix is None:
            raise WeightsError(f"it brings no W_{to.part}", where=name, remedy="Choose another matrix")
        _check_width(old, matrix.shape, to, name)
        arrays = {part: array for part, array in arrays.items() if part.endswith(to.part)}
        origin = origin.only(to.part)
    elif imported.heads is not None:  # a whole head: a bias that it does not have goes
        arrays = {"b_q": None, "b_k": None, "b_v": None, **arrays}
    new = replace(old, recipe=origin.onto(old.recipe), **arrays)  # type: ignore[arg-type]
    if len(experiment.heads) == 1:
        return Change(replace(experiment, heads=(new,)))
    return Change(with_head(experiment, to.head, new))


def check_fits(experiment: Experiment, plan: Plan, to: Target, name: str = "the file") -> None:
    """Raise WeightsError where `bring` will, as far as that can be told before anything is read."""
    one = to.what == "head" and not plan.lacking and len(experiment.heads) == 1
    if (to.what == "all" and not plan.lacking) or one:
        return
    if to.what == "all" and plan.heads != len(experiment.heads):
        raise WeightsError(
            f"it brings {plan.heads} heads and no {', '.join(plan.lacking)}, and there are "
            f"{len(experiment.heads)} heads",
            where=name,
            remedy=f"Choose {plan.heads} heads first, or bring it into one head",
        )
    brought = [part for part in PARTS if f"w_{part}" not in plan.lacking]
    if to.what == "matrix" and to.part not in brought:
        raise WeightsError(f"it brings no W_{to.part}", where=name, remedy="Choose another matrix")
    old = experiment.heads[to.head]
    for part in (to.part,) if to.what == "matrix" else brought:
        width = plan.d_v if part == "v" else plan.d_k
        _check_width(old, (plan.d_model, width), replace(to, part=part), name)


def with_needs(experiment: Experiment, needs: Needs) -> Experiment:
    """Return the experiment with the scoring, mask and positions that a scheme needs; what is None stays."""
    heads = experiment.heads
    if needs.scoring is not None:
        heads = tuple(replace(head, scoring=needs.scoring) for head in heads)
    return replace(
        experiment,
        heads=heads,
        mask=needs.mask or experiment.mask,
        positions=needs.positions or experiment.positions,
    )


def check_d_model(imported: Imported, experiment: Experiment) -> None:
    """Raise WeightsError unless weights are for as many numbers per token as there are."""
    for part, arrays in imported.parts.items():
        found = arrays[0].shape[0]
        if part.startswith("w") and found != experiment.d_model:
            raise WeightsError(
                f"the weights are for vectors of {found} numbers, and {experiment.vectors.name} has "
                f"{experiment.d_model}",
                remedy=fitting_vectors(found),
            )


def fitting_vectors(d_model: int) -> str:
    """Say which vectors weights of a d_model would fit."""
    names = [name for name in BUNDLED if open_bundled(name).dim == d_model]
    bundled = f"; of those that come with Askew {' and '.join(names)} would fit" if names else ""
    return f"Open vectors of {d_model} numbers first{bundled}"


def _all(experiment: Experiment, imported: Imported, name: str) -> Change:
    """Replace the heads there are."""
    if imported.heads is None:
        heads = imported.onto(experiment.heads)
    else:
        scoring = experiment.heads[0].scoring
        heads = tuple(replace(head, scoring=scoring) for head in imported.heads)
    check_shape(len(heads), experiment.d_model, heads[0].d_k, heads[0].d_v)
    selected = tuple(h for h in experiment.selected if h < len(heads)) or (0,)
    there = _heads(len(experiment.heads))
    said = f"{_heads(len(heads))} from {name} in place of {there}; undo brings them back."
    return Change(replace(experiment, heads=heads, selected=selected), said)


def _heads(count: int) -> str:
    return "1 head" if count == 1 else f"{count} heads"


def _check_width(old: Head, shape: tuple[int | None, ...], to: Target, name: str) -> None:
    """Raise WeightsError unless a matrix has the shape of the one whose place it takes."""
    there = getattr(old, f"w_{to.part}").shape
    if shape != there:
        raise WeightsError(
            f"its W_{to.part} is {shape[0]} × {shape[1]} and that of head {to.head} is "
            f"{there[0]} × {there[1]} (d_model × d)",
            where=name,
            remedy="Bring all heads, or change d_k and d_v first",
        )
