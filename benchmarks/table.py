"""The table that `make bench` prints."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured, against what, in absolute terms, the ratio, its bar, and whether it holds."""

    what: str
    baseline: str
    ours: str
    ratio: str
    bar: str
    holds: bool | None


def print_table(rows: list[Row]) -> None:
    """Print rows as a table that Markdown shows as one."""
    print("| what | baseline in the same run | Askew | ratio | bar | holds |")
    print("|---|---|---|---|---|---|")
    for row in rows:
        holds = {True: "yes", False: "NO", None: "–"}[row.holds]
        print(
            f"| {row.what} | {row.baseline} | {row.ours} | {row.ratio} | {row.bar or '–'} | {holds} |",
            flush=True,
        )
