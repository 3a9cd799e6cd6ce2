"""Several sentences or sessions at once: numbered files in a folder, one for each."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from askew.errors import AskewError
from askew_gui.cli_evaluating import known_evaluation, notes_of_vectors, notes_of_words, tell
from askew_gui.terminal import TerminalProgress, printable, progress_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from askew.experiment import Evaluation, Experiment
    from askew.request import Request
    from askew.vectors import WordVectors

    Content = Callable[[Evaluation, str], tuple[bytes, str]]
    """Gives the bytes of a file of that name, and a note or ""."""

LARGEST_TEXT = 16_000_000
"""Bytes of a file of sentences."""
FEWEST_DIGITS = 3

_LINE_END = re.compile(r"\r\n|\r|\n")  # and nothing else that Unicode takes for one


class Line(NamedTuple):
    """A sentence and its line in the file, counted from 1."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Batch:
    """What is to be done: every sentence for every session, or the sessions as they are."""

    sessions: tuple[str, ...]
    lines: tuple[Line, ...]
    folder: Path
    file_format: str

    @property
    def each(self) -> int:
        """How many files a session gives."""
        return len(self.lines) or 1

    @property
    def count(self) -> int:
        """How many files there will be."""
        return self.each * (len(self.sessions) or 1)


def batch_options(formats: Sequence[str]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command the flags for several sentences; the first format is the default."""
    of_text = click.option(
        "--text-file",
        metavar="FILE",
        help="Sentences, one a line; -o is then a folder for numbered files, as it is for several sessions.",
    )
    of_format = click.option(
        "--format",
        type=click.Choice(list(formats)),
        help=f"What kind of files go into the folder. Default: {formats[0]}.",
    )

    def given(command: Callable[..., Any]) -> Callable[..., Any]:
        return of_text(of_format(command))

    return given


def taken_batch(choices: dict[str, Any], output: str, formats: Sequence[str]) -> Batch | None:
    """Take the flags of a batch out of `choices`; None, and one session or none in them, for a single file.

    Raises
    ------
    click.UsageError
        If the flags contradict each other.
    AskewError
        If the file of sentences cannot be read.
    """
    sessions, text_file, file_format = (choices.pop(name) for name in ("session", "text_file", "format"))
    if text_file is None and len(sessions) < 2:
        if file_format is not None:
            raise click.UsageError("--format goes with --text-file or several sessions.")
        choices["session"] = sessions[0] if sessions else None
        return None
    if text_file is not None and choices["text"] is not None:
        raise click.UsageError("--text and --text-file were given; leave one of them out.")
    endings = tuple(f".{known}" for known in formats)
    folder = Path(output)
    if output in ("", "-") or (output.lower().endswith(endings) and not folder.is_dir()):
        what = f"several files go into a folder, and '{output}' is none; --format says what kind they are."
        raise click.BadParameter(what, param_hint="'-o'")
    lines = () if text_file is None else read_lines(text_file)
    return Batch(tuple(sessions), tuple(lines), folder, file_format or formats[0])


def read_lines(path: str) -> list[Line]:
    """Return the lines of a file that are not blank.

    Raises
    ------
    AskewError
        If it cannot be read, is too large or no UTF-8, or has no such line.
    """
    try:
        with Path(path).open("rb") as file:
            content = file.read(LARGEST_TEXT + 1)
    except OSError as error:
        raise AskewError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error
    if len(content) > LARGEST_TEXT:
        raise AskewError(
            f"it is larger than the {LARGEST_TEXT:,} bytes that are read",
            where=path,
            remedy="Part it into several files",
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = len(_LINE_END.split(content[: error.start].decode("utf-8", "replace")))
        raise AskewError(f"line {line} is not UTF-8", where=path, remedy="Save the file as UTF-8") from error
    lines = [Line(number, one.strip()) for number, one in enumerate(_LINE_END.split(text), start=1)]
    lines = [line for line in lines if line.text]
    if not lines:
        raise AskewError("there is no sentence in it", where=path, remedy="Write one in each line")
    return lines


def write_batch(batch: Batch, request: Request, content: Content) -> None:
    """Write the files of a batch; what fails is told and the rest goes on.

    Raises
    ------
    AskewError
        At the end, if anything failed; or if there can be no such folder.
    """
    from askew.files import WriteError

    try:
        batch.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteError(batch.folder, error) from error
    writing = _Writing(batch, content)
    for place, session in enumerate(batch.sessions or (None,)):
        writing.write_all(replace(request, session=session), place * batch.each + 1)
    writing.progress.close()
    if writing.failed:
        done = "" if writing.failed == batch.count else f"; the others are in {batch.folder}"
        raise AskewError(f"{writing.failed} of {batch.count} could not be written{done}")


class _Writing:
    """The files of a batch, one after the other."""

    def __init__(self, batch: Batch, content: Content) -> None:
        self._batch = batch
        self._content = content
        self.progress = TerminalProgress(str(batch.folder), "Writing")
        self.failed = 0

    def write_all(self, request: Request, first: int) -> None:
        """Write what one session gives, or the flags without one; files are numbered from `first`."""
        session = Path(request.session).name if request.session else ""
        try:
            experiments, table = self._opened(request, session)
            for place, experiment in enumerate(experiments):
                if place == 0:
                    self._tell(session, notes_of_vectors(experiment, table))
                self._write(first + place, session, experiment, table)
        except (AskewError, MemoryError) as error:
            self._fail(session, error, self._batch.each)
        self.progress(first + self._batch.each - 1, self._batch.count)

    def _opened(self, request: Request, session: str) -> tuple[Iterable[Experiment], WordVectors]:
        from askew.request import build, build_each

        notes: list[str] = []
        with progress_of(request.vectors or "") as progress:
            if self._batch.lines:
                texts = [line.text for line in self._batch.lines]
                experiments: Iterator[Experiment]
                experiments, table = build_each(request, texts, progress, notes.append)
            else:
                one, table = build(request, progress, notes.append)
                experiments = iter((one,))
        self._tell(session, notes)
        return experiments, table

    def _write(self, number: int, session: str, experiment: Experiment, table: WordVectors) -> None:
        """Write one file, or tell why not."""
        from askew.files import write_bytes

        where = self._where(number, session)
        try:
            evaluation = known_evaluation(experiment, table)
            name = self._name(number, session, experiment.text)
            content, note = self._content(evaluation, name)
            write_bytes(self._batch.folder / name, content)
        except (AskewError, MemoryError) as error:
            self._fail(where, error)
        else:
            self._tell(where, [*notes_of_words(evaluation), *([note] if note else [])])
        self.progress(number, self._batch.count)

    def _where(self, number: int, session: str) -> str:
        lines = self._batch.lines
        line = f"line {lines[(number - 1) % len(lines)].number}" if lines else ""
        return ", ".join(filter(None, (session, line)))

    def _name(self, number: int, session: str, text: str) -> str:
        from askew.number_files import plain_name

        digits = max(FEWEST_DIGITS, len(str(self._batch.count)))
        words = [plain_name(Path(session).stem), plain_name(text) if self._batch.lines else ""]
        return "-".join(filter(None, (f"{number:0{digits}}", *words))) + f".{self._batch.file_format}"

    def _tell(self, where: str, notes: Iterable[str]) -> None:
        for note in notes:
            self.progress.close()
            tell(f"{where}: {note}" if where else note)

    def _fail(self, where: str, error: AskewError | MemoryError, count: int = 1) -> None:
        self.failed += count
        self.progress.close()
        what = "there is not enough memory" if isinstance(error, MemoryError) else str(error)
        text = what if not where or what.startswith(f"{where}: ") else f"{where}: {what}"
        click.echo(f"askew: error: {printable(text)}", err=True)
