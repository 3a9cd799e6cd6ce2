"""Scores and patterns of many heads; what has not changed since an earlier evaluation is not computed again.

The numbers of a head depend on nothing but that head and its setting: not on how many heads there are, nor on
what was computed before. So each product is made head by head, and an edited head gives, bit for bit, what it
would give if everything were computed anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from askew.attention import softmax
from askew.blas import one_thread, share_out
from askew.head_maps import (
    HeadMaps,
    Projected,
    exact_queries_and_keys,
    project,
    scores_between,
    unseen,
)
from askew.scoring import SCORINGS, scores_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from askew.arrays import FloatArray
    from askew.heads import Head
    from askew.inputs import Setting
    from askew.raw_side import RawSide

    Key: TypeAlias = tuple[object, ...]
    Halves: TypeAlias = dict[tuple[int, int], FloatArray]
    Chunk: TypeAlias = Sequence[tuple[Key, Head]]

EXACT_WORK = 1 << 18
"""Multiply-adds of one head's projection up to which all is float64: a sentence costs next to nothing."""

SAFE_SCORE = 16.0
"""Largest score over temperature that float32 gets right to 1e-6 in the pattern."""

SAFE_TEMPERATURE = 1e-6
"""Below it all is float64, where no temperature rounds to zero."""

CHUNK_EFFORT = 1 << 24
"""Multiply-adds that are worth a thread of their own, a few tenths of a millisecond."""

CELL_EFFORT = 64
"""What softmax costs for each cell of a map, in multiply-adds."""

CHUNK_CELLS = 1 << 18
"""Cells of the maps that are worked on together: a megabyte or two, which the cache holds."""


def maps_of(
    heads: Sequence[Head], setting: Setting, raw: RawSide, previous: Sequence[HeadMaps]
) -> list[HeadMaps]:
    """Return the maps of each head; those of `previous` where head and setting are the same."""
    same_rows = [maps for maps in previous if maps.setting.rows is setting.rows]
    known = {_key(maps.head): maps for maps in same_rows}
    keys = [_key(head) for head in heads]
    made: dict[Key, HeadMaps] = {}
    wanted: dict[Key, Head] = {}
    for key, head in zip(keys, heads, strict=True):
        before = known.get(key)
        if before is not None and before.setting is setting:
            made[key] = before
        else:
            wanted[key] = head
    halves = _halves(known.values())

    def work(chunk: Chunk) -> list[HeadMaps]:
        before = [known[key].projected if key in known else None for key, _ in chunk]
        projected = _projected([head for _, head in chunk], before, setting, halves)
        patterns = _patterns(projected, setting)
        return [HeadMaps(chunk[i][1], setting, raw, projected[i], patterns[i]) for i in range(len(chunk))]

    chunks = list(_chunks(wanted, setting))
    with one_thread():
        for chunk, maps in zip(chunks, share_out(work, chunks), strict=True):
            made.update(zip((key for key, _ in chunk), maps, strict=True))
    return [made[key] for key in keys]


def _key(head: Head) -> Key:
    """Return what the maps of a head depend on; arrays are frozen, so the same object is the same numbers."""
    return (id(head.w_q), id(head.w_k), id(head.b_q), id(head.b_k), id(head.extra), head.scoring)


