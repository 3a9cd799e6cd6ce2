"""The caption of a picture, written from the state it shows: plain, for LaTeX, for Markdown."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from askew.heads import Recipe

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from askew.evaluation import Evaluation
    from askew.experiment import Experiment
    from askew.heads import Head

CaptionForm = Literal["plain", "latex", "markdown"]

LONGEST = 200  # letters of a sentence that are quoted

_QUANTITIES = {"pattern": "Attention pattern", "scores": "Attention scores", "cosine": "Cosine"}
_COMPARISONS = {
    "as-is": "head − raw, as is",
    "same-scale": "head − raw, raw scores brought to the scale of the head's",
    "matched": "head − raw, each raw row as sharp as the head's",
}
_STRETCHES = {
    "map": "Colours stretched to the largest value of each map",
    "row": "Colours stretched in each row",
}

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "#$%&_"},
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "“": "``",
    "”": "''",
    "−": "$-$",
    "×": r"$\times$",
    "τ": r"$\tau$",
    "…": r"\ldots{}",
}
_MARKDOWN = re.compile(r"([\\`*_\[\]<>#|~&$])")
_NAME = re.compile(r"\b([Wd])_([qkv]|model)\b")


def caption(evaluation: Evaluation, view: str = "maps", *, all_heads: bool = False) -> str:
    """Return what a picture of an evaluation shows, in sentences; what is at its default is not named.

    Parameters
    ----------
    view
        Name of a view, as in `askew render --view`.
    all_heads
        Every head instead of the selected ones.
    """
    return " ".join(f"{sentence}." for sentence in _sentences(evaluation, view, all_heads))


def caption_as(text: str, form: CaptionForm) -> str:
    """Return a caption in a form: what has a meaning in LaTeX or Markdown is escaped, W_q is mathematics."""
    if form == "plain":
        return text
    parts, place = [], 0
    for found in _NAME.finditer(text):
        name = found[2] if len(found[2]) == 1 else rf"\mathrm{{{found[2]}}}"
        parts += [escaped(text[place : found.start()], form), f"${found[1]}_{name}$"]
        place = found.end()
    return "".join([*parts, escaped(text[place:], form)])


def escaped(text: str, form: CaptionForm) -> str:
    """Return text of which nothing has a meaning in a form."""
    if form == "latex":
        return "".join([_LATEX.get(letter, letter) for letter in text])
    return _MARKDOWN.sub(r"\\\1", text) if form == "markdown" else text


def state(evaluation: Evaluation) -> str:
    """Return what all numbers of an evaluation are of, in sentences, like a caption."""
    experiment = replace(evaluation.experiment, stretch="fixed", quantity="pattern")
    sentences = [
        f"Raw similarity and {_named(range(len(experiment.heads)))} for “{_quoted(evaluation)}”",
        "Rows are queries, columns are keys",
        f"Vectors: {experiment.vectors.name} ({experiment.vectors.dim} numbers a word)",
        *_origins(experiment.heads),
        *_settings(experiment, "difference", all_heads=True),
    ]
    return " ".join([f"{sentence}." for sentence in sentences])


def _sentences(evaluation: Evaluation, view: str, all_heads: bool) -> Iterator[str]:
    experiment = evaluation.experiment
    quantity = _QUANTITIES[view if view in ("pattern", "scores") else experiment.quantity]
    shown = range(len(experiment.heads)) if all_heads or view == "grid" else experiment.selected
    if view == "weights":
        heads = [experiment.heads[shown[0]]] if not all_heads else experiment.heads
        yield f"Weights W_q, W_k and W_v of {_named(shown if all_heads else shown[:1])}"
        yield from _origins(heads)
        yield f"Vectors: {experiment.vectors.name}"
        return
    yield f"{_subject(quantity, view, shown, all_heads)} for “{_quoted(evaluation)}”"
    yield "Rows are queries, columns are keys"
    yield f"Vectors: {experiment.vectors.name} ({experiment.vectors.dim} numbers a word)"
    if view != "raw":
        yield from _origins([experiment.heads[head] for head in shown])
    yield from _settings(experiment, view, all_heads)


def _subject(quantity: str, view: str, shown: Sequence[int], all_heads: bool) -> str:
    heads = _named(shown)
    if view == "raw":
        return f"{quantity} of raw similarity, without W_q and W_k,"
    if view == "difference":
        return f"{quantity}: difference of {heads} and raw similarity"
    if view == "maps" and not all_heads:
        return f"{quantity} of raw similarity (left), of {heads} (middle) and their difference (right)"
    if view in ("grid", "maps") or all_heads:
        return f"{quantity} of raw similarity and of {heads}"
    return f"{quantity} of {heads}"


def _named(heads: Sequence[int]) -> str:
    if isinstance(heads, range):
        return "the only head" if len(heads) == 1 else f"all {len(heads)} heads"
    if len(heads) == 1:
        return f"head {heads[0]}"
    return f"the mean of heads {', '.join(str(head) for head in sorted(heads))}"


def _quoted(evaluation: Evaluation) -> str:
    text = " ".join(evaluation.experiment.text.split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _origins(heads: Sequence[Head]) -> Iterator[str]:
    """Say where the weights come from: the recipes of all, each once."""
    first = heads[0]
    kinds = dict.fromkeys(_origin(head) for head in heads)
    yield f"W_q and W_k: {'; '.join(kinds)}, d_k = {first.d_k}, d_v = {first.d_v}"
    scorings = dict.fromkeys(head.scoring for head in heads)
    if tuple(scorings) != ("scaled-dot",):
        yield f"Scoring: {', '.join(scorings)}"


def _origin(head: Head) -> str:
    recipe = head.recipe
    if not isinstance(recipe, Recipe):
        return str(recipe)
    parts = [recipe.initializer, f"seed {recipe.seed}"]
    if recipe.gain != 1:
        parts.append(f"gain {recipe.gain:g}")
    if recipe.rank is not None:
        parts.append(f"rank {recipe.rank}")
    if recipe.tau != 1:
        parts.append(f"τ {recipe.tau:g}")
    return ", ".join(parts)


def _settings(experiment: Experiment, view: str, all_heads: bool) -> Iterator[str]:
    """Say what is not at its default."""
    plain = {
        "Positions": experiment.positions,
        "Normalization": experiment.normalize,
        "Encoder": experiment.encoder,
        "Mask": experiment.mask,
    }
    yield from (f"{name}: {value}" for name, value in plain.items() if value != "none")
    if experiment.temperature != 1:
        yield f"Temperature {experiment.temperature:g}"
    if view == "difference" or (view == "maps" and not all_heads):
        yield f"Difference: {_COMPARISONS.get(experiment.compare, experiment.compare)}"
    if experiment.quantity == "pattern" and experiment.stretch in _STRETCHES:
        yield _STRETCHES[experiment.stretch]
    if experiment.unknown == "keep":
        yield "Words without a vector are kept as empty rows"
