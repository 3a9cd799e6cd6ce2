"""What the import of weights says of tensors and roles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askew_gui.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askew.weights import Needs, Plan, Role, WeightsFile
    from askew_gui.dialogs.import_weights_plan import Reading

MOST_ROWS = 2000


def schemes() -> dict[str, str]:
    """Return whose naming a file follows, in words."""
    return {
        "askew": tr("w_q, w_k, w_v by head"),
        "torch-mha": tr("named as torch's MultiheadAttention"),
        "bert": tr("named as in BERT"),
        "gpt2": tr("named as in GPT-2"),
        "llama": tr("named as in Llama, Mistral and Qwen"),
        "t5": tr("named as in T5"),
        "linear": tr("a torch Linear"),
        "bare": tr("a matrix without a telling name"),
    }


def headline(file: WeightsFile) -> str:
    """Return what was found, in a line."""
    count = len(file.tensors)
    arrays = tr("1 array") if count == 1 else tr("{} arrays").format(f"{count:,}")
    return f"{file.kind} · {arrays} · {schemes()[file.scheme]}"


def shape_text(shape: Sequence[int]) -> str:
    """Write a shape as people do."""
    return " × ".join(f"{size:,}" for size in shape) or "1"


def becomes(roles: Sequence[Role]) -> str:
    """Return what a tensor becomes, "" for nothing."""
    parts = ", ".join(
        dict.fromkeys(
            role.part[:1].upper() + role.part[1:] if role.part[0] == "w" else role.part for role in roles
        )
    )
    return parts + (tr(" · turned over") if any(role.turned_over for role in roles) else "")


def rows(file: WeightsFile, plan: Plan | None) -> list[tuple[str, str, str, str]]:
    """Return name, shape, type and use of each tensor, those in use first; a last line may count more."""
    used: dict[str, list[Role]] = {}
    for role in sorted(plan.roles, key=_order) if plan is not None else ():
        used.setdefault(role.tensor, []).append(role)
    places = {name: place for place, name in enumerate(used)}
    tensors = sorted(file.tensors, key=lambda tensor: places.get(tensor.name, len(places)))
    lines = [
        (tensor.name, shape_text(tensor.shape), tensor.dtype, becomes(used.get(tensor.name, ())))
        for tensor in tensors[:MOST_ROWS]
    ]
    if len(tensors) > MOST_ROWS:
        lines.append((tr("and {} more").format(f"{len(tensors) - MOST_ROWS:,}"), "", "", ""))
    return lines


def _order(role: Role) -> int:
    """Return where a role stands: W_q, W_k, W_v, then the biases; packed ones first."""
    parts = ("w_q", "w_k", "w_v", "b_q", "b_k", "b_v")
    return parts.index(role.part) if role.part in parts else -1


def notes(reading: Reading, faithful: bool | None) -> list[str]:
    """Return what is to be said of what will happen, but for what the table shows already.

    `faithful` tells, of a model that is opened with its words, whether all it does to them comes along.
    """
    plan = reading.plan
    if plan is None:
        return []
    shown = tuple(f"{role.tensor} turned over" for role in plan.roles if role.turned_over)
    lines = [note for note in plan.notes if not note.startswith(shown or ("\0",))]
    if any(each.field == "heads" and each.guessed and each.value for each in reading.asked):
        text = tr("the file does not say how many heads there are: {} would be as wide as those in use")
        lines.append(text.format(plan.heads))
    if faithful:
        return [*lines, tr("opens as the model runs it: positions, token type, layer norm, [CLS] and [SEP]")]
    if faithful is not None:
        lines.append(tr("opens with the model's words and heads alone, which is not what the model sees"))
    return [*lines, tr("not brought: {}").format(", ".join(plan.missing))] if plan.missing else lines


def result(plan: Plan) -> str:
    """Return what comes of it: heads and their widths."""
    if plan.heads is None:
        return ""
    heads = tr("1 head") if plan.heads == 1 else tr("{} heads").format(plan.heads)
    widths = [
        f"{name} {value}" for name, value in (("d_k", plan.d_k), ("d_v", plan.d_v)) if value is not None
    ]
    return " · ".join((heads, f"d_model {plan.d_model}", *widths))


def orientations(plan: Plan | None) -> tuple[tuple[str, str], ...]:
    """Return the ways in which a matrix may lie, the default and what it is first."""
    turned = plan is not None and any(role.turned_over for role in plan.roles)
    taken = tr("turned over, since the file has (d, d_model)") if turned else tr("as it is, (d_model, d)")
    return (
        ("", tr("Default: {}").format(taken)),
        ("in-out", tr("Rows are inputs: x · W, (d_model, d)")),
        ("out-in", tr("Rows are outputs: a torch Linear, (d, d_model)")),
    )


def need_texts(needs: Needs) -> dict[str, str]:
    """Return what a scheme needs by its field, as a tick says it."""
    texts = {
        "scoring": tr("Score by {}, as its scheme does"),
        "mask": tr("Mask {}, as its scheme has"),
        "positions": tr("Positions {}, as its scheme has"),
    }
    return {
        field: text.format(getattr(needs, field))
        for field, text in texts.items()
        if getattr(needs, field) is not None
    }
