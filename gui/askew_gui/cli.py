"""The command line: the window, pictures and numbers without a display, a test of the installation."""

from __future__ import annotations

import errno
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from askew.errors import AskewError
from askew_gui.cli_options import (
    PICTURE_SUFFIXES,
    check_suffix,
    experiment_options,
    picture_options,
    picture_spec,
)
from askew_gui.cli_training import train_text
from askew_gui.cli_vectors import vectors
from askew_gui.cli_weights import weights
from askew_gui.terminal import ended_by_ctrl_c, give_stdout_up, printable, progress_of, to_stdout

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from askew.experiment import Evaluation
    from askew.vectors import WordVectors

PROBLEMS_SHOWN = 5


class Failure(click.ClickException):
    """Something the user can mend: exit code 1 and one line on stderr."""

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message in the program's form."""
        click.echo(f"askew: error: {printable(self.message)}", err=True)


class Program(click.Group):
    """The command `askew`: a first argument that names a file opens the window with it."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or the window for a file."""
        name = args[0]
        if name not in self.commands and (
            Path(name).suffix or Path(name).name != name or Path(name).exists()
        ):
            return "askew", window, args
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments, which may print the help or the version."""
        with _failures_told():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; what the user can mend ends as a message."""
        with _failures_told():
            return super().invoke(ctx)


@contextmanager
def _failures_told() -> Iterator[None]:
    """Turn what the user can mend into a message."""
    try:
        yield
    except AskewError as error:
        raise Failure(str(error)) from error
    except MemoryError as error:
        raise Failure(
            "there is not enough memory. Use a shorter text, fewer heads or less of them."
        ) from error
    except OSError as error:
        if error.errno == errno.EPIPE:  # the reader of a pipe went away: click ends quietly
            raise
        give_stdout_up()
        raise Failure(f"{error.filename or 'the system'}: {error.strerror or error}.") from error


@click.group(
    cls=Program,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    subcommand_metavar="[FILE] | COMMAND [ARGS]...",
)
@click.version_option(package_name="askew", prog_name="askew", message="%(prog)s %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """See and change what W_q, W_k and W_v do to real word vectors.

    Without a command the window opens, with the vectors of FILE if one is given.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(window, file=None)


@click.command("askew")
@click.argument("file", required=False)
def window(file: str | None) -> None:
    """Open the window, with the vectors of FILE if one is given."""
    from askew_gui.preflight import check_screen

    if file is not None and not Path(file).exists():
        raise AskewError(f"there is no file '{file}'", remedy="Look at the name, or see: askew --help")
    check_screen()
    from askew_gui.app import run

    sys.exit(run(file=file))


@main.command()
@experiment_options
@click.option("-o", "--output", required=True, metavar="OUT.json|-", help="File to write; - is stdout.")
def compute(output: str, **choices: object) -> None:
    """Write the numbers: raw similarity, scores, patterns, outputs, differences, measures.

    They are those of SESSION, a session or an exported picture, if one is given; flags override it.
    """
    from askew.files import write_bytes
    from askew.results import dumps, to_json

    if output != "-":
        check_suffix(output, [".json"])
    content = (dumps(to_json(evaluated(choices))) + "\n").encode()
    if output == "-":
        to_stdout(content)
    else:
        write_bytes(output, content)


@main.command()
@experiment_options
@picture_options
def render(output: str, head: int | None, **choices: object) -> None:
    """Paint the maps into a picture; no display is needed.

    They are those of SESSION, a session or an exported picture, if one is given; flags override it.
    A PNG or SVG file carries the experiment that made it, and says so; --no-session leaves it out.
    """
    from askew.files import write_bytes
    from askew_gui.preflight import paint_without_screen

    check_suffix(output, PICTURE_SUFFIXES)
    spec = picture_spec(output, head, choices)
    evaluation = evaluated(choices)
    paint_without_screen()
    with ended_by_ctrl_c():
        from askew_gui.rendering import gui_without_screen, rendered

        _application = gui_without_screen()  # painting needs it alive
        content, note = rendered(evaluation, spec, head, output)
    write_bytes(output, content)
    if note:
        click.echo(f"askew: note: {printable(note)}", err=True)


main.add_command(vectors)
vectors.add_command(train_text)
main.add_command(weights)


@main.command("self-test")
def self_test() -> None:
    """Open a window off screen, load, compute, export, check the results; print OK."""
    with ended_by_ctrl_c():
        from askew_gui.self_test import run

        run()
    click.echo("OK")


def evaluated(choices: Mapping[str, object]) -> Evaluation:
    """Compute what the flags ask for; say on stderr what was left out.

    Raises
    ------
    AskewError
        If it cannot be computed, or no word of the sentence has a vector.
    """
    from askew.errors import ExperimentError
    from askew.experiment import evaluate
    from askew.request import Request, build

    request = Request.of(choices)
    notes: list[str] = []
    with progress_of(request.vectors or "") as progress:
        experiment, table = build(request, progress, notes.append)
    evaluation = evaluate(experiment, table)
    if not len(evaluation.known):
        unknown = ", ".join(repr(token.text) for token in evaluation.unknown[:PROBLEMS_SHOWN])
        raise ExperimentError(
            f"no word of the text has a vector in {table.name}: {unknown or 'it is empty'}",
            remedy="Choose another --text or --vectors",
        )
    for note in notes:
        click.echo(f"askew: note: {printable(note)}", err=True)
    _report(evaluation, table)
    return evaluation


def _report(evaluation: Evaluation, table: WordVectors) -> None:
    """Say what is not in the numbers: damaged lines of the vectors, words without a vector."""
    for problem in table.report[:PROBLEMS_SHOWN]:
        click.echo(f"askew: note: {table.name}: {problem.message}", err=True)
    if len(table.report) > PROBLEMS_SHOWN:
        click.echo(f"askew: note: {table.name}: {len(table.report) - PROBLEMS_SHOWN} more problems", err=True)
    from askew.notices import unlike_the_model
    from askew.tokens import shown

    unlike = unlike_the_model(evaluation.experiment)
    if unlike:
        click.echo(f"askew: note: {unlike}", err=True)
    unknown = [shown(token.text) for token in evaluation.unknown]
    if unknown:
        what = "left out" if evaluation.experiment.unknown == "drop" else "kept as empty rows"
        words = f"{len(unknown)} unknown word" + ("s" if len(unknown) > 1 else "")
        click.echo(f"askew: note: {words} {what}: {', '.join(unknown)}", err=True)
