"""Opening vector files against gensim: `python -m benchmarks.vectors [--words N] [--dim D] [--pairs P]`.

The files are made first, in a folder of their own that goes away. Every figure is taken in a fresh process;
ours and gensim's take turns. gensim must load a whole file before a word has a vector, Askew need not: the
first rows compare the time until twelve words have theirs, the full import stands beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchmarks.table import Row, print_table

if TYPE_CHECKING:
    from collections.abc import Callable

    Measure = dict[str, float]

_BEFORE = """
import json, resource, sys, time
import numpy as np
path, twelve = sys.argv[1], json.loads(sys.argv[2])
def tell(**figures):
    figures["mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(figures))
clock = time.perf_counter
"""
_GENSIM_LOAD = """
from gensim.models import KeyedVectors
begun = clock()
vectors = KeyedVectors.load_word2vec_format(path, binary={binary}, no_header={no_header})
taken = vectors[twelve]
tell(open=clock() - begun)
"""
GENSIM_TEXT = _GENSIM_LOAD.format(binary=False, no_header=True)
GENSIM_BINARY = _GENSIM_LOAD.format(binary=True, no_header=False)
GENSIM_SAVE = """
from gensim.models import KeyedVectors
KeyedVectors.load_word2vec_format(path, binary=True).save(path + ".kv")
tell()
"""
GENSIM_REOPEN = """
from gensim.models import KeyedVectors
begun = clock()
vectors = KeyedVectors.load(path + ".kv", mmap="r")
taken = vectors[twelve]
opened = clock() - begun
begun = clock()
vectors.most_similar(twelve[0])
first = clock() - begun
begun = clock()
for _ in range(12):
    for word in twelve:
        vectors.most_similar(word)
tell(open=opened, first=first, many=clock() - begun)
"""
OURS_OPEN = """
import askew.vectors.files
from askew.vectors import open_vectors
begun = clock()
vectors = open_vectors(path)
taken = vectors.vectors(twelve)
opened = clock() - begun
begun = clock()
if vectors.searchable:
    vectors.neighbours(twelve[0])
first = clock() - begun
begun = clock()
if vectors.searchable:
    vectors.neighbours_of_many(twelve * 12)
tell(open=opened, first=first, many=clock() - begun)
"""
OURS_IMPORT = """
from pathlib import Path
from askew.vectors.importing import import_vectors
begun = clock()
import_vectors(Path(path))
tell(open=clock() - begun)
"""


class Bench(NamedTuple):
    """Where the files are and how often each pair is taken."""

    folder: Path
    pairs: int
    twelve: list[str]

    def run(self, code: str, path: Path) -> Measure:
        """Run code in a fresh process and return the figures it tells."""
        done = subprocess.run(
            [sys.executable, "-c", _BEFORE + code, str(path), json.dumps(self.twelve)],
            env={**os.environ, "ASKEW_HOME": str(self.folder / "home")},
            stdout=subprocess.PIPE,
            check=True,
        )
        figures: Measure = json.loads(done.stdout)
        return figures

    def interleaved(
        self, ours: str, theirs: str, path: Path, before: Callable[[], None] | None = None
    ) -> tuple[list[Measure], list[Measure]]:
        """Take both in turn; `before` runs before each of ours."""
        pairs = []
        for _ in range(self.pairs):
            if before is not None:
                before()
            pairs.append((self.run(ours, path), self.run(theirs, path)))
        return [ours for ours, _ in pairs], [theirs for _, theirs in pairs]

    def forget(self) -> None:
        """Clear the cache."""
        self.run("from askew.vectors.cache import clear_cache; clear_cache(); tell()", self.folder)


def row(what: str, ours: list[Measure], theirs: list[Measure], key: str, bar: float) -> Row:
    """Return one row of the table: medians, and the median of the pairs' ratios."""
    mine = statistics.median(each[key] for each in ours)
    other = statistics.median(each[key] for each in theirs)
    ratio = statistics.median(b[key] / a[key] for a, b in zip(ours, theirs, strict=True))
    return Row(
        what, f"gensim {other:.3f} s", f"{mine * 1e3:.2f} ms", f"{ratio:.1f}×", f"≥ {bar:g}×", ratio >= bar
    )


def text_rows(bench: Bench, path: Path, size: str) -> list[Row]:
    """Measure opening and importing GloVe text."""
    opened, loaded = bench.interleaved(OURS_OPEN, GENSIM_TEXT, path, bench.forget)
    imported = []
    for _ in range(bench.pairs):
        bench.forget()
        imported.append(bench.run(OURS_IMPORT, path))
    memory = statistics.median(a["mib"] / b["mib"] for a, b in zip(imported, loaded, strict=True))
    mib = statistics.median(each["mib"] for each in imported)
    other = statistics.median(each["mib"] for each in loaded)
    return [
        row(f"GloVe text {size}, until 12 words have vectors", opened, loaded, "open", 150),
        row(f"GloVe text {size}, imported in full", imported, loaded, "open", 15),
        Row(
            f"peak memory of importing GloVe text {size}",
            f"gensim {other:.0f} MiB",
            f"{mib:.0f} MiB",
            f"{memory:.2f}",
            "≤ 0.25",
            memory <= 0.25,
        ),
    ]


def binary_rows(bench: Bench, path: Path, size: str) -> list[Row]:
    """Measure opening, reopening and searching word2vec binary."""
    opened, loaded = bench.interleaved(OURS_OPEN, GENSIM_BINARY, path, bench.forget)
    bench.run(OURS_IMPORT, path)
    bench.run(GENSIM_SAVE, path)
    again, mapped = bench.interleaved(OURS_OPEN, GENSIM_REOPEN, path)
    return [
        row(f"word2vec binary {size}, until 12 words have vectors", opened, loaded, "open", 8),
        row(f"the same, reopened, gensim with mmap, {size}", again, mapped, "open", 80),
        row(f"nearest words, first query, {size}", again, mapped, "first", 40),
        row(f"nearest words, 144 queries, {size}", again, mapped, "many", 7),
    ]


def make_files(folder: Path, count: int, dim: int) -> tuple[Path, Path, list[str]]:
    """Write the same random vectors as GloVe text and as word2vec binary; return twelve words of them."""
    dice = np.random.default_rng(0)
    letters = np.array(list("etaoinshrdlucmfwypvbgkjqxz\u00e9\u0436\u4e16"))
    words = ["".join(dice.choice(letters, 4)) + str(number) for number in range(count)]
    text, binary = folder / "vectors.txt", folder / "vectors.bin"
    with text.open("wb") as as_text, binary.open("wb") as as_binary:
        as_binary.write(f"{count} {dim}\n".encode())
        for start in range(0, count, 2000):
            block = (dice.standard_normal((min(2000, count - start), dim)) * 0.4).astype("<f4")
            shape = " ".join(["%.5g"] * dim)
            for word, values in zip(words[start : start + 2000], block, strict=True):
                as_text.write(f"{word} {shape % tuple(values.tolist())}\n".encode())
                as_binary.write(word.encode() + b" " + values.tobytes() + b"\n")
    return text, binary, words[5 : count // 10 : max(1, count // 120)][:12]


def main() -> int:
    """Measure everything; the exit code is 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--words", type=int, default=400_000)
    parser.add_argument("--dim", type=int, default=300)
    parser.add_argument("--pairs", type=int, default=5)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        text, binary, twelve = make_files(Path(folder), chosen.words, chosen.dim)
        bench = Bench(Path(folder), chosen.pairs, twelve)
        size = f"{chosen.words:,} × {chosen.dim}"
        rows = [*text_rows(bench, text, size), *binary_rows(bench, binary, size)]
    print_table(rows)
    return 1 if any(each.holds is False for each in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
