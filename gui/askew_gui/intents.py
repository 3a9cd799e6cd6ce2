"""What a person can do to the experiment, one function each; panels, menus and keys all call these.

Each returns True if the experiment was changed as asked. What cannot be done becomes a message, not an
exception.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from askew import biases, edits, sources
from askew.drawing import kept_message
from askew.errors import AskewError
from askew.heads import PARTS
from askew_gui.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike

    from askew.experiment import Experiment
    from askew.heads import Part
    from askew.tokens import TokenEdit
    from askew.vectors.options import Options
    from askew.vectors.table import WordVectors
    from askew_gui.jobs import Job
    from askew_gui.store import Store


def new_seed() -> int:
    """Return a fresh seed below 2³¹, not tied to any seed in use."""
    return random.SystemRandom().randrange(2**31)


def set_field(store: Store, name: str, value: object, label: str, merge_key: str | None = None) -> bool:
    """Set one simple field of the experiment: quantity, compare, temperature, mask, unknown, ..."""
    return _apply(store, partial(_with_field, name=name, value=value), label, merge_key)


def set_text(store: Store, text: str, merge_key: str | None = None) -> bool:
    """Set the sentence; edits of tokens move along with their text."""
    return _apply(store, partial(edits.with_text, text=text), tr("typing"), merge_key)


def edit_token(store: Store, edit: TokenEdit, label: str) -> bool:
    """Leave out, replace, split or join tokens."""
    return _apply(store, partial(edits.with_token_edit, edit=edit), label)


def drop_token_edits(store: Store, start: int, end: int) -> bool:
    """Take back what was done to the tokens from `start` to `end`, offsets in the sentence."""
    change = partial(edits.without_token_edits, start=start, end=end)
    return _apply(store, change, tr("restoring a token"))


def randomize(
    store: Store,
    heads: Sequence[int] | None = None,
    parts: Sequence[Part] = PARTS,
    seed: int | None = None,
) -> bool:
    """Draw heads anew, all or those named, but for what is locked; from a new seed unless one is given."""
    if _none_to_draw(store, heads, parts):
        return False
    seed = new_seed() if seed is None else seed
    change = partial(edits.randomized, seed=seed, heads=heads, parts=tuple(parts))
    note = kept_message(store.experiment.heads, heads, parts)
    return _apply(store, change, _randomize_label(heads, parts, seed), note=note)


def exchange(store: Store, head: int) -> bool:
    """Exchange W_q and W_k of a head."""
    return _apply(store, partial(edits.exchanged, h=head), tr("exchange of W_q and W_k"))


def reset(store: Store, head: int) -> bool:
    """Draw a head again from the recipe it had, or from its default."""
    return _apply(store, partial(edits.reset, h=head), tr("reset of head {}").format(head))


def toggle_lock(store: Store, head: int, parts: Sequence[Part] = PARTS) -> bool:
    """Lock matrices of a head (else all of it) against what draws heads anew, or unlock them."""
    locked = not store.experiment.heads[head].locked.issuperset(parts)
    label = tr("lock of {}") if locked else tr("unlocking of {}")
    what = tr("head {}").format(head)
    if set(parts) != set(PARTS):
        what = tr("{} of {}").format(", ".join(f"W_{part}" for part in parts), what)
    change = partial(edits.with_locked, h=head, locked=locked, parts=tuple(parts))
    return _apply(store, change, label.format(what))


def copy_head(store: Store, head: int) -> None:
    """Keep a head for `paste_head`."""
    store.copied_head = store.experiment.heads[head]


def paste_head(store: Store, head: int) -> bool:
    """Put the copied head in the place of this one."""
    if store.copied_head is None:
        store.say("info", tr("No head was copied yet"), tr("Choose Copy in the menu of a head"))
        return False
    pasted = replace(store.copied_head, locked=store.experiment.heads[head].locked)
    change = partial(edits.with_head, h=head, head=pasted)
    return _apply(store, change, tr("paste into head {}").format(head))


def copy_from(store: Store, source: int, head: int) -> bool:
    """Copy one head into another."""
    change = partial(sources.copied, source=source, h=head)
    return _apply(store, change, tr("copy of head {} into head {}").format(source, head))


def set_weight(store: Store, head: int, part: Part, row: int, column: int, value: float) -> bool:
    """Set one number of a matrix; `part` is "q", "k" or "v", row and column count from 0."""
    change = partial(edits.with_weight, h=head, part=part, row=row, column=column, value=value)
    return _apply(store, change, tr("edit of W_{}").format(part))


def set_matrix(
    store: Store,
    head: int,
    part: Part,
    matrix: ArrayLike,
    label: str = "",
    merge_key: str | None = None,
) -> bool:
    """Replace a whole matrix; `part` is "q", "k" or "v"."""
    change = partial(edits.with_matrix, h=head, part=part, matrix=matrix)
    return _apply(store, change, label or tr("new W_{}").format(part), merge_key)


def set_bias(
    store: Store,
    head: int,
    part: Part,
    bias: ArrayLike | None,
    label: str = "",
    merge_key: str | None = None,
) -> bool:
    """Replace b_q, b_k or b_v; None takes it away."""
    change = partial(biases.with_bias, h=head, part=part, bias=bias)
    return _apply(store, change, label or tr("new b_{}").format(part), merge_key)


def add_biases(store: Store, head: int) -> bool:
    """Give a head the biases it has not, all zeros."""
    return _apply(store, partial(biases.with_zero_biases, h=head), tr("biases of head {}").format(head))


def set_shape(
    store: Store,
    count: int | None = None,
    d_k: int | None = None,
    d_v: int | None = None,
    merge_key: str | None = None,
) -> bool:
    """Set the number of heads, d_k or d_v; the heads are drawn again from their recipes."""
    label = tr("number of heads") if count is not None else tr("size of the heads")
    return _apply(store, partial(edits.with_shape, count=count, d_k=d_k, d_v=d_v), label, merge_key)


def set_recipe(
    store: Store,
    initializer: str | None = None,
    seed: int | None = None,
    gain: float | None = None,
    rank: int | None = None,
    tau: float | None = None,
    merge_key: str | None = None,
    heads: Sequence[int] | None = None,
) -> bool:
    """Draw `heads` (None: all), but for what is locked, from another initializer, seed, gain, rank or τ."""
    if _none_to_draw(store, heads):
        return False
    change = partial(
        edits.with_recipe, initializer=initializer, seed=seed, gain=gain, rank=rank, tau=tau, heads=heads
    )
    return _apply(store, change, tr("new draw of the heads"), merge_key)


def bring_trained_back(store: Store, heads: Sequence[int] | None = None) -> bool:
    """Put the heads of the trained layer where they were, in `heads` (None: all) that are not locked."""
    if _none_to_draw(store, heads):
        return False
    return _apply(store, partial(sources.with_trained, heads=heads), tr("trained heads"))


def select_head(store: Store, head: int, extend: bool = False) -> bool:
    """Bring a head up; with `extend`, add it to those shown as a mean or take it away."""
    return _apply(store, partial(edits.with_selected, h=head, extend=extend), tr("choice of head"))


def use_vectors(store: Store, vectors: WordVectors) -> bool:
    """Use other word vectors; undo brings the old ones and their heads back."""
    old = store.experiment.vectors
    store.register(vectors)
    label = tr("opening of {}").format(vectors.name)
    note = ""
    if vectors.dim != old.dim:
        note = tr(
            "{} has {} numbers per word instead of {}, so all heads were drawn again; undo brings back both."
        )
        note = note.format(vectors.name, vectors.dim, old.dim)
    return _apply(store, partial(edits.with_vectors, vectors=vectors), label, note=note)


def open_vectors(
    store: Store,
    name_or_path: str,
    opened: Callable[[WordVectors], object] | None = None,
    refused: Callable[[AskewError], object] | None = None,
    options: Options | None = None,
) -> Job:
    """Open a bundled table or a file in the background, then use it; the latest asked for wins.

    `opened` is called if that succeeds, `refused` in place of a message if it fails; `options` say how a
    file is read that can be read in several ways.
    """
    from askew_gui import opening

    return opening.open_vectors(store, name_or_path, opened, refused, options)


def apply_example(store: Store, name: str) -> bool:
    """Show one of `askew.examples`, on the vectors that suit it: its own, or those in use."""
    from askew.examples import vectors_of
    from askew.vectors import open_vectors as open_now

    vectors, wanted = store.vectors, vectors_of(name, store.experiment)
    if wanted is not None and vectors.name != wanted:
        vectors = open_now(wanted)  # bundled: a few milliseconds
        store.register(vectors)
    return _apply(store, partial(_example, name=name, vectors=vectors), tr("example {}").format(name))


def _example(_before: Experiment, *, name: str, vectors: WordVectors) -> Experiment:
    from askew.examples import example

    return example(name, vectors)


def _with_field(experiment: Experiment, *, name: str, value: object) -> Experiment:
    return replace(experiment, **{name: value})  # type: ignore[arg-type]


def _none_to_draw(store: Store, heads: Sequence[int] | None, parts: Sequence[Part] = PARTS) -> bool:
    """Tell whether all that is meant is locked, and say so."""
    present = store.experiment.heads
    meant = range(len(present)) if heads is None else heads
    locked = all(present[h].locked.issuperset(parts) for h in meant)
    if locked:
        store.say("info", _locked_text(heads, parts), tr("Unlock it in the list of heads"))
    return locked


def _locked_text(heads: Sequence[int] | None, parts: Sequence[Part]) -> str:
    """Say that nothing was drawn because all of it is locked."""
    matrices = ", ".join(f"W_{part}" for part in parts) if set(parts) != set(PARTS) else ""
    if heads is None:
        if not matrices:
            return tr("Every head is locked, so none was drawn")
        return tr("{} of every head is locked, so nothing was drawn").format(matrices)
    names = ", ".join(map(str, heads))
    if matrices:
        return tr("{} of head {} is locked, so nothing was drawn").format(matrices, names)
    one = tr("Head {} is locked, so nothing was drawn")
    return (one if len(heads) == 1 else tr("Heads {} are locked, so nothing was drawn")).format(names)


def _randomize_label(heads: Sequence[int] | None, parts: Sequence[Part], seed: int) -> str:
    whole = set(parts) == set(PARTS)
    what = "" if whole else " " + ", ".join(f"W_{part}" for part in parts)
    where = "" if heads is None else tr(" of head {}").format(", ".join(map(str, heads)))
    # A head that was drawn whole shows its seed itself.
    return tr("randomize") + what + where + ("" if whole else tr(" from seed {}").format(seed))


def _apply(
    store: Store,
    change: Callable[[Experiment], Experiment | edits.Change],
    label: str,
    merge_key: str | None = None,
    *,
    note: str = "",
) -> bool:
    before = store.experiment
    try:
        result = change(before)
    except AskewError as error:
        store.fail(error)
        return False
    made = result if isinstance(result, edits.Change) else edits.Change(result)
    store.apply(made.experiment, label, merge_key)
    if note or made.message:
        store.say("info", " ".join(filter(None, (note, made.message))))
    return store.experiment != before
