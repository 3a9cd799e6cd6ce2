"""The commands and flags about files with weights."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from askew_gui.terminal import printable, to_stdout

if TYPE_CHECKING:
    from collections.abc import Callable

    from askew.weights import Plan, Stack, WeightsFile

TENSORS_SHOWN = 40
_ORIENTATION = click.option(
    "--orientation",
    type=click.Choice(["in-out", "out-in"]),
    help="How matrices lie: (d_model, d), or (d, d_model) as in torch. Default: by names and shapes.",
)
_LAYER = click.option("--layer", type=int, metavar="N", help="Which layer of a model; names count from 0.")
_STACK = click.option(
    "--stack",
    metavar="NAME",
    help="Which attention of a model with several, as 'askew weights info' names it. Default: the likeliest.",
)
_PART = click.option(
    "--part",
    type=click.Choice(["q", "k", "v"]),
    help="What a matrix is whose name does not tell. Default: q.",
)


def weights_options() -> tuple[Callable[..., Any], ...]:
    """Return the flags that say how a file of `--weights` is to be read."""
    return _ORIENTATION, _STACK, _LAYER, _PART


@click.group()
def weights() -> None:
    """Files with weights: what they hold, and what it becomes."""


@weights.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--heads", type=click.IntRange(1), metavar="H", help="Number of heads the file is split into.")
@click.option("--d-k", type=click.IntRange(1), metavar="N", help="Width of queries and keys.")
@click.option("--d-model", type=click.IntRange(1), metavar="N", help="Numbers per token vector.")
@_STACK
@_LAYER
@_ORIENTATION
@_PART
def info(file: str, as_json: bool, d_model: int | None, **choices: object) -> None:
    """Say what FILE holds and what becomes of it; no numbers are read but those of a table of text."""
    from askew.weights import Choice, look, plan

    found = look(file)
    what = plan(found, Choice(**choices), d_model)  # type: ignore[arg-type]
    if as_json:
        text = json.dumps(told(found, what), ensure_ascii=False, allow_nan=False) + "\n"
        to_stdout(text.encode("utf-8", "backslashreplace"))
        return
    to_stdout(("\n".join(_lines(found, what)) + "\n").encode("utf-8", "backslashreplace"))


def told(file: WeightsFile, what: Plan) -> dict[str, Any]:
    """Return what is known of a file as JSON has it."""
    taken = _taken(file, what)
    return {
        "kind": file.kind,
        "scheme": taken.scheme,
        "stacks": [stack.name for stack in file.stacks],
        "stack": what.stack,
        "layers": taken.layers,
        "tensors": [asdict(tensor) for tensor in file.tensors],
        "roles": [
            {
                "tensor": role.tensor,
                "part": role.part,
                "shape": role.shape,
                "turned_over": role.turned_over,
                "note": role.note,
            }
            for role in what.roles
        ],
        "d_model": what.d_model,
        "heads": what.heads,
        "kv_heads": what.kv_heads,
        "d_k": what.d_k,
        "d_v": what.d_v,
        "notes": what.notes,
        "needs": asdict(what.needs),
        "missing": what.missing,
        "questions": [
            {"field": each.field, "text": each.text, "options": each.options} for each in what.questions
        ],
    }


def _taken(file: WeightsFile, what: Plan) -> Stack:
    """Return the attention that a plan is about."""
    return next(stack for stack in file.stacks if stack.name == what.stack)


def _lines(file: WeightsFile, what: Plan) -> list[str]:
    """Return what is known of a file as a person reads it."""
    taken = _taken(file, what)
    count = len(taken.layers)
    of = f", {count} {'layer' if count == 1 else 'layers'}" if count else ""
    sizes = {"d_model": what.d_model, "heads": what.heads, "d_k": what.d_k, "d_v": what.d_v}
    known = ", ".join(f"{name} {size}" for name, size in sizes.items() if size is not None)
    lines = [f"{printable(file.name)}: {file.kind}, names of the {taken.scheme} kind{of}", known, ""]
    lines += _table(file, what)
    lines += ["", *(f"note: {printable(note)}" for note in what.notes)]
    if what.needs:
        lines.append(f"needs: {what.needs}")
    lines += [f"not brought: {printable(each)}" for each in what.missing]
    for question in what.questions:
        options = ", ".join(question.options[:TENSORS_SHOWN])
        more = ", ..." if len(question.options) > TENSORS_SHOWN else ""
        lines.append(f"question: {question.text}: --{question.field} {options}{more}")
    return lines


def _table(file: WeightsFile, what: Plan) -> list[str]:
    """Return the tensors in columns: name, shape, type, what they become; those of use first."""
    becomes: dict[str, list[str]] = {}
    for role in what.roles:
        becomes.setdefault(role.tensor, []).append(role.part)
    tensors = sorted(file.tensors, key=lambda tensor: tensor.name not in becomes)
    rows = [("tensor", "shape", "dtype", "becomes")] + [
        (printable(t.name), str(t.shape), t.dtype, ", ".join(becomes.get(t.name, ["-"])))
        for t in tensors[:TENSORS_SHOWN]
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = ["  ".join([*map(str.ljust, row[:3], widths), row[3]]) for row in rows]
    if len(tensors) > TENSORS_SHOWN:
        lines.append(f"{len(tensors) - TENSORS_SHOWN} more tensors; --json tells all")
    return lines