def _chunks(wanted: Mapping[Key, Head], setting: Setting) -> Iterator[Chunk]:
    """Cut the heads into pieces of work, each of one scoring: one piece unless there is much to do."""
    by_scoring: dict[str, list[tuple[Key, Head]]] = {}
    for key, head in wanted.items():
        by_scoring.setdefault(head.scoring, []).append((key, head))
    cells = len(setting.rows.known) ** 2
    for chunk in by_scoring.values():
        effort = 2 * _work(chunk[0][1], setting) + CELL_EFFORT * cells
        size = max(1, min(CHUNK_EFFORT // max(1, effort), CHUNK_CELLS // max(1, cells)))
        yield from (chunk[start : start + size] for start in range(0, len(chunk), size))


def _projected(
    heads: Sequence[Head], before: Sequence[Projected | None], setting: Setting, halves: Halves
) -> list[Projected]:
    """Return queries, keys and scores of heads of one scoring, earlier ones where they serve."""
    serves = [
        old is not None and _serves(old, head, setting) for old, head in zip(before, heads, strict=True)
    ]
    fresh = iter(_project([h for h, old in zip(heads, serves, strict=True) if not old], setting, halves))
    return [
        old if old is not None and good else next(fresh) for old, good in zip(before, serves, strict=True)
    ]


def _halves(previous: Iterable[HeadMaps]) -> Halves:
    """Return all queries and keys there are already, by the weights and bias they were made with."""
    halves: Halves = {}
    for maps in previous:
        head = maps.head
        if SCORINGS[head.scoring].projected:
            halves[id(head.w_q), id(head.b_q)] = maps.projected.q
            halves[id(head.w_k), id(head.b_k)] = maps.projected.k
    return halves


def _project(heads: Sequence[Head], setting: Setting, halves: Halves) -> list[Projected]:
    """Project heads of one scoring and make their scores, in float32 only where that is good enough."""
    if not heads:
        return []
    distinct = setting.rows.distinct
    exact = _is_small(heads[0], setting)
    x = distinct.rows if exact else setting.rows.distinct32
    with np.errstate(over="ignore", invalid="ignore"):  # what float32 cannot hold is done exactly below
        q, k = _stacked(x, heads, "q", halves), _stacked(x, heads, "k", halves)
        scores = _scores(heads[0], q, k, setting)  # (h, u, u), with rotary positions (h, m, m)
    made = []
    rotated = setting.rows.rotation is not None
    for index, head in enumerate(heads):
        largest = 0.0 if exact else float(np.abs(scores[index]).max(initial=0.0))
        square = scores[index] if rotated else distinct.square(scores[index])
        one = Projected(q[index], k[index], square, largest)
        made.append(one if _serves(one, head, setting) else _project_exactly(head, setting, largest))
    return made


def _project_exactly(head: Head, setting: Setting, largest: float) -> Projected:
    """Project one head in float64."""
    q, k = exact_queries_and_keys(head, setting.rows.distinct.rows)
    return Projected(q, k, scores_between(head, q, k, setting.rows), largest)


def _scores(head: Head, q: FloatArray, k: FloatArray, setting: Setting) -> FloatArray:
    """Return scores of queries and keys (h, u, d); rotary positions tell equal words apart."""
    rotation, places = setting.rows.rotation, setting.rows.distinct.places
    if rotation is None:
        return scores_of(head, q, k)
    if places is not None:
        q, k = q[:, places], k[:, places]
    return scores_of(head, rotation.turned(q), rotation.turned(k))


def _stacked(x: FloatArray, heads: Sequence[Head], part: Literal["q", "k"], halves: Halves) -> FloatArray:
    """Return queries or keys, (h, u, d); earlier ones of the same weights, bias and precision if any."""
    if not SCORINGS[heads[0].scoring].projected:
        return np.stack([x] * len(heads))
    stack = np.empty((len(heads), len(x), heads[0].d_k), x.dtype)
    for place, head in zip(stack, heads, strict=True):
        w, b = (head.w_q, head.b_q) if part == "q" else (head.w_k, head.b_k)
        before = halves.get((id(w), id(b)))
        if before is not None and before.dtype == x.dtype:
            place[...] = before
        else:
            project(x, w, b, out=place)
    return stack


def _patterns(projected: Sequence[Projected], setting: Setting) -> list[FloatArray]:
    """Return patterns, (m, m) each, in the precision of their scores."""
    scores = [one.scores for one in projected]
    if len({one.dtype for one in scores}) > 1:
        return [pattern for one in projected for pattern in _patterns([one], setting)]
    stack = scores[0][np.newaxis] if len(scores) == 1 else np.stack(scores)
    hidden = unseen(stack, setting.hidden_known)
    return list(softmax(stack, hidden, setting.temperature))


def _work(head: Head, setting: Setting) -> int:
    """Return the multiply-adds of one projection."""
    return len(setting.rows.distinct.rows) * head.d_model * head.d_k


def _is_small(head: Head, setting: Setting) -> bool:
    return _work(head, setting) <= EXACT_WORK


def _serves(projected: Projected, head: Head, setting: Setting) -> bool:
    """Tell whether the precision is what these scores need at this temperature."""
    if _is_small(head, setting):
        return True
    safe = projected.largest <= SAFE_SCORE * setting.temperature and setting.temperature > SAFE_TEMPERATURE
    return safe == (projected.scores.dtype == np.float32)
