"""One attention head: its projections, biases and where they came from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from askew.arrays import frozen32
from askew.errors import WeightsError

if TYPE_CHECKING:
    from askew.arrays import Float32


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a head was drawn; the same recipe gives the same numbers again.

    `rank` is for `low-rank` only. `tau` is the share of W_q in a tied W_k: 1 makes them equal.
    """

    initializer: str
    seed: int
    index: int
    gain: float = 1.0
    rank: int | None = None
    tau: float = 1.0


Part = Literal["q", "k", "v"]
PARTS: tuple[Part, ...] = ("q", "k", "v")
Orientation = Literal["in-out", "out-in"]


@dataclass(frozen=True, slots=True)
class FromFile:
    """Where a matrix was brought from: the name of the file, never its folder, and the layer, if it has any.

    `orientation` is how the matrix lay in it: "in-out" as it is used, (d_model, d), "out-in" turned over.
    """

    file: str
    orientation: Orientation = "in-out"
    layer: int | None = None

    def __str__(self) -> str:
        """Return it in words: "q.npy, layer 3, turned over"."""
        layer = "" if self.layer is None else f", layer {self.layer}"
        return f"{self.file}{layer}{', turned over' if self.orientation == 'out-in' else ''}"


@dataclass(frozen=True, slots=True)
class FromFiles:
    """The origin of an imported head: the file of each matrix, None where it was not brought."""

    q: FromFile | None = None
    k: FromFile | None = None
    v: FromFile | None = None

    def onto(self, before: Origin) -> FromFiles:
        """Return the origin of a head that keeps, of an origin before, what is not brought now."""
        if not isinstance(before, FromFiles):
            return self
        return FromFiles(self.q or before.q, self.k or before.k, self.v or before.v)

    def only(self, part: Part) -> FromFiles:
        """Return the origin of one matrix."""
        return replace(FromFiles(), **{part: getattr(self, part)})

    def __str__(self) -> str:
        """Return it in words: "imported from q.npy, turned over"."""
        files: dict[FromFile, list[str]] = {}
        for part in PARTS:
            file: FromFile | None = getattr(self, part)
            if file is not None:
                files.setdefault(file, []).append(f"W_{part}")
        if [len(parts) for parts in files.values()] == [len(PARTS)]:
            return f"imported from {next(iter(files))}"
        named = "; ".join(f"{' and '.join(parts)} from {file}" for file, parts in files.items())
        return f"imported: {named}" if named else "imported"


Origin = Recipe | FromFiles | Literal["edited", "trained"]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Head:
    """The weights of one head; two heads are the same only if they are the same object.

    Parameters
    ----------
    w_q, w_k
        (d_model, d_k), float32, read-only.
    w_v
        (d_model, d_v), float32, read-only.
    b_q, b_k, b_v
        (d_k,), (d_k,), (d_v,) or None for no bias.
    scoring
        A name of `askew.scoring.SCORINGS`.
    extra
        The scoring's own parameters, for those that have any.
    recipe
        The `Recipe`, or the `FromFiles` it was brought from, or "edited", or "trained" for one of the bundled
        trained layer.
    locked
        Which matrices, with their biases, are left alone by what draws heads anew.

    Raises
    ------
    WeightsError
        If the shapes do not fit together or a number is not finite.
    """

    w_q: Float32
    w_k: Float32
    w_v: Float32
    b_q: Float32 | None = None
    b_k: Float32 | None = None
    b_v: Float32 | None = None
    scoring: str = "scaled-dot"
    extra: Float32 | None = None
    recipe: Origin = "edited"
    locked: frozenset[Part] = frozenset()

    def __post_init__(self) -> None:
        for name in ("w_q", "w_k", "w_v", "b_q", "b_k", "b_v", "extra"):
            value = getattr(self, name)
            if value is not None:
                array = frozen32(value)
                if not np.isfinite(array).all():
                    raise _not_finite(name, array)
                object.__setattr__(self, name, array)
        self._check_shapes()

    def _check_shapes(self) -> None:
        for name in ("w_q", "w_k", "w_v"):
            if getattr(self, name).ndim != 2:
                raise WeightsError(f"{name} has shape {getattr(self, name).shape}, not (d_model, d)")
        if self.w_q.shape != self.w_k.shape:
            raise WeightsError(f"w_q is {self.w_q.shape} and w_k is {self.w_k.shape}; they must agree")
        if self.w_v.shape[0] != self.d_model:
            raise WeightsError(f"w_v has {self.w_v.shape[0]} rows, w_q has {self.d_model}; they must agree")
        for name, width in (("b_q", self.d_k), ("b_k", self.d_k), ("b_v", self.d_v)):
            bias = getattr(self, name)
            if bias is not None and bias.shape != (width,):
                raise WeightsError(f"{name} has shape {bias.shape}, not ({width},)")

    @property
    def is_locked(self) -> bool:
        """Whether no matrix may be drawn anew."""
        return len(self.locked) == len(PARTS)

    @property
    def d_model(self) -> int:
        """Numbers per token vector."""
        return int(self.w_q.shape[0])

    @property
    def d_k(self) -> int:
        """Numbers per query and per key."""
        return int(self.w_q.shape[1])

    @property
    def d_v(self) -> int:
        """Numbers per value."""
        return int(self.w_v.shape[1])


def _not_finite(name: str, array: Float32) -> WeightsError:
    """Say where the first number is that is NaN or beyond float32."""
    place = np.argwhere(~np.isfinite(array))[0] + 1
    row = "" if array.ndim < 2 else f"row {place[0]}, "
    return WeightsError(
        f"{name} holds a number that is not finite: {row}column {place[-1]}",
        remedy="Use numbers within ±3.4e38",
    )
