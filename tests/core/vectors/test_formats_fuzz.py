"""Files of every format with small changes, and those beside them: a message or a table, no more."""

from __future__ import annotations

import contextlib
import os
import random
import struct
import time
import tracemalloc
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.core.vectors import written
from tests.core.vectors.test_formats import WRITERS

from askew.errors import AskewError
from askew.vectors import open_vectors

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ROUNDS = int(os.environ.get("ASKEW_FUZZ", "1000")) // 10
NUMBERS = [b"\xff" * 4, b"\xff\xff\xff\x7f", b"\0" * 4, b"\0\0\0\x80", b"\xff" * 7 + b"\x7f", b"\0" * 8]


def changed(data: bytes, dice: random.Random) -> bytes:
    """Return the bytes with some cut, moved, repeated or overwritten, often by numbers that are absurd."""
    result = bytearray(data)
    for _ in range(dice.choice([1, 1, 1, 2, 3, 6])):
        place = dice.randint(0, len(result))
        match dice.randint(0, 7):
            case 0 if place < len(result):
                result[place] = dice.randint(0, 255)
            case 1 if place < len(result):
                result[place] ^= 1 << dice.randint(0, 7)
            case 2:
                del result[place:]
            case 3:
                del result[place : place + dice.randint(1, 20)]
            case 4:
                result[place:place] = dice.randbytes(dice.randint(1, 9))
            case 5:
                number = dice.choice([*NUMBERS, struct.pack("<Q", 1 << dice.randint(0, 63))])
                result[place : place + len(number)] = number
            case _:
                begin = dice.randint(0, len(result))
                result[place:place] = result[begin : begin + dice.randint(1, 40)]
    return bytes(result)


def with_letters(
    folder: Path, words: list[str], matrix: np.ndarray[tuple[int, int], np.dtype[np.float32]]
) -> Path:
    """Write a fastText file with letter groups."""
    groups = np.random.default_rng(1).standard_normal((20, matrix.shape[1])).astype(np.float32)
    (folder / "m.bin").write_bytes(written.fasttext(words, matrix, groups, (3, 5)))
    return folder / "m.bin"


@pytest.mark.parametrize(
    "write", [with_letters, *(write for write, _ in WRITERS.values())], ids=["letters", *WRITERS]
)
@pytest.mark.timeout(3600)
def test_no_change_gives_more_than_a_message(
    write: Callable[..., Path], tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    longest = largest = 0.0
    matrix = np.random.default_rng(0).standard_normal((5, 4)).astype(np.float32)
    path = write(tmp_path, ["the", "caf\u00e9", "\u5317\u4eac", "red", "sky"], matrix)
    whole = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    dice = random.Random(os.environ.get("ASKEW_FUZZ_SEED", "askew"))
    for number in range(ROUNDS):
        file = dice.choice(list(whole))
        data = changed(whole[file], dice)
        file.write_bytes(data)
        tracemalloc.start()
        begun = time.process_time()
        try:
            strict = number % 2 == 1
            use(path, strict, "en" if strict and write is written.as_numberbatch else None)
        except Exception as error:
            raise AssertionError(f"{file.name} changed to {data!r}") from error
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 200e6, f"{file.name} changed to {data!r}"
        taken = time.process_time() - begun
        assert taken < 5, f"{file.name} changed to {data!r}"
        longest, largest = max(longest, taken), max(largest, peak)
        file.write_bytes(whole[file])
    record_property("files", ROUNDS)
    record_property("longest, seconds", round(longest, 3))
    record_property("largest, MB", round(largest / 1e6, 1))


def use(path: Path, strict: bool, language: str | None) -> None:
    """Open a file as the window does and use what is in it, if anything."""
    with contextlib.suppress(AskewError):
        vectors = open_vectors(path, language=language, skip_damaged=not strict)
        words = list(vectors)[:20]
        assert vectors.vectors(words).shape == (len(words), vectors.dim)
        for word in ("zebra", "\u00e4", ""):
            vectors.get(word)
        vectors.neighbours(words[0], 3)
