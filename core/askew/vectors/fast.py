"""Many lines at once: a block of plain lines is made one JSON array, in place, and read by simdjson."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from askew.arrays import Float32

_BLANKS = 32  # bytes up to this one are blanks or ends of lines, never part of a number


class QuickParser:
    """Reads blocks in which every line is a word without blanks and `dim` numbers; refuses all others.

    Rounding is exact, as in Python's `float`, then to float32.
    """

    def __init__(self, dim: int) -> None:
        import simdjson

        self._dim = dim
        self._parser: Any = simdjson.Parser()

    def rows(self, text: bytes) -> tuple[list[bytes], Float32] | None:
        """Return the words and numbers, (k, dim), of lines that end in LF; None if not all are plain."""
        if text[:4096].find(b" \n") >= 0 or text.endswith(b" \n"):
            text = text.replace(b" \n", b"\n")
        places = self._separators(text)
        if places is None:
            return None
        blanks = places[:, 0]
        starts = np.concatenate([[0], places[:-1, -1] + 1])
        json = _as_json(text, places, starts)
        if json.find(b"[", 1) >= 0:
            return None  # a bracket is no part of a number, but simdjson would take what is in it
        try:
            parsed = self._parser.parse(json).as_buffer(of_type="d")
        except (ValueError, TypeError, OverflowError):  # .5, +1, nan and the like are not JSON
            return None
        values = np.frombuffer(parsed, dtype=np.float64)
        if len(values) != len(places) * self._dim:
            return None
        with np.errstate(over="ignore"):
            matrix = values.astype(np.float32).reshape(len(places), self._dim)
        spans = zip(starts.tolist(), blanks.tolist(), strict=True)
        return [text[start:end] for start, end in spans], matrix

    def _separators(self, text: bytes) -> npt.NDArray[np.intp] | None:
        """Return where the blanks and the end of each line are, (k, dim + 1), or None if any is odd."""
        data = np.frombuffer(text, dtype=np.uint8)
        places = np.flatnonzero(data <= _BLANKS)
        per_line = self._dim + 1
        if not len(places) or len(places) % per_line or places[-1] != len(text) - 1:
            return None
        by_line = places.reshape(-1, per_line)
        kinds = data[by_line]
        plain = np.all(kinds[:, -1] == 10) and np.all(kinds[:, :-1] == 32)
        return by_line if plain else None


def _as_json(text: bytes, places: npt.NDArray[np.intp], starts: npt.NDArray[np.intp]) -> bytes:
    """Return the lines as one flat array: separators become commas, words and what follows them blanks."""
    json = np.empty(len(text) + 1, dtype=np.uint8)
    json[0] = ord("[")
    json[1:] = np.frombuffer(text, dtype=np.uint8)
    json[1:][places.reshape(-1)] = ord(",")
    lengths = places[:, 0] - starts + 1
    before = np.cumsum(lengths) - lengths
    json[1 + np.repeat(starts - before, lengths) + np.arange(lengths.sum())] = ord(" ")
    json[-1] = ord("]")
    return json.tobytes()
