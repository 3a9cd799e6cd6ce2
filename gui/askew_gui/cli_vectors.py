"""The commands about word vectors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from askew_gui.terminal import progress_of, to_stdout

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from askew.vectors import Problem, WordVectors
    from askew.vectors.options import Options

PROBLEMS_SHOWN = 20


@click.group()
def vectors() -> None:
    """Word vectors: what is there, what a file holds, its numbers, its import."""


def reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the flags that answer what the window would ask about a file."""
    for option in (
        click.option("--encoding", metavar="NAME", help="Encoding of a text file that is not in UTF-8."),
        click.option("--skip-damaged", is_flag=True, help="Leave out what cannot be read."),
        click.option("--language", metavar="xx", help="Which language, of a file of several."),
        click.option("--words", metavar="FILE", help="Words of a bare matrix, one a line."),
        click.option("--member", metavar="NAME", help="Which file of an archive."),
    ):
        command = option(command)
    return command


@vectors.command("list")
def list_vectors() -> None:
    """List the vectors that come with the program: name, words, numbers per word."""
    from askew.vectors import open_vectors
    from askew.vectors.bundled import BUNDLED

    for name in BUNDLED:
        table = open_vectors(name)
        click.echo(f"{name}\t{len(table):,} words\t{table.dim} numbers per word")


@vectors.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@reading_options
def info(file: str, as_json: bool, **choices: object) -> None:
    """Say what FILE holds, read in full: format, words, numbers per word, problems."""
    from askew.vectors.describe import information
    from askew.word_forms import shown

    table = _opened(file, choices, in_full=True)
    told = information(table)
    if as_json:
        _print_json(told)
        return
    around = "".join(f" in {name}" for name in told["container"])
    click.echo(
        f"{table.name}: {told['format']}{around}, {told['words']:,} words, {table.dim} numbers per word"
    )
    if told["header"] is not None:
        click.echo(f"header: {told['header']}")
    click.echo(f"first words: {' '.join(map(shown, told['first_words']))}")
    _print_problems(table.report)


@vectors.command()
@click.argument("file")
@click.argument("asked", nargs=-1, required=True, metavar="WORD...")
@click.option("--json", "as_json", is_flag=True, help="Print JSON; null is a word without a vector.")
@reading_options
def get(file: str, asked: tuple[str, ...], as_json: bool, **choices: object) -> None:
    """Print the vectors of words of FILE, looked up exactly as given."""
    from askew.vectors.describe import numbers

    found = numbers(_opened(file, choices), asked)
    if as_json:
        _print_json(found)
        return
    for word, vector in found.items():
        click.echo(f"{word}\t{'no vector' if vector is None else ' '.join(map(repr, vector))}")


@vectors.command("import")
@click.argument("file")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N words.")
@click.option("--background", is_flag=True, hidden=True, help="As the helper of a window.")
@reading_options
def import_file(file: str, limit: int | None, background: bool, **choices: object) -> None:
    """Read FILE in full into the cache, so that it opens at once and nearest words can be had."""
    from askew.errors import VectorsError
    from askew.vectors.bundled import BUNDLED
    from askew.vectors.importing import import_vectors
    from askew.vectors.opening import existing
    from askew.vectors.store import open_store

    if file in BUNDLED:
        raise VectorsError("these vectors come with the program and need no import", where=file)
    if background:
        from askew_gui.background import helping_a_window

        with helping_a_window() as told:
            import_vectors(existing(file), _options(choices, limit), told)
        return
    with progress_of(file) as progress:
        table = open_store(import_vectors(existing(file), _options(choices, limit), progress))
    if table is not None:
        click.echo(f"{table.name}: {_words_read(table, limit)}, {table.dim} numbers per word")
        _print_problems(table.report)


def _words_read(table: WordVectors, limit: int | None) -> str:
    """Return how many words were read, and of how many where that is known: "2 of 3 words"."""
    from askew.vectors.describe import words_promised

    count = f"{len(table):,}"
    if limit is None or len(table) < limit:
        return f"{count} words"
    promised = words_promised(table)
    if promised is None or promised < len(table):
        return "the first word" if len(table) == 1 else f"the first {count} words"
    return f"{count} of {promised:,} words" if promised > len(table) else f"{count} words"


def _opened(file: str, choices: Mapping[str, object], *, in_full: bool = False) -> WordVectors:
    """Open a file by the road of the window, or bundled vectors by name."""
    from askew.vectors.opening import open_with

    with progress_of(file) as progress:
        return open_with(file, _options(choices), progress, in_full=in_full)


def _options(choices: Mapping[str, object], limit: int | None = None) -> Options:
    from askew.vectors.options import Options

    def text(name: str) -> str | None:
        value = choices[name]
        return None if value is None else str(value)

    return Options(
        skip_damaged=bool(choices["skip_damaged"]),
        limit=limit,
        encoding=text("encoding"),
        member=text("member"),
        words=text("words"),
        language=text("language"),
    )


def _print_json(data: object) -> None:
    text = json.dumps(data, ensure_ascii=False, allow_nan=False) + "\n"
    to_stdout(text.encode("utf-8", "backslashreplace"))  # what is no text as JSON writes it: \udcff


def _print_problems(report: tuple[Problem, ...]) -> None:
    for problem in report[:PROBLEMS_SHOWN]:
        click.echo(f"problem: {problem.message}")
    if len(report) > PROBLEMS_SHOWN:
        click.echo(f"{len(report) - PROBLEMS_SHOWN} more problems; --json tells all")
