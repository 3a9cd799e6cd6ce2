"""Opening vector files against gensim: `python -m benchmarks.vectors [--huge] [--small] [--pairs P]`.

The files are made first, in a folder of their own that goes away. Every figure is taken in a fresh process;
ours and gensim's take turns. Times are those of a clock on the wall; beside them stands the CPU time, which
other programs on the machine disturb less. gensim must load a whole file before a word has a vector, Askew
need not: the first rows compare the time until twelve words have theirs, the full import stands beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks import vector_code as code
from benchmarks.table import Row, print_table
from benchmarks.vector_files import twelve_of, write_binary, write_text

if TYPE_CHECKING:
    from collections.abc import Callable

    Figures = dict[str, float | list[float]]

_UNSET = ("OPENBLAS", "OMP_", "MKL_", "PYTHONDONTWRITEBYTECODE")  # what changes the times of either side


class Bench(NamedTuple):
    """Where the files are, how often each pair is taken, and the twelve words."""

    folder: Path
    pairs: int
    twelve: list[str]

    def run(self, program: str, path: Path) -> Figures:
        """Run a program in a fresh process and return the figures it tells, and the time of all of it."""
        environment = {key: value for key, value in os.environ.items() if not key.startswith(_UNSET)}
        environment |= {"ASKEW_HOME": str(self.folder / "home"), "QT_QPA_PLATFORM": "offscreen"}
        command = [sys.executable, "-c", code.BEFORE + program, str(path), json.dumps(self.twelve)]
        before, begun = os.times(), time.perf_counter()
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
        wall, after = time.perf_counter() - begun, os.times()
        used = after.children_user + after.children_system - before.children_user - before.children_system
        figures: Figures = json.loads(done.stdout.splitlines()[-1])
        return {**figures, "whole": [wall, used]}

    def interleaved(
        self, ours: str, theirs: str, path: Path, before: Callable[[], object] | None = None
    ) -> tuple[list[Figures], list[Figures]]:
        """Take both in turn; `before` runs before each of ours."""
        pairs = []
        for _ in range(self.pairs):
            if before is not None:
                before()
            pairs.append((self.run(ours, path), self.run(theirs, path)))
        return [ours for ours, _ in pairs], [theirs for _, theirs in pairs]

    def fresh(self, ours: str, path: Path, count: int) -> list[Figures]:
        """Run a program so many times, each with an empty cache."""
        found = []
        for _ in range(count):
            self.forget()
            found.append(self.run(ours, path))
        return found

    def forget(self) -> None:
        """Clear the cache."""
        self.run(code.CLEAR, self.folder)


def times(figures: list[Figures], key: str, kind: int) -> list[float]:
    """Return the seconds of each run, by the clock on the wall (0) or of the CPU (1)."""
    return [pair[kind] for each in figures if isinstance(pair := each[key], list)]


def numbers(figures: list[Figures], key: str) -> list[float]:
    """Return one number of each run."""
    return [number for each in figures if isinstance(number := each[key], float | int)]


def ratio(ours: list[float], theirs: list[float]) -> float:
    """Return the median of the pairs' ratios."""
    return statistics.median(b / a for a, b in zip(ours, theirs, strict=True))


def seconds(values: list[float]) -> str:
    """Return the median as text."""
    middle = statistics.median(values)
    return f"{middle:.3g} s" if middle >= 1 else f"{1e3 * middle:.3g} ms"


def timed_row(
    what: str,
    ours: list[Figures],
    theirs: list[Figures],
    key: str,
    bar: float,
    most_ms: float | None = None,
) -> Row:
    """Return a row of times: medians, and the median of the pairs' ratios."""
    mine, other = times(ours, key, 0), times(theirs, key, 0)
    mine_cpu, other_cpu = times(ours, key, 1), times(theirs, key, 1)
    found, by_cpu = ratio(mine, other), ratio(mine_cpu, other_cpu)
    quick = most_ms is None or 1e3 * statistics.median(mine) <= most_ms
    return Row(
        what,
        f"gensim {seconds(other)} (CPU {seconds(other_cpu)})",
        f"{seconds(mine)} (CPU {seconds(mine_cpu)})",
        f"{found:.3g}× (CPU {by_cpu:.3g}×)",
        f"≥ {bar:g}×" + ("" if most_ms is None else f", ≤ {most_ms:g} ms"),
        found >= bar and quick,
    )


def peak_row(what: str, ours: list[Figures], theirs: list[Figures]) -> Row:
    """Return a row of the most memory a process had."""
    mine, other = numbers(ours, "mib"), numbers(theirs, "mib")
    share = 1 / ratio(mine, other)
    return Row(
        what,
        f"gensim {statistics.median(other):.0f} MiB",
        f"{statistics.median(mine):.0f} MiB",
        f"{share:.2f}",
        "≤ 0.25",
        share <= 0.25,
    )


