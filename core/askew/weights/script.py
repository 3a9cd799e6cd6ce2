"""A small program of numpy alone that computes what is shown, with its numbers beside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from askew.errors import AskewError, ExperimentError
from askew.files import replacing, write_bytes
from askew.weights.writing import BIASES, bias_of, stacked_weights

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence
    from typing import Any

    from askew.evaluation import Evaluation

SCORES = {
    "scaled-dot": ("q · k / √d_k", "q @ k.T / np.sqrt(q.shape[1])"),
    "dot": ("q · k", "q @ k.T"),
    "cosine": ("cos(q, k), no value for a vector of zeros", "unit(q) @ unit(k).T"),
    "distance": ("−‖q − k‖² / 2", "-np.square(q[:, None] - k[None]).sum(axis=-1) / 2"),
    "raw": ("x_i · x_j / √d_model: W_q and W_k play no part", "x @ x.T / np.sqrt(x.shape[1])"),
}
"""Each scoring in words and in numpy, of queries and keys (n, d_k) and of x (n, d_model)."""

MASKS = {
    "none": ("every token sees every token", "np.zeros((len(x), len(x)), dtype=bool)"),
    "causal": ("a token sees itself and what stands before it", "places[None, :] > places[:, None]"),
}
"""Each mask in words and in numpy: True where a query (row) may not see a key (column)."""

POSITIONS = ("none", "learned", "rope")
"""Those that x holds already, and rotary ones."""

BESIDE = "_data.npz"

_HEAD = '''\
"""Attention of {heads} over {tokens}, computed again with numpy alone.

Written by Askew, its numbers beside it. Queries are rows, keys are columns, heads count from 0. It stops with
an error where a pattern differs by more than 1e-5 from the one that was shown.
"""

from pathlib import Path

import numpy as np

with np.load(Path(__file__).with_name({data!r})) as file:
    data = dict(file)
x = data["x"]  # (n, d_model): what the heads see, after positions and normalization
places = data["places"]  # (n,): where each token stands, from 0
temperature = {temperature!r}
hidden = {hidden}  # (n, n): {mask}
'''

_UNIT = '''

def unit(rows):
    """Scale rows to length 1."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(norms > 0, norms, np.nan)
'''

_TURNED = '''

def turned(rows):
    """Rotary positions (Su et al. 2021): turn each pair (i, i + d/2) by its angle at each place."""
    half = rows.shape[1] // 2
    angles = places[:, None] * 10000.0 ** (-np.arange(half) / half)
    a, b, cos, sin = rows[:, :half], rows[:, half:], np.cos(angles), np.sin(angles)
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=1)
'''

_SCORE = '''

def {name}(q, k):
    """{words}."""
    return {numpy}
'''

_REST = '''

def softmax(scores):
    """Softmax over the keys of each row; what has no value counts as hidden, a row that sees nothing is 0."""
    scores = np.where(hidden | np.isnan(scores), -np.inf, scores)
    largest = scores.max(axis=1, keepdims=True)
    weights = np.exp((scores - np.where(largest == -np.inf, 0, largest)) / temperature)
    return weights / np.maximum(weights.sum(axis=1, keepdims=True), 1)


scorings = [{scorings}]  # of each head
for i, head in enumerate(data["heads"]):
    q, k, v = (x @ data["w_" + part][i] + data["b_" + part][i] for part in "qkv")
{turning}    pattern = softmax(scorings[i](q, k))  # (n, n)
    outputs = pattern @ v  # (n, d_v)
    np.testing.assert_allclose(pattern, data["pattern"][i], rtol=0, atol=1e-5)
    np.testing.assert_allclose(outputs, data["outputs"][i], rtol=1e-4, atol=1e-4 * np.abs(v).max())
    print(f"head {head}: the pattern is as shown, to {np.abs(pattern - data['pattern'][i]).max():.1e}")
