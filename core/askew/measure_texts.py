"""The measures as they are shown: name, formula, meaning."""

from __future__ import annotations

from typing import NamedTuple


class MeasureText(NamedTuple):
    """How a measure is shown: its field in `Measures`, name, formula as plain text and meaning."""

    key: str
    title: str
    formula: str
    explanation: str


MEASURES = (
    MeasureText("self_weight", "Self weight", "mean_i A_ii", "What a token gives to itself"),
    MeasureText(
        "self_first",
        "Self first",
        "share of rows with A_ii ≥ max_j A_ij − 1e-9",
        "How often a token looks at itself most; repeated words tie and count",
    ),
    MeasureText(
        "sharpness",
        "Sharpness",
        "1 − mean_i H_i / ln m_i",
        "0: every row is even over the m keys it sees; 1: every row looks at one key",
    ),
    MeasureText(
        "asymmetry",
        "Asymmetry of scores",
        "‖S₋‖² / ‖S‖², S₋ = (S − Sᵀ) / 2",
        "0: i scores j as j scores i; 1: purely skew. Softmax alone makes a pattern asymmetric",
    ),
    MeasureText(
        "pairing_asymmetry",
        "Pairing asymmetry",
        "‖I₋‖² / ‖I‖², S_ij = μ + r_i + c_j + I_ij",
        "0: some symmetric score gives the same pattern; popular keys and biases do not count",
    ),
    MeasureText(
        "distance", "Distance", "mean_i Σ_j A_ij · |i − j|", "How many tokens away a row looks on average"
    ),
    MeasureText("previous", "Previous token", "mean_i A_i,i−1", "Weight on the token before"),
    MeasureText("next", "Next token", "mean_i A_i,i+1", "Weight on the token after"),
    MeasureText("first", "First token", "mean_i A_i,0", "Weight on the first token"),
    MeasureText("sink", "Sink", "max_j mean_i A_ij", "The key that gets most, from all rows together"),
    MeasureText(
        "divergence",
        "Divergence from raw",
        "mean_i JS(A_i, R_i), base 2",
        "0: the raw pattern; 1: nothing in common. A difference of sharpness alone counts too",
    ),
    MeasureText(
        "divergence_matched",
        "Divergence, matched",
        "mean_i JS(A_i, softmax(β_i r_i)), β_i so that the entropies agree",
        "The same against a raw pattern that is as sharp, row by row",
    ),
    MeasureText(
        "rank_agreement",
        "Rank agreement",
        "Spearman ρ of S_ij with cos(x_i, x_j), i ≠ j",
        "1: similar words score high; 0: similarity does not matter. One head says little",
    ),
    MeasureText(
        "top3_overlap",
        "Top-3 overlap",
        "mean_i |top3 A_i ∩ top3 cos_i| / 3, without i",
        "Share of the most attended other tokens that are the most similar ones",
    ),
    MeasureText(
        "energy",
        "Row · column · pairing",
        "m·Σr² : n·Σc² : ‖I‖², S_ij = μ + r_i + c_j + I_ij",
        "Row constants cancel in softmax, columns are the popularity of a key, the rest is real pairing",
    ),
)
"""What the screen shows, in this order; the keys are the fields of `Measures`."""