def text_rows(bench: Bench, count: int, *, bar: float, full: bool = True) -> list[Row]:
    """Measure opening and importing GloVe text of 300 numbers a word."""
    path, size = bench.folder / "vectors.txt", f"GloVe text {count:,} × 300"
    write_text(path, count, 300)
    opened, loaded = bench.interleaved(code.OURS_OPEN, code.GENSIM_TEXT, path, bench.forget)
    rows = [timed_row(f"{size}, until 12 words have vectors", opened, loaded, "open", bar)]
    if full:
        imported = bench.fresh(code.OURS_IMPORT, path, bench.pairs)
        frames = bench.fresh(code.OURS_FRAMES, path, min(3, bench.pairs))
        rows += [
            timed_row(f"{size}, imported in full", imported, loaded, "open", 15),
            peak_row(f"{size}, peak memory of the import", imported, loaded),
            _frames_row(frames),
        ]
    path.unlink()
    bench.forget()
    return rows


def _frames_row(frames: list[Figures]) -> Row:
    alone, during = (statistics.median(numbers(frames, key)) for key in ("alone", "during"))
    return Row(
        "frames of 60 a second while it is imported, 12 heads edited and painted in each",
        f"without an import {alone:.1f}",
        f"{during:.1f}",
        "–",
        "≥ 55",
        during >= 55,
    )


def binary_rows(
    bench: Bench, count: int, *, reopen_bar: float, searched: bool = False, opened: bool = False
) -> list[Row]:
    """Measure reopening word2vec binary; nearest words, or opening and memory, if asked."""
    path, size = bench.folder / "vectors.bin", f"{count:,} × 300"
    write_binary(path, count, 300)
    rows = _open_rows(bench, path, size) if opened else []
    bench.run(code.OURS_IMPORT, path)
    bench.run(code.GENSIM_SAVE, path)
    again, mapped = bench.interleaved(code.OURS_REOPEN, code.GENSIM_REOPEN, path)
    rows.append(timed_row(f"reopened, gensim with mmap, {size}", again, mapped, "open", reopen_bar, 3))
    if opened:
        rows.append(_private_row(bench, path, again, mapped))
        whole, naive = bench.interleaved(code.OURS_WHOLE, code.GENSIM_WHOLE, path)
        rows.append(timed_row(f"start → {size} → 12 maps painted → end", whole, naive, "whole", 8))
    if searched:
        rows += _search_rows(bench, path, size)
    for file in bench.folder.glob("vectors.bin*"):
        file.unlink()
    bench.forget()
    return rows


def _open_rows(bench: Bench, path: Path, size: str) -> list[Row]:
    opened, loaded = bench.interleaved(code.OURS_OPEN, code.GENSIM_BINARY, path, bench.forget)
    imported = bench.fresh(code.OURS_IMPORT, path, 1)
    return [
        timed_row(f"word2vec binary {size}, until 12 words have vectors", opened, loaded, "open", 8),
        peak_row(f"word2vec binary {size}, peak memory of the import", imported, loaded[:1]),
    ]


def _private_row(bench: Bench, path: Path, again: list[Figures], mapped: list[Figures]) -> Row:
    bare = statistics.median(numbers([bench.run(code.BARE, path) for _ in again], "own"))
    mine, other = (statistics.median(numbers(each, "own")) - bare for each in (again, mapped))
    return Row(
        "the same, private memory above bare numpy",
        f"gensim {other:.1f} MiB",
        f"{mine:.1f} MiB",
        f"{mine / other:.3f}",
        "≤ 5 MiB",
        mine <= 5,
    )


def _search_rows(bench: Bench, path: Path, size: str) -> list[Row]:
    found, theirs = bench.interleaved(code.OURS_SEARCH, code.GENSIM_SEARCH, path)
    share = statistics.median(numbers(found, "share"))
    return [
        timed_row(f"nearest words, first query, {size}", found, theirs, "first", 40),
        timed_row(f"nearest words, 144 queries, {size}", found, theirs, "many", 7),
        Row(
            "one query, share of memory bandwidth",
            "the quickest of sum and product, one thread and all",
            "–",
            f"{share:.2f}",
            "≥ 0.8",
            share >= 0.8,
        ),
    ]


def measured(folder: Path, *, pairs: int, small: bool, huge: bool) -> list[Row]:
    """Measure all rows."""
    sizes = [size // 100 if small else size for size in (400_000, 1_000_000, 3_000_000)]
    bench = Bench(folder, pairs, twelve_of(sizes[0]))
    rows = text_rows(bench, sizes[0], bar=150)
    rows += binary_rows(bench, sizes[0], reopen_bar=80, searched=True)
    rows += binary_rows(bench, sizes[1], reopen_bar=250)
    rows += binary_rows(bench, sizes[2], reopen_bar=800, opened=True)
    if huge:
        rows += text_rows(bench._replace(pairs=1), 2_200_000, bar=120, full=False)
    return rows


def main() -> int:
    """Measure everything; the exit code is 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--small", action="store_true", help="files of a hundredth, to try the program out")
    parser.add_argument("--huge", action="store_true", help="GloVe 840B's size too, a quarter of an hour")
    chosen = parser.parse_args()
    needed = 19e9 if chosen.huge else 13e9
    if not chosen.small and shutil.disk_usage(tempfile.gettempdir()).free < needed:
        print(f"the files need {needed / 1e9:.0f} GB of disk in {tempfile.gettempdir()}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        rows = measured(Path(folder), pairs=chosen.pairs, small=chosen.small, huge=chosen.huge)
    print_table(rows)
    return 1 if any(each.holds is False for each in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
