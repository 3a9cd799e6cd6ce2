"""What the import of weights asks, and what its answers come to: plain data, no widgets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from askew.errors import AskewError, WeightsError
from askew.weights import Choice, plan
from askew.weights.applying import fitting_vectors
from askew_gui.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from askew.heads import Head
    from askew.weights import Plan, WeightsFile

WHOLE = ("heads", "kv_heads", "layer", "d_k")
"""Fields of a `Choice` that are whole numbers."""

FREE = ("stack", "layer", "orientation", "part")
"""Those that can be chosen without being asked for."""

MOST_QUESTIONS = len(Choice.__dataclass_fields__)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A file that was chosen, dropped or pasted, and what a first look gave.

    Parameters
    ----------
    file
        None where it was refused: then `error` says why.
    path
        Where it is; "" for the clipboard.
    folder
        The folder of the model it belongs to, if that has words too.
    faithful
        Whether that opens as the model runs it, at layer 0.
    """

    name: str
    file: WeightsFile | None = None
    error: AskewError | None = None
    path: str = ""
    folder: Path | None = None
    faithful: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, its possible answers, and the one that counts; "" as long as there is none.

    `guessed` tells that nobody chose it: it is the likeliest.
    """

    field: str
    options: tuple[str, ...]
    value: str
    guessed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What the answers come to.

    Parameters
    ----------
    plan
        What will happen; None if that cannot be said.
    error
        Why it cannot be done, or which answer is missing; None if all is well.
    """

    choice: Choice
    plan: Plan | None = None
    asked: tuple[Asked, ...] = ()
    error: AskewError | None = None


def read(
    file: WeightsFile,
    picked: Mapping[str, str],
    d_model: int | None,
    like: Head | None = None,
    vectors: str = "",
) -> Reading:
    """Ask what must be asked, one thing after the other, and say what comes of it.

    Parameters
    ----------
    picked
        What a person chose, by field of a `Choice`; "" is no choice.
    d_model
        Numbers per token vector; None takes what the file has.
    vectors
        The name of those vectors, for messages.
    """
    choice = _answered(Choice(), {field: picked.get(field, "") for field in FREE})
    asked: list[Asked] = []
    try:
        what = plan(file, choice, d_model, like, vectors)
        while what.questions and len(asked) < MOST_QUESTIONS:
            question = what.questions[0]
            answer = picked.get(question.field, "")
            value = answer or question.suggested
            asked.append(Asked(question.field, question.options, value, guessed=not answer))
            if not value:
                break
            choice = _answered(choice, {question.field: value})
            what = plan(file, choice, d_model, like, vectors)
    except AskewError as error:
        shown = _as_it_lies(file, choice)
        if shown is not None and d_model is not None and shown.d_model not in (None, d_model):
            error = type(error)(error.what, where=error.where, remedy=fitting_vectors(shown.d_model or 0))
        return Reading(choice, shown, tuple(asked), error)
    if not what.questions:
        return Reading(choice, what, tuple(asked))
    open_one = WeightsError(what.questions[0].text, remedy=tr("Choose it above"))
    return Reading(choice, what, tuple(asked), open_one)


def _answered(choice: Choice, answers: Mapping[str, str]) -> Choice:
    """Return a choice with answers, numbers where they are such; "" is none."""
    values: dict[str, Any] = {
        field: int(text) if field in WHOLE else text for field, text in answers.items() if text
    }
    return replace(choice, **values)


def _as_it_lies(file: WeightsFile, choice: Choice) -> Plan | None:
    """Return what would happen on vectors that fit, to show what is in the file."""
    try:
        return plan(file, choice)
    except AskewError:
        return None
