"""Write the page of the manual, askew.1, from the help of the commands: `make_man.py OUT.1 DATE`."""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path

import click

from askew_gui.cli import main as program

EXITS = (
    ("0", "all is done"),
    ("1", "something the user can mend; standard error says what, in one line"),
    ("2", "a wrong option or command"),
)
FILES = (
    ("~/.config/askew", "settings of the window ($XDG_CONFIG_HOME)"),
    ("~/.local/state/askew", "the last session, and what went wrong ($XDG_STATE_HOME)"),
    ("~/.cache/askew", "prepared vectors; can be made again ($XDG_CACHE_HOME)"),
    ("~/.local/share/askew", "what you would miss ($XDG_DATA_HOME)"),
)


def escaped(text: str) -> str:
    """Return text that roff prints as it is."""
    text = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text[:1] in (".", "'") else text


def page(command: click.Group, version: str, date: str) -> str:
    """Return the page in roff."""
    lines = [
        f'.TH ASKEW 1 "{date}" "Askew {version}" "User Commands"',
        ".SH NAME",
        "askew \\- see and change what W_q, W_k and W_v do to real word vectors",
        ".SH SYNOPSIS",
        ".B askew",
        ".RI [ FILE ]",
        ".br",
        ".B askew",
        ".I COMMAND",
        ".RI [ ARGS ]...",
        ".SH DESCRIPTION",
        *_paragraphs(command.help),
        ".SH OPTIONS",
        *_options(command, click.Context(command, info_name="askew")),
        ".SH COMMANDS",
    ]
    for name in sorted(command.commands):
        lines += _command(command.commands[name], f"askew {name}")
    lines += [".SH EXIT STATUS", *_terms(EXITS), ".SH FILES", *_terms(FILES)]
    return "\n".join(lines) + "\n"


def _command(command: click.Command, path: str) -> list[str]:
    """Return the part of a command and those below it."""
    context = click.Context(command, info_name=path)
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [f'.SS "{escaped(path)} {escaped(usage)}"', *_paragraphs(command.help)]
    lines += _options(command, context)
    if isinstance(command, click.Group):
        for name in sorted(command.commands):
            lines += _command(command.commands[name], f"{path} {name}")
    return lines


def _options(command: click.Command, context: click.Context) -> list[str]:
    records = [parameter.get_help_record(context) for parameter in command.get_params(context)]
    return _terms(record for record in records if record)


def _terms(pairs: object) -> list[str]:
    """Return terms with what they mean."""
    lines: list[str] = []
    for term, meaning in pairs:  # type: ignore[attr-defined]
        lines += [".TP", f"\\fB{escaped(term)}\\fR", escaped(meaning)]
    return lines


def _paragraphs(text: str | None) -> list[str]:
    lines: list[str] = []
    for paragraph in (text or "").replace("\b", "").strip().split("\n\n"):
        lines += [".PP", escaped(paragraph)]
    return lines


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(program, metadata.version("askew"), sys.argv[2]), encoding="utf-8")
