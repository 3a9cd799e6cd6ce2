"""Vector files to measure with: random numbers and words of every script, as files in the wild have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from askew.arrays import Float32

_BLOCK = 2000
_LETTERS = "etaoinshrdlucmfwypvbgkjqxzäéжक世"


def write_text(path: Path, count: int, dim: int) -> None:
    """Write GloVe text."""
    shape = " ".join(["%.5g"] * dim)
    with path.open("wb") as file:
        for words, matrix in _blocks(count, dim):
            rows = zip(words, matrix.tolist(), strict=True)
            file.write("".join(f"{word} {shape % tuple(row)}\n" for word, row in rows).encode())


def write_binary(path: Path, count: int, dim: int) -> None:
    """Write word2vec binary with a newline after each row, as the program of its authors does."""
    with path.open("wb") as file:
        file.write(f"{count} {dim}\n".encode())
        for words, matrix in _blocks(count, dim):
            rows = zip(words, matrix, strict=True)
            file.write(b"".join(word.encode() + b" " + row.tobytes() + b"\n" for word, row in rows))


def twelve_of(count: int) -> list[str]:
    """Return twelve words from all parts of the first tenth of a file."""
    return [_word(number) for number in range(5, count, max(1, count // 120))][:12]


def _blocks(count: int, dim: int) -> Iterator[tuple[list[str], Float32]]:
    """Return words and rows; the numbers repeat, turned and scaled, since to draw them all takes minutes."""
    dice = np.random.default_rng(0)
    drawn = dice.standard_normal((_BLOCK, dim), dtype=np.float32)
    for start in range(0, count, _BLOCK):
        words = [_word(number) for number in range(start, min(start + _BLOCK, count))]
        matrix = np.roll(drawn, start // _BLOCK, axis=1) * np.float32(dice.uniform(0.2, 0.6))
        yield words, matrix[: len(words)].astype("<f4")


def _word(number: int) -> str:
    """Return a word of its own for each number, of 4 to 12 letters."""
    word, rest = "", number
    while rest or len(word) < 4:
        word, rest = word + _LETTERS[rest % len(_LETTERS)], rest // len(_LETTERS)
    return word + "s" * (number * 7919 % 6)
