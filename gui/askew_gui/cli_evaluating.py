"""From the flags of `compute` and `render` to an evaluation, and what is said of it on stderr."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from askew_gui.terminal import printable, progress_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from askew.experiment import Evaluation, Experiment
    from askew.vectors import WordVectors

PROBLEMS_SHOWN = 5


def evaluated(choices: Mapping[str, object]) -> Evaluation:
    """Compute what the flags ask for; say on stderr what was left out.

    Raises
    ------
    AskewError
        If it cannot be computed, or no word of the sentence has a vector.
    """
    from askew.request import Request, build

    request = Request.of(choices)
    notes: list[str] = []
    with progress_of(request.vectors or "") as progress:
        experiment, table = build(request, progress, notes.append)
    evaluation = known_evaluation(experiment, table)
    for note in (*notes, *notes_of_vectors(experiment, table), *notes_of_words(evaluation)):
        tell(note)
    return evaluation


def known_evaluation(experiment: Experiment, table: WordVectors) -> Evaluation:
    """Compute an experiment of which at least one word has a vector.

    Raises
    ------
    AskewError
        If none has, or it cannot be computed.
    """
    from askew.errors import ExperimentError
    from askew.experiment import evaluate

    evaluation = evaluate(experiment, table)
    if not len(evaluation.known):
        unknown = ", ".join(repr(token.text) for token in evaluation.unknown[:PROBLEMS_SHOWN])
        raise ExperimentError(
            f"no word of the text has a vector in {table.name}: {unknown or 'it is empty'}",
            remedy="Choose another --text or --vectors",
        )
    return evaluation


def tell(note: str) -> None:
    """Say something that is no error."""
    click.echo(f"askew: note: {printable(note)}", err=True)


def notes_of_vectors(experiment: Experiment, table: WordVectors) -> list[str]:
    """Return what holds for every sentence: damaged lines of the vectors, what the heads are not given."""
    from askew.notices import unlike_the_model

    notes = [f"{table.name}: {problem.message}" for problem in table.report[:PROBLEMS_SHOWN]]
    if len(table.report) > PROBLEMS_SHOWN:
        notes.append(f"{table.name}: {len(table.report) - PROBLEMS_SHOWN} more problems")
    unlike = unlike_the_model(experiment)
    return [*notes, unlike] if unlike else notes


def notes_of_words(evaluation: Evaluation) -> list[str]:
    """Return which words have no vector."""
    from askew.tokens import shown

    unknown = [shown(token.text) for token in evaluation.unknown]
    if not unknown:
        return []
    what = "left out" if evaluation.experiment.unknown == "drop" else "kept as empty rows"
    words = f"{len(unknown)} unknown word" + ("s" if len(unknown) > 1 else "")
    return [f"{words} {what}: {', '.join(unknown)}"]
