"""Reads what a plan needs, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from askew.arrays import frozen32
from askew.errors import WeightsError
from askew.heads import FromFile, FromFiles, Head
from askew.weights.model import Imported

if TYPE_CHECKING:
    from askew.arrays import Float32
    from askew.weights.model import Plan, Role, WeightsFile

_SHOWN = 64


def load(file: WeightsFile, plan: Plan) -> Imported:
    """Read the weights.

    Raises
    ------
    WeightsError
        If a question of the plan is open, the file is damaged, or a number is not finite: with row and
        column.
    """
    for question in plan.questions:
        more = ", ..." if len(question.options) > _SHOWN else ""
        raise WeightsError(
            question.text,
            where=file.name,
            remedy=f"Choose with --{question.field}: {', '.join(question.options[:_SHOWN])}{more}",
        )
    origin = _origin(file, plan)
    parts = {role.part: _by_head(_read(file, role), role, plan) for role in plan.roles}
    heads = None
    if not plan.lacking:
        of_head = [{part: arrays[h] for part, arrays in parts.items()} for h in range(plan.heads or 0)]
        heads = tuple(Head(**arrays, recipe=origin) for arrays in of_head)  # type: ignore[arg-type]
    return Imported(heads, parts, plan.notes, plan.needs, plan.missing, origin)


def _origin(file: WeightsFile, plan: Plan) -> FromFiles:
    """Return where each matrix comes from; bytes of a name that are no characters become U+FFFD."""
    name = file.name.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return FromFiles(
        **{
            role.part[2]: FromFile(name, "out-in" if role.turned_over else "in-out", plan.layer)
            for role in plan.roles
            if role.part[0] == "w"
        }
    )


def _read(file: WeightsFile, role: Role) -> Float32:
    """Return the numbers of a role, (d_model, outputs), (outputs,) or stacked by head."""
    place = file.places[role.tensor]
    by_rows = role.cut is not None and (role.turned_over or len(role.shape) == 1)
    try:
        numbers = place.numbers(role.cut if by_rows else None)
    except WeightsError as error:
        raise WeightsError(error.what, where=error.where or file.name, remedy=error.remedy) from error
    if role.cut is not None and not by_rows:
        numbers = numbers[:, slice(*role.cut)]
    _check_finite(numbers, role, file.name, by_rows)
    return numbers.T if role.turned_over else numbers


def _check_finite(numbers: Float32, role: Role, name: str, by_rows: bool) -> None:
    """Refuse NaN and what is beyond float32, with its place in the file."""
    finite = np.isfinite(numbers)
    if finite.all():
        return
    place = np.argwhere(~finite)[0] + 1
    if role.cut is not None:
        place[0 if by_rows else 1] += role.cut[0]
    is_matrix = role.part[0] == "w"
    stacked = numbers.ndim > (2 if is_matrix else 1)
    row = f"row {place[-2]}, " if is_matrix else ""
    raise WeightsError(
        f"{role.tensor} holds a number that is not finite: {row}column {place[-1]}",
        where=f"{name}, head {place[0] - 1}" if stacked else name,
        remedy="Use numbers within ±3.4e38",
    )


def _by_head(numbers: Float32, role: Role, plan: Plan) -> tuple[Float32, ...]:
    """Return an array a head; those that share keys get the very same."""
    heads = plan.heads or 1
    if numbers.ndim == 3 or (numbers.ndim == 2 and role.part[0] == "b"):
        # Askew writes keys that heads share once for each of them; read back they are shared again.
        seen: dict[bytes, Float32] = {}
        stacked = [frozen32(array) for array in numbers]
        return tuple(stacked if role.part[2] == "q" else (seen.setdefault(a.tobytes(), a) for a in stacked))
    own = heads if role.part[2] == "q" else plan.kv_heads or heads
    width = numbers.shape[-1] // own
    arrays = [frozen32(numbers[..., i * width : (i + 1) * width]) for i in range(own)]
    return tuple(arrays[h * own // heads] for h in range(heads))
