"""A model in a folder, opened as an example of its own: its words, its embedding layer, heads of a layer."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askew.embedding import EmbeddingLayer
from askew.errors import WeightsError
from askew.examples import SENTENCE
from askew.experiment import Experiment
from askew.weights.loading import load
from askew.weights.looking import look
from askew.weights.model import Choice, Needs
from askew.weights.model_words import files_of, open_words
from askew.weights.planning import plan

if TYPE_CHECKING:
    import os

    from askew.vectors.table import WordVectors
    from askew.weights.model import Plan, WeightsFile
    from askew.weights.model_words import ModelFiles

PARTS = {
    "positions": "embeddings.position_embeddings.weight",
    "token_type": "embeddings.token_type_embeddings.weight",
    "norm_weight": "embeddings.LayerNorm.weight",
    "norm_bias": "embeddings.LayerNorm.bias",
}
OLD_NAMES = {"norm_weight": "embeddings.LayerNorm.gamma", "norm_bias": "embeddings.LayerNorm.beta"}
AROUND = ("[CLS]", "[SEP]")
EPSILON = 1e-12
"""Added to the variance where config.json does not say: the default of BERT."""


@dataclass(frozen=True, slots=True, eq=False)
class ModelFolder:
    """A model that was opened.

    Parameters
    ----------
    vectors
        Its whole words.
    experiment
        Heads of one layer on those words. Of a BERT kind layer 0 is given what the model gives it; of others
        the embedding layer is marked as not complete.
    notes
        What was found and what was left out, in words.
    needs, missing
        What the heads need besides to give the model's patterns, and what Askew does not bring.
    """

    vectors: WordVectors
    experiment: Experiment
    notes: tuple[str, ...] = ()
    needs: Needs = field(default_factory=Needs)
    missing: tuple[str, ...] = ()


def open_model_folder(
    folder: str | os.PathLike[str], choice: Choice | None = None, text: str = SENTENCE
) -> ModelFolder:
    """Open a folder with model.safetensors, its words and, if there is one, config.json.

    A BERT kind opens faithfully: words + positions + token type 0, layer normalization with its own scale,
    shift and ε, [CLS] and [SEP], and the heads of layer 0. Of other kinds the table of words and the heads
    alone are taken. The table is read row by row, when words are asked for.

    Parameters
    ----------
    choice
        The layer, the first unless chosen; the number of heads and so on, where the folder does not say.

    Raises
    ------
    WeightsError
        If there are no heads in it that Askew knows, or something must be chosen.
    VectorsError
        If its words cannot be read.
    """
    choice = choice or Choice()
    path = Path(folder)
    files = files_of(path)
    faithful = opens_faithfully(files)
    seen = look(path)
    vectors = open_words(files)
    what = _planned(seen, choice, vectors)
    imported = load(seen, what)
    if imported.heads is None:
        raise WeightsError(f"it lacks {', '.join(what.lacking)}", where=files.name)
    faithful = faithful and _as_made(seen, what, choice)
    layer = _faithful_layer(files, vectors) if faithful else None
    notes = (*(problem.message for problem in vectors.report), *what.notes)
    if layer is not None:
        experiment = Experiment(
            text, vectors.ref, imported.heads, positions="learned", normalize="layer", embedding=layer
        )
        return ModelFolder(vectors, experiment, notes)
    layer = EmbeddingLayer(files.name, complete=False)
    experiment = Experiment(text, vectors.ref, imported.heads, embedding=layer)
    return ModelFolder(vectors, experiment, notes, imported.needs, imported.missing)


def _planned(seen: WeightsFile, choice: Choice, vectors: WordVectors) -> Plan:
    """Say what will happen with the heads; of several layers the first, which is given the words."""
    what = plan(seen, choice, d_model=vectors.dim, vectors=vectors.name)
    layers = next((question.options for question in what.questions if question.field == "layer"), ())
    if not layers:
        return what
    what = plan(seen, replace(choice, layer=int(layers[0])), d_model=vectors.dim, vectors=vectors.name)
    return replace(what, notes=(f"layer {layers[0]} of {len(layers)}", *what.notes))


def _as_made(seen: WeightsFile, what: Plan, choice: Choice) -> bool:
    """Tell whether the heads are those of the first layer, split and laid out as the model has them."""
    as_said = seen.hints.heads in (None, what.heads) and choice.orientation in (None, "out-in")
    return as_said and what.layer in (0, None)


def opens_faithfully(files: ModelFiles) -> bool:
    """Tell whether a folder is of a BERT kind: whether all that its first layer is given is known here."""
    config = files.config
    plain = config.get("position_embedding_type") in (None, "absolute") and not config.get("is_decoder")
    return _is_bert(config) and plain and len(_parts(files)) == len(PARTS)


def _is_bert(config: dict[str, Any]) -> bool:
    """Tell whether a configuration is of BERT itself, or does not say of what it is."""
    kind, made = config.get("model_type"), config.get("architectures")
    if kind is None and isinstance(made, list) and made:
        return str(made[0]).startswith("Bert")
    return kind in (None, "bert")


def _faithful_layer(files: ModelFiles, vectors: WordVectors) -> EmbeddingLayer | None:
    """Return the embedding layer of a BERT kind; None where its special tokens are no words."""
    if any(word not in vectors for word in AROUND):
        return None
    arrays = {part: files.read(name) for part, name in _parts(files).items()}
    token_type = arrays["token_type"]
    return EmbeddingLayer(
        files.name,
        positions=arrays["positions"],
        token_type=token_type[0] if token_type.ndim == 2 else token_type,
        norm_weight=arrays["norm_weight"],
        norm_bias=arrays["norm_bias"],
        epsilon=_epsilon(files),
        first=AROUND[0],
        last=AROUND[1],
    )


def _parts(files: ModelFiles) -> dict[str, str]:
    """Return which tensor is which part of the embedding layer."""
    found = {part: files.find(name) or files.find(OLD_NAMES.get(part, name)) for part, name in PARTS.items()}
    return {part: name for part, name in found.items() if name is not None}


def _epsilon(files: ModelFiles) -> float:
    """Return what is added to the variance."""
    value = files.config.get("layer_norm_eps", EPSILON)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise WeightsError(
            f"layer_norm_eps is {str(value)[:40]!r}, not a number from 0 on",
            where="config.json",
            remedy="The default of BERT is 1e-12",
        )
    return float(value)
