"""Tables of numbers for a paper: LaTeX and Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from askew.captions import caption_as, escaped

if TYPE_CHECKING:
    from collections.abc import Callable

    from askew.tables import Cell, Table

DIGITS = 3
"""Decimals, unless others are asked for."""
NO_VALUE = "–"

_LIGATURE = re.compile(r"([-'`,])(?=\1)|([?!])(?=`)")
_ODD = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029]+")  # would end a line, or the row that it is in


def latex_table(table: Table, digits: int = DIGITS, *, booktabs: bool = False) -> str:
    r"""Return a `table` environment with a caption that says what the table is.

    Every word stands for itself, also where it has a meaning in LaTeX; letters beyond the font need a package
    for their script. No value is a dash.

    Parameters
    ----------
    digits
        Decimals, 0 or more.
    booktabs
        Use the rules of that package in place of ``\hline``.
    """
    top, middle, bottom = (r"\toprule", r"\midrule", r"\bottomrule") if booktabs else (r"\hline",) * 3
    lines = [
        *([r"% needs \usepackage{booktabs}"] if booktabs else []),
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_latex_caption(table.state)}}}",
        rf"\begin{{tabular}}{{l{'r' * len(table.column_labels)}}}",
        top,
        " & ".join(["", *map(_latex, table.column_labels)]) + r" \\",
        middle,
        *(" & ".join(row) + r" \\" for row in _rows(table, digits, _latex, _latex_number)),
        bottom,
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join([*lines, ""])


def markdown_table(table: Table, digits: int = DIGITS) -> str:
    """Return a pipe table, and under it a paragraph that says what the table is. No value is a dash.

    Every word stands for itself, also where it has a meaning in Markdown.
    """
    head = ["", *map(_markdown, table.column_labels)]
    rule = ["---", *("---:" for _ in table.column_labels)]
    lines = [head, rule, *_rows(table, digits, _markdown, str)]
    body = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    return f"{body}\n\n{caption_as(_in_line(table.state), 'markdown')}\n"


def _rows(
    table: Table, digits: int, word: Callable[[str], str], number: Callable[[str], str]
) -> list[list[str]]:
    """Return the rows under the head, cell by cell."""

    def shown(value: Cell) -> str:
        if isinstance(value, str):
            return word(value)
        return NO_VALUE if value is None else number(rounded(value, digits))

    return [[word(label), *map(shown, row)] for label, row in zip(table.row_labels, table.cells, strict=True)]


def rounded(value: float, digits: int) -> str:
    """Return a number with so many decimals; a whole one that counts something has none, zero has no sign."""
    if isinstance(value, int):
        return str(value)
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if not text.strip("-0.") else text


def _in_line(text: str) -> str:
    return _ODD.sub(" ", text)


def _latex(text: str) -> str:
    parts = [escaped(part, "latex") for part in _split_ligatures(_in_line(text))]
    whole = "{}".join(parts)
    # At the beginning of a row these would be taken for what belongs to the end of the row before.
    return f"{{}}{whole}" if whole.lstrip().startswith(("[", "*")) else whole


def _latex_caption(text: str) -> str:
    return "{}".join(caption_as(part, "latex") for part in _split_ligatures(_in_line(text)))


def _split_ligatures(text: str) -> list[str]:
    """Return text in parts, split where two signs would become one."""
    ends = [found.end() for found in _LIGATURE.finditer(text)]
    return [text[start:end] for start, end in zip([0, *ends], [*ends, len(text)], strict=True)]


def _latex_number(text: str) -> str:
    return f"$-${text[1:]}" if text.startswith("-") else text


def _markdown(text: str) -> str:
    return escaped(_in_line(text), "markdown")
