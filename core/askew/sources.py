"""Where W of a head can come from besides a draw: the trained layer, another head."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from askew.drawing import is_own_work, kept_message, lost_message, with_parts_of
from askew.edits import Change, trained_head, with_head
from askew.errors import ExperimentError
from askew.heads import PARTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askew.experiment import Experiment
    from askew.heads import Head


def has_trained(experiment: Experiment, heads: Sequence[int]) -> bool:
    """Tell whether each of `heads` has a counterpart in the trained layer, of the same shape."""
    return bool(heads) and all(trained_head(experiment, h) is not None for h in heads)


def with_trained(experiment: Experiment, heads: Sequence[int] | None = None) -> Change:
    """Bring `heads` (None: all) of the trained layer back; what is locked stays.

    Raises
    ------
    ExperimentError
        If one of them has no counterpart: other vectors, another shape, or more heads than there are.
    """
    meant = range(len(experiment.heads)) if heads is None else heads
    if not has_trained(experiment, meant):
        raise ExperimentError(
            "there is no trained head for these vectors and this shape",
            remedy="Open the example trained",
        )
    changed, lost = list(experiment.heads), []
    for h in meant:
        head, trained = experiment.heads[h], trained_head(experiment, h)
        if trained is None or head.recipe == "trained" or head.is_locked:
            continue
        if is_own_work(head):
            lost.append(h)
        parts = [part for part in PARTS if part not in head.locked]
        back = replace(trained, scoring=head.scoring, locked=head.locked)
        changed[h] = with_parts_of(head, back, parts)
    said = (lost_message(experiment.heads, lost, "replaced"), kept_message(experiment.heads, meant))
    return Change(replace(experiment, heads=tuple(changed)), " ".join(filter(None, said)))


def copied(experiment: Experiment, source: int, h: int) -> Experiment:
    """Copy head `source` into head `h`, whose lock stays; both then hold the same matrices."""
    if not 0 <= source < len(experiment.heads):
        last = len(experiment.heads) - 1
        raise ExperimentError(f"there is no head {source}", remedy=f"Heads are 0 to {last}")
    return with_head(experiment, h, replace(experiment.heads[source], locked=experiment.heads[h].locked))


def key_groups(heads: Sequence[Head]) -> tuple[tuple[int, ...], ...]:
    """Return the heads that hold the very same W_k, group by group: grouped queries share their keys."""
    groups: dict[int, list[int]] = {}
    for h, head in enumerate(heads):
        groups.setdefault(id(head.w_k), []).append(h)
    return tuple(tuple(group) for group in groups.values())
