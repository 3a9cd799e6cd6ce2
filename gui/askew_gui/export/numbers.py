"""Numbers as the content of a file: all of them, one of the maps shown, or the measures of the heads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

from askew.number_files import number_bytes
from askew.tables import map_table, measures_table
from askew.tables_csv import for_excel, table_csv
from askew.tables_text import DIGITS, latex_table, markdown_table

if TYPE_CHECKING:
    from askew.evaluation import Evaluation
    from askew.number_files import NumberFormat
    from askew.tables import Table

What = Literal["numbers", "raw", "head", "difference", "measures"]
Kind = Literal["csv", "excel", "npz", "json", "latex", "markdown"]

SUFFIXES: dict[Kind, str] = {
    "csv": ".csv",
    "excel": ".csv",
    "npz": ".npz",
    "json": ".json",
    "latex": ".tex",
    "markdown": ".md",
}
OF_ALL: tuple[Kind, ...] = ("csv", "excel", "npz", "json")
OF_TABLES: tuple[Kind, ...] = ("csv", "excel", "latex", "markdown")


@dataclass(frozen=True, slots=True)
class NumbersSpec:
    """What is written and as what; `digits` and `booktabs` are for LaTeX and Markdown."""

    what: What
    kind: Kind
    digits: int = DIGITS
    booktabs: bool = False


def numbers_content(evaluation: Evaluation, spec: NumbersSpec) -> bytes:
    """Return the content of a file.

    Raises
    ------
    ExperimentError
        If there are too many numbers.
    """
    if spec.kind in ("latex", "markdown"):
        return text_table(evaluation, spec).encode("utf-8", "replace")
    if spec.what == "numbers":
        whole = cast("NumberFormat", "csv" if spec.kind == "excel" else spec.kind)
        content = number_bytes(evaluation, whole)
    else:
        content = table_csv(_table(evaluation, spec.what))
    return for_excel(content) if spec.kind == "excel" else content


def text_table(evaluation: Evaluation, spec: NumbersSpec) -> str:
    """Return a table for LaTeX or Markdown; of the measures a head is a column, which fits a page better."""
    if spec.what == "measures":
        table = measures_table(evaluation, titles=True).turned()
    else:
        table = _table(evaluation, spec.what)
    if spec.kind == "latex":
        return latex_table(table, spec.digits, booktabs=spec.booktabs)
    return markdown_table(table, spec.digits)


def _table(evaluation: Evaluation, what: What) -> Table:
    if what in ("raw", "head", "difference"):
        return map_table(evaluation, what)
    return measures_table(evaluation)
