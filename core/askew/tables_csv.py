"""Numbers as CSV: one long table of all, or one table with labels, which is read back exactly."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

from askew.errors import AskewError
from askew.results import check_amount, head_json, raw_json
from askew.tables import Table, measured

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from askew.evaluation import Evaluation
    from askew.tables import Cell

HEADER = "head,quantity,query,key,value"
MARK = "\ufeff"
LARGEST_READ = 20_000_000
"""Bytes of a table that is read back; one of 1,000 tokens has about half of that."""

# What a spreadsheet would take for a formula, also behind blanks or the sign that makes it safe.
_FORMULA = re.compile(r"'*[\s\0]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")


class TableError(AskewError):
    """A file is not a table that Askew wrote."""


def long_csv(evaluation: Evaluation) -> bytes:
    """Return all numbers as one long table: head, quantity, query, key, value.

    Heads, queries and keys count from 0; `head` is empty for raw similarity. Quantities are those of the
    JSON: `dot`, `cosine` and `pattern` of raw; `scores`, `pattern`, `outputs` and `difference` of a head, and
    its measures under their path, such as `sharpness` or `energy/row`. Of `outputs`, `key` is the place in
    the output; of `sink`, the token that it is; other measures have neither query nor key. No value is an
    empty cell, and numbers are those of the JSON, digit for digit.

    Raises
    ------
    ExperimentError
        If there are too many.
    """
    check_amount(evaluation)
    lines = [f"{HEADER}\n"]
    for quantity, matrix in raw_json(evaluation).items():
        lines += _long("", quantity, matrix)
    for h in range(len(evaluation.heads)):
        head = head_json(evaluation, h)
        for quantity in ("scores", "pattern", "outputs", "difference"):
            lines += _long(str(h), quantity, head[quantity])
        lines += _measures(h, evaluation)
    return "".join(lines).encode()


def _long(head: str, quantity: str, matrix: Sequence[Sequence[float | None]]) -> Iterator[str]:
    for query, row in enumerate(matrix):
        start = f"{head},{quantity},{query},"
        yield "".join([f"{start}{key},{_number(value)}\n" for key, value in enumerate(row)])


def _measures(h: int, evaluation: Evaluation) -> Iterator[str]:
    measures = evaluation.measures[h]
    for each in measured(measures):
        if each.path == "sink/value":
            key = "" if measures.sink.index is None else measures.sink.index
            yield f"{h},sink,,{key},{_number(measures.sink.value)}\n"
        elif not each.path.startswith("sink/"):
            yield f"{h},{each.path},,,{_cell(each.value)}\n"


def for_excel(content: bytes) -> bytes:
    """Return the content of a CSV file with the mark that tells Excel that it is UTF-8."""
    return MARK.encode() + content


def table_csv(table: Table) -> bytes:
    """Return a table as CSV that `read_table_csv` gives back, bit for bit.

    The cell at the top left says what the table is. Words stand in quotes, and an apostrophe before those
    that a spreadsheet would take for a formula; numbers are bare, with the digits that give the float back.
    """
    lines = [",".join(_text(text) for text in (table.state, *table.column_labels))]
    for label, row in zip(table.row_labels, table.cells, strict=True):
        lines.append(",".join([_text(label), *(_cell(value) for value in row)]))
    return "\n".join([*lines, ""]).encode("utf-8", "replace")


def read_table_csv(content: bytes, name: str = "the table") -> Table:
    """Return the table of a map that `table_csv` wrote, also after a spreadsheet has saved it as CSV.

    Raises
    ------
    TableError
        If it is too large, is no UTF-8, or a row is too short or too long or holds what is no number; rows
        and columns are counted from 1.
    """
    if len(content) > LARGEST_READ:
        raise TableError(f"it is larger than the {LARGEST_READ:,} bytes that are read", where=name)
    try:
        text = content.decode().removeprefix(MARK)
        lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except UnicodeDecodeError as error:
        raise TableError("it is not UTF-8", where=name, remedy="Save it as CSV in UTF-8") from error
    except csv.Error as error:
        raise TableError(f"it is no CSV: {error}", where=name) from error
    if not lines or not lines[0]:
        raise TableError("there is no table in it", where=name)
    width = len(lines[0])
    cells = [_numbers(line, number, width, name) for number, line in enumerate(lines[1:], start=2)]
    first, *columns = map(_unsafe, lines[0])
    return Table(first, tuple(_unsafe(line[0]) for line in lines[1:]), tuple(columns), tuple(cells))


def _numbers(line: list[str], row: int, width: int, name: str) -> tuple[float | None, ...]:
    if len(line) != width:
        raise TableError(f"row {row} has {len(line)} cells, row 1 has {width}", where=name)
    values: list[float | None] = []
    for column, cell in enumerate(line[1:], start=2):
        try:
            values.append(float(cell) if cell else None)
        except ValueError as error:
            what = f"row {row}, column {column}: '{cell[:40]}' is not a number"
            raise TableError(what, where=name) from error
    return tuple(values)


def _cell(value: Cell) -> str:
    return _text(value) if isinstance(value, str) else _number(value)


def _number(value: float | None) -> str:
    return "" if value is None else repr(value)


def _text(text: str) -> str:
    safe = f"'{text}" if _FORMULA.match(text) else text
    return '"' + safe.replace('"', '""') + '"'


def _unsafe(text: str) -> str:
    """Return text without the apostrophe that made it safe."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text[1:]) else text
