"""The formula under the title of a map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askew_gui.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from askew.experiment import Experiment

_RAW_SCORES = {"scaled": "X·Xᵀ/√{d_model}", "dot": "X·Xᵀ", "cosine": "cos(x, x)"}
_HEAD_SCORES = {
    "scaled-dot": "Q·Kᵀ/√{d_k}",
    "dot": "Q·Kᵀ",
    "cosine": "cos(q, k)",
    "distance": "−‖q − k‖²/2",
    "raw": "X·Xᵀ/√{d_model}",
}


def raw_formula(experiment: Experiment) -> str:
    """Return what the raw map shows, made comparable with the head as the experiment says.

    Its pattern comes from the scaled dot product, or, matched in sharpness, from β times the plain one.
    """
    quantity, mode = experiment.quantity, experiment.compare
    if quantity == "cosine":
        return "cos(x, x)"
    if quantity == "pattern" and mode == "matched":
        return _softmax("β·X·Xᵀ", experiment, with_temperature=False)
    kind = "scaled" if quantity == "pattern" else experiment.raw
    scores = _RAW_SCORES[kind].format(d_model=experiment.d_model)
    if mode == "same-scale":
        scores = f"γ·{scores}"
    return _softmax(scores, experiment) if quantity == "pattern" else scores


def head_formula(experiment: Experiment, selected: Sequence[int]) -> str:
    """Return what the map of the selected heads shows; heads that score differently say so."""
    if experiment.quantity == "cosine":
        return "cos(q, k)"
    chosen = [experiment.heads[index] for index in selected]
    scorings = {head.scoring for head in chosen}
    if len(scorings) != 1:
        scores = tr("their scores")
    else:
        pattern = _HEAD_SCORES.get(chosen[0].scoring, chosen[0].scoring)
        scores = pattern.format(d_k=chosen[0].d_k, d_model=experiment.d_model)
    formula = _softmax(scores, experiment) if experiment.quantity == "pattern" else scores
    return f"{formula}, rope" if experiment.positions == "rope" else formula


def _softmax(scores: str, experiment: Experiment, with_temperature: bool = True) -> str:
    """Return the softmax of a formula, with temperature and mask where there are any."""
    if with_temperature and experiment.temperature != 1:
        scores = f"{scores} ÷ {experiment.temperature:g}"
    return f"softmax({scores})" + (f", {experiment.mask}" if experiment.mask != "none" else "")
