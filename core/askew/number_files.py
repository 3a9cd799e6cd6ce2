"""All numbers of an evaluation as the content of a file, and names for files."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from askew.evaluation import Evaluation

NumberFormat = Literal["json", "npz", "csv"]

NUMBER_FORMATS: tuple[NumberFormat, ...] = ("json", "npz", "csv")
LONGEST_NAME = 40  # letters of a sentence in a name

_NO_LETTERS = re.compile(r"[\W_]+")


def number_bytes(evaluation: Evaluation, file_format: NumberFormat) -> bytes:
    """Return all numbers in a format; the same experiment gives the same bytes.

    Raises
    ------
    ExperimentError
        If there are too many.
    """
    if file_format == "npz":
        from askew.numbers_npz import npz_bytes

        return npz_bytes(evaluation)
    if file_format == "csv":
        from askew.tables_csv import long_csv

        return long_csv(evaluation)
    from askew.results import dumps, to_json

    return (dumps(to_json(evaluation)) + "\n").encode()


def suggested_name(evaluation: Evaluation, what: str) -> str:
    """Return a name for a file, without its ending, that says what is in it.

    Parameters
    ----------
    what
        "numbers", "measures", "report", or a side of the maps: "raw", "head", "difference", which bring the
        quantity and the heads that are shown into the name.
    """
    experiment = evaluation.experiment
    parts = ["askew"]
    if what in ("raw", "head", "difference"):
        heads = "-".join(str(head) for head in sorted(experiment.selected))
        parts.append(f"{experiment.quantity}-{what}" + ("" if what == "raw" else f"-{heads}"))
    else:
        parts.append(what)
    return "-".join(filter(None, [*parts, plain_name(experiment.text)]))


def plain_name(text: str) -> str:
    """Return text as a part of a file name that every system takes: letters, digits and single dashes."""
    words = _NO_LETTERS.sub("-", unicodedata.normalize("NFC", text)).strip("-")
    if len(words) <= LONGEST_NAME:
        return words
    return words[: LONGEST_NAME + 1].rpartition("-")[0] or words[:LONGEST_NAME]
