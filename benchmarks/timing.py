"""Medians of interleaved pairs: both sides see the same machine.

Times are CPU times of this process, all its threads together. Nothing measured here waits for anything, so on
a quiet machine that is what a clock on the wall shows; on a busy one it is not disturbed by other programs.
"""

from __future__ import annotations

import gc
import statistics
from dataclasses import dataclass
from time import process_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

PAIRS = 9


@dataclass(frozen=True, slots=True)
class Pair:
    """Seconds a call of ours and of the baseline, one a pair."""

    ours: tuple[float, ...]
    baseline: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """Median of baseline over ours, pair by pair: above 1, ours is quicker."""
        return statistics.median(b / o for o, b in zip(self.ours, self.baseline, strict=True))

    @property
    def ours_ms(self) -> float:
        """Median of ours in milliseconds."""
        return 1e3 * statistics.median(self.ours)

    @property
    def baseline_ms(self) -> float:
        """Median of the baseline in milliseconds."""
        return 1e3 * statistics.median(self.baseline)


def seconds_a_call(call: Callable[[], object], at_least: float) -> float:
    """Return the mean seconds of a call over at least `at_least` seconds."""
    calls, started = 0, process_time()
    while True:
        call()
        calls += 1
        passed = process_time() - started
        if passed >= at_least:
            return passed / calls


def pairs_of(
    ours: Callable[[], object], baseline: Callable[[], object], *, pairs: int = PAIRS, at_least: float = 0.1
) -> Pair:
    """Time both in turn, after one call of each to warm up."""
    ours()
    baseline()
    gc.collect()
    timed = [(seconds_a_call(ours, at_least), seconds_a_call(baseline, at_least)) for _ in range(pairs)]
    return Pair(tuple(a for a, _ in timed), tuple(b for _, b in timed))


def percentile(values: list[float], share: float) -> float:
    """Return the value below which `share` of the values lie."""
    return sorted(values)[min(len(values) - 1, round(share * (len(values) - 1)))]
