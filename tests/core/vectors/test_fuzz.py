from __future__ import annotations

import contextlib
import os
import random
import time
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from askew.errors import AskewError
from askew.vectors import files, open_vectors

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = Path(__file__).parents[2] / "data/cases"
SEEDS = sorted(path for path in (*DATA.glob("A*"), *(DATA / "formats").iterdir()) if path.suffix != ".json")
ROUNDS = int(os.environ.get("ASKEW_FUZZ", "600"))
PIECES = [
    b" ",
    b"\n",
    b"\t",
    b"\r",
    b"\0",
    b"\xff",
    b"nan",
    b"-",
    b"9" * 20,
    b"4 4\n",
    b"\x80",
    b"1e999",
    b":",
]


def mutated(data: bytes, dice: random.Random) -> bytes:
    """Return the bytes with one to four small changes."""
    changed = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        place = dice.randint(0, len(changed))
        match dice.randint(0, 5):
            case 0:
                del changed[place:]
            case 1:
                del changed[place : place + dice.randint(1, 40)]
            case 2:
                changed[place:place] = dice.choice(PIECES)
            case 3 if place < len(changed):
                changed[place] = dice.randint(0, 255)
            case 4:
                changed[place:place] = changed[: dice.randint(0, 200)]
            case _:
                changed[place:place] = dice.randbytes(dice.randint(1, 12))
    return bytes(changed)


def use(path: Path, skip_damaged: bool) -> None:
    """Open a file as the window does and use what is in it, if anything."""
    with contextlib.suppress(AskewError):
        vectors = open_vectors(path, skip_damaged=skip_damaged)
        words = [word for word in list(vectors)[:5] if vectors.find(word)]
        assert vectors.vectors(words).shape == (len(words), vectors.dim)
        if vectors.searchable and words:
            vectors.neighbours(words[0], 3)


@pytest.mark.parametrize("small", [0, files.SMALL], ids=["indexed", "whole"])
@pytest.mark.timeout(3600)
def test_no_broken_file_gives_more_than_a_message(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
    small: int,
) -> None:
    monkeypatch.setattr(files, "SMALL", small)
    longest = largest = 0.0
    dice = random.Random(os.environ.get("ASKEW_FUZZ_SEED", "askew"))
    for number in range(ROUNDS // 2):
        seed = dice.choice(SEEDS)
        path = tmp_path / f"mutated{seed.suffix}"
        path.write_bytes(mutated(seed.read_bytes(), dice))
        kept = path.read_bytes()
        if number % 10 == 0:  # it makes everything slow
            tracemalloc.start()
        begun = time.process_time()
        try:
            use(path, skip_damaged=bool(number % 2))
        except Exception as error:
            raise AssertionError(f"{seed.name} changed to {kept!r}") from error
        peak = tracemalloc.get_traced_memory()[1]  # 0 where it was not started
        tracemalloc.stop()
        assert peak < 200e6, f"{seed.name} changed to {kept!r}"
        taken = time.process_time() - begun
        assert taken < 5, f"{seed.name} changed to {kept!r}"
        longest, largest = max(longest, taken), max(largest, peak)
    record_property("files", ROUNDS // 2)
    record_property("longest, seconds", round(longest, 3))
    record_property("largest, MB", round(largest / 1e6, 1))
