"""How outputs are split into heads, and which heads share keys and values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from askew.edits import MAX_HEADS
from askew.errors import WeightsError
from askew.weights.model import Question

if TYPE_CHECKING:
    from askew.heads import Head
    from askew.weights.lying import Layout
    from askew.weights.model import Choice, Hints, Scheme


@dataclass(slots=True)
class Split:
    """Numbers of heads and their widths; None where the file has none, or a question is open."""

    heads: int | None = None
    kv_heads: int | None = None
    d_k: int | None = None
    d_v: int | None = None
    notes: list[str] = field(default_factory=list)
    question: Question | None = None


def split(layout: Layout, scheme: Scheme, choice: Choice, hints: Hints, like: Head | None) -> Split:
    """Return how the outputs of a file are split into heads; `like` gives the widths that must be kept.

    Raises
    ------
    WeightsError
        If they cannot be split as the file says or as was chosen.
    """
    result = Split()
    if layout.stacked is not None:
        _stacked(result, layout, choice, layout.stacked)
    else:
        lead = next(part for part in "qkv" if layout.outputs(f"w_{part}") is not None)
        outputs = layout.outputs(f"w_{lead}") or 0
        width = None if like is None else like.d_v if lead == "v" else like.d_k
        if lead != "v" and choice.d_k is not None:
            width = choice.d_k
        result.heads = _count(result, lead, outputs, width, choice, hints, layout.axis)
        if result.heads is None and scheme == "bare":
            result.heads = 1
            result.notes.append(
                f"taken as one head of {_counted(outputs, 'number')}; a number of heads splits it"
            )
        if result.heads is None:
            result.question = _how_many(outputs, layout.axis, hints)
            return result
        _widths(result, layout, choice, hints, width)
    _check(result, like)
    return result


def _counted(count: int, name: str) -> str:
    """Return a number of things in words."""
    return f"{count} {name}" if count == 1 else f"{count} {name}s"


def _stacked(result: Split, layout: Layout, choice: Choice, heads: int) -> None:
    """Set the numbers of matrices that are stacked by head: the file says them all."""
    if choice.heads not in (None, heads):
        raise WeightsError(f"it holds {_counted(heads, 'head')}, and {choice.heads} were asked for")
    q, k, v = (layout.outputs(f"w_{part}") for part in "qkv")
    result.heads = result.kv_heads = heads
    result.d_k = None if q is None and k is None else (q or k or 0) // heads
    result.d_v = None if v is None else v // heads


def _count(
    result: Split, lead: str, outputs: int, width: int | None, choice: Choice, hints: Hints, axis: str
) -> int | None:
    """Return the number of heads: as chosen, by their width, as the file says; None if nothing tells it."""
    if choice.heads is not None:
        return choice.heads
    if width is not None:
        return _times(lead, outputs, width, axis)
    said = hints.heads
    if said is None and hints.d_k is not None and lead == "q" and outputs % hints.d_k == 0:
        said = outputs // hints.d_k
    if said is None or (lead == "q" and outputs != said * (hints.d_k or outputs // said)):
        return None
    result.notes.append(f"{said} heads, as {hints.source} says")
    return said


def _widths(result: Split, layout: Layout, choice: Choice, hints: Hints, width: int | None) -> None:
    """Set the widths, and the number of heads that have keys of their own."""
    q, k, v = (layout.outputs(f"w_{part}") for part in "qkv")
    heads, axis = result.heads or 1, layout.axis
    result.kv_heads = choice.kv_heads or heads
    if q is not None:
        result.d_k = _share("q", q, heads, axis)
        if width not in (None, result.d_k):
            raise WeightsError(f"q has {q} output {axis}, which are not {heads} heads of d_k = {width}")
    if k is not None:
        result.d_k = result.d_k or width or _share("k", k, result.kv_heads, axis)
        kv_heads = _times("k", k, result.d_k, axis, q=q or heads * result.d_k)
        if choice.kv_heads not in (None, kv_heads):
            raise WeightsError(
                f"k has {k} output {axis}: {_counted(kv_heads, 'key head')}, and not {choice.kv_heads}"
            )
        result.kv_heads = kv_heads
    elif choice.kv_heads is None and v is not None and q is not None and hints.kv_heads:
        result.kv_heads = hints.kv_heads
    if heads % result.kv_heads:
        raise WeightsError(
            f"there are {heads} heads and {result.kv_heads} key heads: they cannot be shared evenly",
            remedy="Choose another number of heads",
        )
    if v is not None:
        result.d_v = _share("v", v, result.kv_heads, axis)
    if result.kv_heads < heads:
        result.notes.append(f"heads share keys: {heads} heads, {_counted(result.kv_heads, 'key head')}")


def _times(part: str, outputs: int, width: int, axis: str, q: int | None = None) -> int:
    """Return how many heads of a width the outputs are for."""
    if outputs % width:
        also = "" if q is None else f"; q has {q}"
        name = "d_v" if part == "v" else "d_k"
        raise WeightsError(f"{part} has {outputs} output {axis}, not a multiple of {name} = {width}{also}")
    return outputs // width


def _share(part: str, outputs: int, heads: int, axis: str) -> int:
    """Return how many of the outputs each head gets."""
    if outputs % heads:
        fitting = ", ".join(str(n) for n in range(1, min(outputs, MAX_HEADS) + 1) if outputs % n == 0)
        raise WeightsError(
            f"{part} has {outputs} output {axis}, which {heads} heads cannot share evenly",
            remedy=f"It fits {fitting} heads" if outputs > 1 else "It fits 1 head",
        )
    return outputs // heads


def _how_many(outputs: int, axis: str, hints: Hints) -> Question:
    options = [n for n in range(1, min(outputs, MAX_HEADS) + 1) if outputs % n == 0]
    unfit = f", and {hints.heads} of {hints.source} do not fit" if hints.heads else ""
    return Question(
        "heads",
        f"the file does not say how many heads its {outputs} output {axis} are for{unfit}",
        tuple(map(str, options)),
    )


def _check(result: Split, like: Head | None) -> None:
    """Refuse too many heads, and widths other than those of heads that keep a matrix of their own."""
    if (result.heads or 0) > MAX_HEADS:
        raise WeightsError(
            f"{result.heads:,} heads are more than can be shown", remedy=f"At most {MAX_HEADS:,}"
        )
    for name, brought in (("d_k", result.d_k), ("d_v", result.d_v)):
        if like is not None and brought not in (None, getattr(like, name)):
            raise WeightsError(
                f"its heads have {name} = {brought}, and those in use {getattr(like, name)}",
                remedy="Bring q, k and v together, or choose heads of that width first",
            )
