"""The arithmetic of one cell in order, as numbers and sentences; no widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from askew.compare import compare
from askew_gui.i18n import tr
from askew_gui.maps.labels import drawable
from askew_gui.maps.numbers import MINUS, number_text

if TYPE_CHECKING:
    from askew.arrays import Float32, Float64
    from askew.compare import Comparison
    from askew.evaluation import Evaluation
    from askew.head_result import HeadResult


@dataclass(frozen=True, slots=True, eq=False)
class Strip:
    """A row of numbers with the formula that made it."""

    title: str
    values: Float32 | Float64


@dataclass(frozen=True, slots=True, eq=False)
class Arithmetic:
    """How one head comes to one weight: rows of numbers, then lines of text, then what is passed on."""

    strips: tuple[Strip, ...]
    lines: tuple[str, ...]
    passed_on: str


class ShownPatterns:
    """The patterns of the heads shown and of raw, made comparable as in the maps; computed once each time."""

    def __init__(self) -> None:
        self._known: tuple[Evaluation, Comparison] | None = None

    def of(self, evaluation: Evaluation) -> Comparison:
        """Return both sides as patterns, whatever quantity the maps show."""
        if self._known is None or self._known[0] is not evaluation:
            shown = compare(evaluation, evaluation.experiment.selected, quantity="pattern")
            self._known = evaluation, shown
        return self._known[1]


def token_text(evaluation: Evaluation, row: int) -> str:
    """Return a token as it was typed, but for letters that no font has."""
    return drawable(evaluation.tokens[row].text)


def has_value(evaluation: Evaluation, row: int) -> bool:
    """Tell whether a row has a vector."""
    return evaluation.tokens[row].key is not None


def why_nothing(evaluation: Evaluation, i: int) -> str:
    """Say why a row has no weights."""
    if has_value(evaluation, i):
        return tr("row {} sees no token").format(i + 1)
    return tr("The word has no vector, so its row has no value.")


def rank_text(values: Float32, key: int) -> str:
    """Say which place a key has among the keys of a row; equal values share the better place."""
    value = values[key]
    if np.isnan(value):
        return ""
    place = 1 + int(np.sum(values > value))
    count = int(np.sum(~np.isnan(values)))
    return (
        tr("top of its row")
        if place == 1
        else tr("{place} of {count} in row").format(place=place, count=count)
    )


def arithmetic(evaluation: Evaluation, number: int, i: int, j: int) -> Arithmetic:
    """Explain the weight that head `number` gives from query row `i` to key row `j`.

    The numbers are those of the evaluation's own arrays: the score, the pattern and the outputs are never
    computed a second time.
    """
    result = evaluation.heads[number]
    scoring = result.head.scoring
    makers = {"scaled-dot": _dot, "dot": _dot, "cosine": _cosine, "distance": _distance, "raw": _raw}
    strips, lines = makers.get(scoring, _unknown_scoring)(evaluation, result, i, j)
    return Arithmetic(
        (*_words(evaluation, i, j), *strips),
        (*lines, *_to_weight(evaluation, result, i, j)),
        _passed_on(evaluation, result, i, j),
    )


def _words(evaluation: Evaluation, i: int, j: int) -> tuple[Strip, Strip]:
    """Return what the heads see of the two tokens."""
    x_i, x_j = (evaluation.x[int(np.searchsorted(evaluation.known, row))] for row in (i, j))
    return (
        Strip(f"x({token_text(evaluation, i)})", x_i),
        Strip(f"x({token_text(evaluation, j)})", x_j),
    )


def _formula(evaluation: Evaluation, letter: str, row: int, head_bias: object) -> str:
    bias = "" if head_bias is None else f" + b_{letter}"
    formula = f"{letter} = x({token_text(evaluation, row)})·W_{letter}{bias}"
    if evaluation.setting.rows.rotation is None:
        return formula
    return tr("{}, rotated").format(formula)


def _projected(evaluation: Evaluation, result: HeadResult, i: int, j: int) -> tuple[Strip, Strip]:
    head = result.head
    return (
        Strip(_formula(evaluation, "q", i, head.b_q), result.q[i]),
        Strip(_formula(evaluation, "k", j, head.b_k), result.k[j]),
    )


Steps = tuple[tuple[Strip, ...], tuple[str, ...]]


def _dot(evaluation: Evaluation, result: HeadResult, i: int, j: int) -> Steps:
    q, k = _projected(evaluation, result, i, j)
    products = _wide(q.values) * _wide(k.values)
    lines = [f"Σ q∘k = {_signed(products.sum())}"]
    if evaluation.setting.rows.rotation is not None:
        turned = tr("q, k: x·W, then rotated\n  for positions {query}, {key}")
        lines.insert(0, turned.format(query=i + 1, key=j + 1))
    biases = _from_biases(result, i, j)
    if biases is not None:
        lines.append(tr("  of it from biases {}").format(_signed(biases)))
    if result.head.scoring == "scaled-dot":
        lines.append(f"÷ √{result.head.d_k} = {_signed(result.scores[i, j])}")
    return (q, k, Strip("q ∘ k", products)), tuple(lines)


def _cosine(evaluation: Evaluation, result: HeadResult, i: int, j: int) -> Steps:
    q, k = _projected(evaluation, result, i, j)
    products = _wide(q.values) * _wide(k.values)
    lengths = float(np.linalg.norm(_wide(q.values))), float(np.linalg.norm(_wide(k.values)))
    lines = [f"Σ q∘k = {_signed(products.sum())}"]
    if 0.0 in lengths:
        lines.append(tr("cosine undefined (zero vector)"))
    else:
        lines.append(f"÷ ‖q‖·‖k‖ = {number_text(lengths[0])}·{number_text(lengths[1])}")
        lines.append(f"cos(q, k) = {_signed(result.scores[i, j])}")
    return (q, k, Strip("q ∘ k", products)), tuple(lines)


def _distance(evaluation: Evaluation, result: HeadResult, i: int, j: int) -> Steps:
    q, k = _projected(evaluation, result, i, j)
    squares = (_wide(q.values) - _wide(k.values)) ** 2
    lines = (f"Σ (q − k)² = {number_text(squares.sum())}", f"−Σ / 2 = {_signed(result.scores[i, j])}")
    return (q, k, Strip("(q − k)²", squares)), lines


def _raw(evaluation: Evaluation, result: HeadResult, i: int, j: int) -> Steps:
    x_i, x_j = _words(evaluation, i, j)
    products = _wide(x_i.values) * _wide(x_j.values)
    size = result.head.d_model
    return (Strip("x ∘ x", products),), (
        f"Σ x∘x = {_signed(products.sum())}",
        f"÷ √{size} = {_signed(result.scores[i, j])}",
    )


def _unknown_scoring(evaluation: Evaluation, result: HeadResult, i: int, j: int) -> Steps:
    strips = _projected(evaluation, result, i, j)
    name = result.head.scoring
    return strips, (tr("score ({name}) = {value}").format(name=name, value=_signed(result.scores[i, j])),)


def _from_biases(result: HeadResult, i: int, j: int) -> float | None:
    """Return what q·k has more with its biases than without."""
    head = result.head
    if head.b_q is None and head.b_k is None:
        return None
    q, k = _wide(result.q[i]), _wide(result.k[j])
    bare_q = q if head.b_q is None else q - _bias_of(result, head.b_q, i)
    bare_k = k if head.b_k is None else k - _bias_of(result, head.b_k, j)
    return float(q @ k - bare_q @ bare_k)


def _bias_of(result: HeadResult, bias: Float32, row: int) -> Float64:
    """Return what a bias adds to the query or key of a row: rotated with it where positions are rotary."""
    rows = result.maps.setting.rows
    if rows.rotation is None:
        return _wide(bias)
    place = int(np.searchsorted(rows.known, row))
    turned: Float64 = rows.rotation.turned(_wide(bias)[np.newaxis], [place])[0]
    return turned


def _to_weight(evaluation: Evaluation, result: HeadResult, i: int, j: int) -> tuple[str, ...]:
    lines = []
    if evaluation.mask is not None:
        name = evaluation.experiment.mask
        hidden = bool(evaluation.mask[i, j])
        lines.append(tr("mask {}: hidden").format(name) if hidden else tr("mask {}: seen").format(name))
    temperature = evaluation.experiment.temperature
    if temperature != 1:
        value = _signed(result.scores[i, j] / temperature)
        lines.append(tr("÷ temperature {t} = {value}").format(t=f"{temperature:g}", value=value))
    if not result.pattern[i].any():
        lines.append(tr("row {} sees no token").format(i + 1))
    lines.append(tr("softmax over the row = {}").format(number_text(result.pattern[i, j])))
    return tuple(lines)


def _passed_on(evaluation: Evaluation, result: HeadResult, i: int, j: int) -> str:
    weight, token = number_text(result.pattern[i, j]), token_text(evaluation, j)
    share = output_share(result, i, j)
    text = tr("passes on {weight} · v({token})").format(weight=weight, token=token)
    if share is None:
        return text
    return (
        text
        + "\n"
        + tr("{share} % of the output of “{query}”").format(
            share=f"{100 * share:.0f}".replace("-", MINUS), query=token_text(evaluation, i)
        )
    )


def output_share(result: HeadResult, i: int, j: int) -> float | None:
    """Return A_ij·v_j·o_i / ‖o_i‖²: the part of output o_i that v_j brings; all keys sum to 1."""
    output = _wide(result.outputs[i])
    square = float(output @ output)
    if not square or not np.isfinite(square):
        return None
    return float(result.pattern[i, j]) * float(_wide(result.v[j]) @ output) / square


@dataclass(frozen=True, slots=True)
class RowStep:
    """One key of a row on the way from score to weight."""

    key: str
    score: float
    logit: float
    exponential: float
    weight: float


def row_steps(evaluation: Evaluation, number: int, i: int) -> list[RowStep]:
    """Return how the weights of row `i` come about, a step for each key.

    `logit` is the score after mask and temperature (−∞: hidden, NaN: no value), `exponential` is
    exp(logit − largest).
    """
    result = evaluation.heads[number]
    scores = _wide(result.scores[i])
    logits = scores / evaluation.experiment.temperature
    if evaluation.mask is not None:
        logits = np.where(evaluation.mask[i] & ~np.isnan(scores), -np.inf, logits)
    largest = np.fmax.reduce(logits, initial=-np.inf)
    exponentials = np.nan_to_num(np.exp(logits - largest)) if np.isfinite(largest) else np.zeros_like(logits)
    return [
        RowStep(drawable(token.text), *(float(v) for v in values))
        for token, *values in zip(
            evaluation.tokens, scores, logits, exponentials, result.pattern[i], strict=True
        )
    ]


def _signed(value: float) -> str:
    return number_text(value, signed=True)


def _wide(values: Float32 | Float64) -> Float64:
    return values.astype(np.float64)
