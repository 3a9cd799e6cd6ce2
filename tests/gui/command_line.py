"""The command line run within the process: what it wrote, or the one line it said."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner

from askew_gui.cli import main

if TYPE_CHECKING:
    from click.testing import Result

SENTENCE = "the animal did not cross the street because it was too tired"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, prog_name="askew")


def computed(*arguments: str) -> dict[str, Any]:
    result = run("compute", *arguments, "-o", "-")
    assert result.exit_code == 0, result.stderr
    data: dict[str, Any] = json.loads(result.stdout)
    return data


def failure(*arguments: str) -> str:
    """Return the one line said about something the user can mend."""
    result = run(*arguments)
    assert result.exit_code == 1, result.output
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("askew: error: ")
    return lines[0].removeprefix("askew: error: ")
