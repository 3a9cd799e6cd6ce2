"""What each slider of the shaping panel does to the heads as they were when the pull began."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from askew import edits
from askew.blas import one_thread, share_out
from askew.circuit import squared_norm
from askew.circuit_edits import rank_slider, symmetry_slider
from askew.heads import Recipe
from askew.weight_edits import blended, noise_slider, tie_slider
from askew_gui import intents
from askew_gui.i18n import tr
from askew_gui.panels.shaping_sources import RANDOM, source_head

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from askew.experiment import Experiment
    from askew.heads import Head, Part
    from askew_gui.panels.shaping_sources import SourceChoice

    Shaped = tuple[Head, str]
    Shaper = Callable[[float], Shaped]

TIE, RANK, SYMMETRY, NOISE, BLEND = "tie", "rank", "symmetry", "noise", "blend"

_numbers = count()


@dataclass(frozen=True, slots=True)
class Drag:
    """One pull of a slider: for each head, from a value to the head and a remark.

    `remark` is said of the whole pull, those of the heads of the one shown.
    """

    label: str
    shapers: dict[int, Shaper]
    remark: str = ""
    key: str = field(default_factory=lambda: f"shaping:{next(_numbers)}")

    def at(self, value: float) -> dict[int, Shaped]:
        """Return the heads at a position of the slider."""
        with one_thread():
            made = share_out(partial(_call, value=value), list(self.shapers.values()))
        return dict(zip(self.shapers, made, strict=True))


def _call(shaper: Shaper, *, value: float) -> Shaped:
    return shaper(value)


def drag_of(name: str, experiment: Experiment, part: Part, sources: Sequence[SourceChoice]) -> Drag:
    """Return the pull of a slider that begins now, on all selected heads."""
    heads = {h: experiment.heads[h] for h in experiment.selected}
    match name:
        case "tie":
            return _tie(experiment, heads)
        case "rank":
            return Drag(tr("rank"), _each(heads, _rank))
        case "symmetry":
            return Drag(tr("symmetry"), _each(heads, _symmetry))
        case "noise":
            return _noise(heads, part)
    return _blend(experiment, sources)


def tied_by(head: Head) -> float:
    """Return τ where it is known, else the cosine of W_q and W_k as far as it is one."""
    if isinstance(head.recipe, Recipe) and head.recipe.initializer not in ("identity", "zero"):
        return head.recipe.tau if head.recipe.initializer == "tied" else 0.0
    q, k = head.w_q.astype(np.float64).ravel(), head.w_k.astype(np.float64).ravel()
    size = math.sqrt(float(q @ q) * float(k @ k))
    return round(min(1.0, max(0.0, float(q @ k) / size)), 2) if size else 0.0


def _each(heads: dict[int, Head], prepare: Callable[[Head], Shaper]) -> dict[int, Shaper]:
    with one_thread():
        return dict(zip(heads, share_out(prepare, list(heads.values())), strict=True))


def _silent(edit: Callable[[float], Head]) -> Shaper:
    def shape(value: float) -> Shaped:
        return edit(value), ""

    return shape


def _rank(head: Head) -> Shaper:
    cut, whole = rank_slider(head), squared_norm(head)

    def shape(value: float) -> Shaped:
        made = cut(round(value))
        lost = 1.0 - squared_norm(made) / whole if whole else 0.0
        return made, "" if made is head else left_out(math.sqrt(max(0.0, lost)))

    return shape


def _symmetry(head: Head) -> Shaper:
    pull = symmetry_slider(head)

    def shape(value: float) -> Shaped:
        edit = pull(value)
        said = [] if edit.head is head else [left_out(edit.residual)]
        return edit.head, " · ".join([*said, *filter(None, [edit.note])])

    return shape


def left_out(share: float) -> str:
    """Say how much of the circuit wanted d_k columns do not hold."""
    return tr("left out: {} %").format("<1" if 5e-4 < share < 5e-3 else f"{100 * share:.0f}")


def _tie(experiment: Experiment, heads: dict[int, Head]) -> Drag:
    shared = edits.shared_recipe(experiment).seed
    seeds = {h: head.recipe.seed if isinstance(head.recipe, Recipe) else shared for h, head in heads.items()}
    shapers = {h: _silent(tie_slider(head, seeds[h], h)) for h, head in heads.items()}
    return Drag(tr("tying of W_k"), shapers, tr("G from seed {}").format(next(reversed(seeds.values()))))


def _noise(heads: dict[int, Head], part: Part) -> Drag:
    seed = intents.new_seed()
    shapers = {h: _silent(noise_slider(head, (part,), seed, h)) for h, head in heads.items()}
    return Drag(tr("noise on W_{}").format(part), shapers, tr("noise from seed {}").format(seed))


def _blend(experiment: Experiment, sources: Sequence[SourceChoice]) -> Drag:
    shapers = {}
    for h in experiment.selected:
        a, b = (source_head(experiment, h, source.name, source.seed) for source in sources)
        shapers[h] = _silent(partial(_blended, experiment.heads[h], a, b))
    return Drag(tr("blend"), shapers, seeds_of(sources))


def seeds_of(sources: Sequence[SourceChoice]) -> str:
    """Say from which seeds random sources are drawn; empty if none is random."""
    seeds = [str(source.seed) for source in sources if source.name == RANDOM]
    return tr("random from seed {}").format(tr(" and ").join(seeds)) if seeds else ""


def _blended(kept: Head, a: Head, b: Head, share: float) -> Head:
    """Return the blend with scoring and lock of the head it replaces."""
    made = blended(a, b, share)
    if (made.scoring, made.extra, made.locked) == (kept.scoring, kept.extra, kept.locked):
        return made
    return replace(made, scoring=kept.scoring, extra=kept.extra, locked=kept.locked)
