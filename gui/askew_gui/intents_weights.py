"""What a person can do to the weights of one or several heads at once; each is one step of undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askew import circuit_edits, edits, weight_edits
from askew.blas import one_thread, share_out
from askew.errors import AskewError
from askew_gui import intents
from askew_gui.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from askew.heads import Head, Part
    from askew_gui.store import Store


def edit_heads(store: Store, heads: Sequence[int], edit: Callable[[Head], Head], label: str) -> bool:
    """Edit each of `heads` alike; none is edited where one of them cannot be."""
    present = store.experiment.heads
    try:
        with one_thread():
            made = share_out(edit, [present[h] for h in heads])
    except AskewError as error:
        store.fail(error)
        return False
    return put_heads(store, dict(zip(heads, made, strict=True)), label)


def put_heads(store: Store, heads: Mapping[int, Head], label: str, merge_key: str | None = None) -> bool:
    """Put heads in the place of those of the same number."""
    present = store.experiment.heads
    after = tuple(heads.get(h, head) for h, head in enumerate(present))
    return intents.set_field(store, "heads", after, label, merge_key)


def scale(store: Store, heads: Sequence[int], part: Part, factor: float) -> bool:
    """Multiply a matrix and its bias."""
    label = tr("W_{} times {}").format(part, f"{factor:g}")
    return edit_heads(store, heads, lambda head: weight_edits.scaled(head, part, factor), label)


def negate(store: Store, heads: Sequence[int], part: Part) -> bool:
    """Change the sign of a matrix and its bias."""
    label = tr("negation of W_{}").format(part)
    return edit_heads(store, heads, lambda head: weight_edits.negated(head, part), label)


def transpose(store: Store, heads: Sequence[int], part: Part) -> bool:
    """Transpose a square matrix."""
    label = tr("transposition of W_{}").format(part)
    return edit_heads(store, heads, lambda head: weight_edits.transposed(head, part), label)


def orthogonalize(store: Store, heads: Sequence[int], part: Part) -> bool:
    """Make the columns of a matrix orthonormal, its rms kept."""
    label = tr("orthogonalization of W_{}").format(part)
    return edit_heads(store, heads, lambda head: weight_edits.orthogonalized(head, part), label)


def balance(store: Store, heads: Sequence[int]) -> bool:
    """Make W_q and W_k equally large, no pattern changed."""
    return edit_heads(store, heads, circuit_edits.balanced, tr("balance of W_q and W_k"))


def exchange(store: Store, heads: Sequence[int]) -> bool:
    """Exchange W_q with W_k, b_q with b_k."""
    after = store.experiment
    for h in heads:
        after = edits.exchanged(after, h)
    return intents.set_field(store, "heads", after.heads, tr("exchange of W_q and W_k"))
