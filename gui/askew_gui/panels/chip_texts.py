"""What is said about tokens: the tooltip of a chip, and the count beside the chips."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from askew.word_forms import shown
from askew_gui.i18n import tr
from askew_gui.maps.labels import drawable

if TYPE_CHECKING:
    from askew.experiment import Evaluation
    from askew.tokens import Token
    from askew.vectors.table import WordVectors
    from askew_gui.nearest import Nearest

NAMED = 3  # unknown words named in the count line before "…"


def count_line(evaluation: Evaluation, named: int = NAMED) -> str:
    """Return how many tokens there are and which were not found.

    "12 tokens + 2 special · 1 not found: zzyzx"; special tokens of a model are counted apart.
    """
    sentence = [token for token in evaluation.sentence if not token.special]
    if not sentence:
        return tr("Type a sentence")
    parts = [_plural(len(sentence), tr("{} token"), tr("{} tokens"))]
    special = len(evaluation.sentence) - len(sentence)
    if special:
        parts[0] += tr(" + {} special").format(special)
    left_out = sum(token.left_out for token in sentence)
    if left_out:
        parts.append(tr("{} left out").format(left_out))
    unknown = list(dict.fromkeys(token.text for token in evaluation.unknown))
    if unknown:
        names = ", ".join(drawable(_cut(name)) for name in unknown[:named]) + (
            ", …" if len(unknown) > named else ""
        )
        parts.append(tr("{} not found: {}").format(len(evaluation.unknown), names))
    else:
        parts.append(tr("all known"))
    return " · ".join(parts)


def chip_lines(token: Token, vectors: WordVectors, edited: bool) -> list[str]:
    """Return what is known about a token without searching the table."""
    lines = [drawable(token.text)]
    if token.special:
        lines.append(tr("special token: stands for no text"))
    if token.key is None:
        lines.append(tr("not found in {}").format(vectors.name))
    elif token.key != token.text:
        lines.append(tr("found as {}").format(token.key))
    if token.left_out:
        lines.append(tr("left out of the maps"))
    if edited:
        lines.append(tr("changed by hand"))
    if token.key is None:
        return lines
    vector = vectors.get(token.key)
    norm = float(np.linalg.norm(np.asarray(vector, dtype=np.float64))) if vector is not None else 0.0
    place = tr("built from its letters")
    if token.row is not None:
        place = tr("word {} of {} in {}").format(f"{token.row + 1:,}", f"{len(vectors):,}", vectors.name)
    lines.append(tr("{} · norm {}").format(place, f"{norm:.3f}"))
    return lines


def neighbours_line(nearest: Nearest) -> str:
    """Return the nearest words of one word with their cosines, in one line."""
    neighbours = nearest.words[0]
    if not neighbours:
        return tr("nearest: none, its vector is zero")
    text = ", ".join(f"{shown(word)} {cosine:.2f}" for word, cosine in neighbours)
    if nearest.among is None:
        return tr("nearest: {}").format(text)
    line = tr("nearest of the first {}: {}").format(f"{nearest.among:,}", text)
    return line if nearest.is_final else f"{line} …"


def _cut(name: str, longest: int = 16) -> str:
    return name if len(name) <= longest else f"{name[:longest]}…"


def _plural(count: int, one: str, many: str) -> str:
    return (one if count == 1 else many).format(count)
