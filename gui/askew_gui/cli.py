"""The command line: the window, pictures and numbers without a display, a test of the installation."""

from __future__ import annotations

import errno
import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

import click

from askew.errors import AskewError
from askew.number_files import NUMBER_FORMATS
from askew_gui.cli_batch import batch_options, taken_batch, write_batch
from askew_gui.cli_evaluating import evaluated, tell
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
from askew_gui.export.spec import FORMATS
from askew_gui.terminal import ended_by_ctrl_c, give_stdout_up, printable, to_stdout

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askew.experiment import Evaluation
    from askew.number_files import NumberFormat
    from askew_gui.export.spec import PictureSpec

NUMBER_SUFFIXES = tuple([f".{name}" for name in NUMBER_FORMATS])


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


def _tell_version(ctx: click.Context, _option: click.Parameter, asked: bool) -> None:
    """Print which Askew this is."""
    if asked and not ctx.resilient_parsing:
        from askew_gui.version import version_text

        click.echo(version_text())
        ctx.exit()


@click.group(
    cls=Program,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    subcommand_metavar="[FILE] | COMMAND [ARGS]...",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_tell_version,
    help="Show the version, the commit and the libraries, and exit.",
)
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
    from askew_gui.start_faults import told_in_a_line

    if file is not None and not Path(file).exists():
        raise AskewError(f"there is no file '{file}'", remedy="Look at the name, or see: askew --help")
    check_screen()
    with told_in_a_line():
        from askew_gui.app import run

        sys.exit(run(file=file))


@main.command()
@experiment_options
@batch_options(NUMBER_FORMATS)
@click.option(
    "-o", "--output", required=True, metavar="OUT.json|npz|csv|-", help="File to write; - is JSON to stdout."
)
def compute(output: str, **choices: object) -> None:
    """Write the numbers: raw similarity, scores, patterns, outputs, differences, measures.

    They are those of SESSION, a session or an exported picture, if one is given; flags override it.
    Several sessions, or the sentences of --text-file, become numbered files in the folder OUT.
    """
    from askew.files import write_bytes
    from askew.number_files import number_bytes
    from askew.request import Request

    batch = taken_batch(choices, output, NUMBER_FORMATS)
    if batch is not None:
        write_batch(batch, Request.of(choices), partial(_numbers, cast("NumberFormat", batch.file_format)))
        return
    if output != "-":
        check_suffix(output, NUMBER_SUFFIXES)
    endings = (known for known in NUMBER_FORMATS if output.lower().endswith(f".{known}"))
    content = number_bytes(evaluated(choices), next(endings, "json"))
    if output == "-":
        to_stdout(content)
    else:
        write_bytes(output, content)


def _numbers(file_format: NumberFormat, evaluation: Evaluation, _name: str) -> tuple[bytes, str]:
    """Return the content of a file of a batch; there is nothing to be said of it."""
    from askew.number_files import number_bytes

    return number_bytes(evaluation, file_format), ""


@main.command()
@experiment_options
@batch_options(FORMATS)
@picture_options
def render(output: str, head: int | None, **choices: object) -> None:
    """Paint the maps into a picture; no display is needed.

    They are those of SESSION, a session or an exported picture, if one is given; flags override it.
    Several sessions, or the sentences of --text-file, become numbered files in the folder OUT.
    A PNG or SVG file carries the experiment that made it, and says so; --no-session leaves it out.
    """
    from askew.files import write_bytes
    from askew.request import Request
    from askew_gui.preflight import paint_without_screen

    batch = taken_batch(choices, output, FORMATS)
    if batch is not None:
        spec = picture_spec(f".{batch.file_format}", head, choices)
        paint_without_screen()
        _application = _painting()
        write_batch(batch, Request.of(choices), partial(_painted, spec, head))
        return
    check_suffix(output, PICTURE_SUFFIXES)
    spec = picture_spec(output, head, choices)
    evaluation = evaluated(choices)
    paint_without_screen()
    _application = _painting()  # painting needs it alive
    content, note = _painted(spec, head, evaluation, output)
    write_bytes(output, content)
    if note:
        tell(note)


def _painting() -> object:
    """Return what must be alive while anything is painted."""
    with ended_by_ctrl_c():
        from askew_gui.rendering import gui_without_screen

        return gui_without_screen()


def _painted(spec: PictureSpec, head: int | None, evaluation: Evaluation, name: str) -> tuple[bytes, str]:
    """Return the content of a picture of that name, and what is to be said of it."""
    from askew_gui.rendering import rendered

    with ended_by_ctrl_c():
        return rendered(evaluation, spec, head, name)


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