'''


def write_script(
    evaluation: Evaluation, path: str | os.PathLike[str], heads: Sequence[int] | None = None
) -> Path:
    """Write a program that computes patterns and outputs of heads, and asserts that they are those shown.

    Tokens without a vector are left out of it.

    Parameters
    ----------
    path
        Of the program; its numbers go beside it as an .npz.
    heads
        Which; None means all.

    Returns
    -------
    Path
        Of the numbers.

    Raises
    ------
    ExperimentError
        If there is no token, or the program has no words for the scoring, mask or positions.
    AskewError
        If a file stands where the numbers would go and does not belong to a program of this name.
    WriteError
        If the place cannot be written; then there is no program without its numbers.
    """
    chosen = range(len(evaluation.heads)) if heads is None else heads
    program = Path(path)
    beside = program.with_name(program.stem + BESIDE)
    if beside.exists() and not program.exists():
        raise AskewError(
            f"there is a {beside.name} already, where the numbers would go", remedy="Choose another name"
        )
    text = script_of(evaluation, chosen, beside.name)
    numbers = numbers_of(evaluation, chosen)
    with replacing(beside) as file:
        np.savez_compressed(file, **numbers)
    write_bytes(program, text.encode())
    return beside


def script_of(evaluation: Evaluation, heads: Sequence[int], data: str) -> str:
    """Return the program; `data` is the name of the file with its numbers."""
    experiment, count = evaluation.experiment, len(evaluation.known)
    if not count:
        raise ExperimentError("there is no token with a vector", remedy="Type a sentence of known words")
    if experiment.positions not in POSITIONS:
        raise _unknown("positions", experiment.positions)
    names = [evaluation.heads[h].head.scoring for h in heads]
    words, hidden = _known(MASKS, "mask", experiment.mask)
    turns = experiment.positions == "rope"
    parts = [
        _HEAD.format(
            heads=f"head {heads[0]}" if len(heads) == 1 else f"{len(heads)} heads",
            tokens="1 token" if count == 1 else f"{count} tokens",
            data=data,
            temperature=float(experiment.temperature),
            hidden=hidden,
            mask=words,
        ),
        _UNIT if "cosine" in names else "",
        _TURNED if turns else "",
    ]
    for name in dict.fromkeys(names):
        words, code = _known(SCORES, "scoring", name)
        parts.append(_SCORE.format(name=_function(name), words=words, numpy=code))
    rest = _REST.replace("{turning}", "    q, k = turned(q), turned(k)\n" if turns else "")
    return "".join((*parts, rest.replace("{scorings}", ", ".join(map(_function, names)))))


def numbers_of(evaluation: Evaluation, heads: Sequence[int]) -> dict[str, Any]:
    """Return what the program reads, by name; biases that a head does not have are zeros."""
    rows = evaluation.setting.rows
    chosen = [evaluation.heads[h] for h in heads]
    weights = [each.head for each in chosen]
    known = np.ix_(rows.known, rows.known)
    return {
        "tokens": np.array([rows.tokens[row].text for row in rows.known], dtype=np.str_),
        "places": np.asarray(rows.known, dtype=np.int64),
        "x": rows.distinct.each(rows.distinct.rows),
        "heads": np.array(heads, dtype=np.int64),
        **stacked_weights(weights),
        **{name: np.stack([bias_of(head, name) for head in weights]) for name in BIASES},
        "pattern": np.stack([each.pattern[known] for each in chosen]),
        "outputs": np.stack([each.outputs[rows.known] for each in chosen]),
    }


def _known(table: Mapping[str, tuple[str, str]], what: str, name: str) -> tuple[str, str]:
    if name not in table:
        raise _unknown(what, name)
    return table[name]


def _unknown(what: str, name: str) -> ExperimentError:
    return ExperimentError(
        f"a program for {what} {name!r} cannot be written", remedy="Export the weights alone"
    )


def _function(name: str) -> str:
    return name.replace("-", "_")
