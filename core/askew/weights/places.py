"""Where the numbers of a tensor lie, and how they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from askew.arrays import Float32


class Place(Protocol):
    """Numbers that can be read."""

    def numbers(self, rows: tuple[int, int] | None = None) -> Float32:
        """Return the array as float32, or rows `rows[0]` to `rows[1]` of it."""
        ...
