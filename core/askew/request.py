"""From the choices of a person to an experiment and its vectors: one road for every way to ask."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from askew.edits import check_shape, shared_recipe, with_text
from askew.errors import ExperimentError, WeightsError
from askew.examples import EXAMPLES, default_experiment, default_width, example
from askew.heads import Recipe
from askew.initializers import draw_head
from askew.vectors import open_vectors
from askew.weights import Choice, load, look, plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any, Literal

    from askew.experiment import Experiment
    from askew.heads import Head
    from askew.vectors import WordVectors
    from askew.vectors.streams import Progress
    from askew.weights import Plan

Number = TypeVar("Number", int, float)

DEFAULT_VECTORS = "glove-6b-50d"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a person chose; None is "as it comes", from the example or the defaults."""

    session: str | None = None
    text: str | None = None
    vectors: str | None = None
    example: str | None = None
    heads: int | None = None
    d_k: int | None = None
    d_v: int | None = None
    seed: int | None = None
    init: str | None = None
    gain: float | None = None
    rank: int | None = None
    weights: str | None = None
    orientation: Literal["in-out", "out-in"] | None = None
    layer: int | None = None
    stack: str | None = None
    part: Literal["q", "k", "v"] | None = None
    scoring: str | None = None
    mask: str | None = None
    positions: str | None = None
    normalize: str | None = None
    temperature: float | None = None
    raw: str | None = None
    compare: str | None = None
    unknown: Literal["drop", "keep"] | None = None

    @classmethod
    def of(cls, choices: Mapping[str, Any]) -> Request:
        """Return the request of a command line; bytes of its text that are no characters become U+FFFD."""
        request = cls(**choices)
        if request.text is None:
            return request
        text = request.text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return replace(request, text=text)

    @property
    def _draws(self) -> bool:
        """Whether heads must be drawn anew."""
        drawn: tuple[object, ...] = (self.d_v, self.seed, self.init, self.gain, self.rank)
        if self._model is None:  # else these say how its matrices are split
            drawn = (self.heads, self.d_k, *drawn)
        return any(value is not None for value in drawn)

    @property
    def _model(self) -> str | None:
        """The folder of a model that is to be the example."""
        folder = self.example
        return folder if folder is not None and folder not in EXAMPLES and Path(folder).is_dir() else None

    @property
    def _starts(self) -> bool:
        """Whether it starts from an example or a session, whose sizes stay where no others are asked for."""
        return self.example is not None or self.session is not None


def build(
    request: Request, progress: Progress | None = None, tell: Callable[[str], None] | None = None
) -> tuple[Experiment, WordVectors]:
    """Open the vectors and make the experiment that was asked for.

    `tell` is given, line by line, what a person should know of a session or a file with weights.

    Raises
    ------
    AskewError
        If something does not exist, does not fit together or cannot be drawn.
    """
    _check_flags(request)
    start, vectors = _start(request, progress, tell or _nobody)
    return _built(request, start, vectors, tell or _nobody), vectors


def build_each(
    request: Request,
    texts: Sequence[str],
    progress: Progress | None = None,
    tell: Callable[[str], None] | None = None,
) -> tuple[Iterator[Experiment], WordVectors]:
    """Make the experiments of several sentences, as `build` makes each; vectors and heads are opened once.

    Raises
    ------
    AskewError
        As `build`.
    """
    _check_flags(request)
    all_of_them = replace(request, text="\n".join(texts))  # for which a session needs more than its own rows
    start, vectors = _start(all_of_them, progress, tell or _nobody)
    one = _built(replace(request, text=None), start, vectors, tell or _nobody)
    return (with_text(one, text) for text in texts), vectors


def _built(
    request: Request, start: Experiment, vectors: WordVectors, tell: Callable[[str], None]
) -> Experiment:
    """Return what was opened, as the flags change it."""
    scoring = request.scoring
    if request.weights is not None:
        heads = _read(request, vectors, start, tell)
    elif request._draws:
        heads = _draw(request, start)
    else:
        heads = start.heads
    if heads is not start.heads:
        scoring = scoring or start.heads[0].scoring
    if scoring is not None:
        heads = tuple(head if head.scoring == scoring else replace(head, scoring=scoring) for head in heads)
    selected = tuple(h for h in start.selected if h < len(heads)) or (0,)
    return _with_fields(replace(start, heads=heads, selected=selected), request)


def _start(
    request: Request, progress: Progress | None, tell: Callable[[str], None]
) -> tuple[Experiment, WordVectors]:
    """Return what the flags change: a session, an example, or the defaults."""
    if request.session is not None:
        from askew.session_request import session_start

        return session_start(
            request.session, tell, text=request.text, vectors=request.vectors, progress=progress
        )
    if request._model is not None:
        return _open_model(request, request._model, tell)
    vectors = open_vectors(_vectors_name(request), progress=progress)
    if request.example is not None:
        return example(request.example, vectors), vectors
    return default_experiment(vectors), vectors


def _open_model(request: Request, folder: str, tell: Callable[[str], None]) -> tuple[Experiment, WordVectors]:
    """Open a model's folder as an example of its own."""
    from askew.weights.model_folder import open_model_folder

    if request.vectors is not None:
        raise ExperimentError(
            f"a model brings its own words, and {request.vectors} was given as well",
            remedy="Leave out --vectors, or --example",
        )
    count, d_k = (None, None) if request.weights is not None else (request.heads, request.d_k)
    choice = Choice(
        heads=count, d_k=d_k, layer=request.layer, orientation=request.orientation, stack=request.stack
    )
    model = open_model_folder(folder, choice)
    needs = [f"its patterns need {model.needs}"] if model.needs else []
    missing = [f"not brought: {'; '.join(model.missing)}"] if model.missing else []
    told = [problem.message for problem in model.vectors.report]  # with the vectors, by who opened them
    for note in (*model.notes, *needs, *missing):
        if note not in told:
            tell(f"{model.vectors.name}: {note}")
    return model.experiment, model.vectors


def _check_flags(request: Request) -> None:
    """Refuse two starts, and choices about a file with weights where there is none."""
    if request.session is not None and request.example is not None:
        raise ExperimentError(
            "a session and an example were given", remedy=f"Leave out {request.session}, or --example"
        )
    if request.weights is not None:
        return
    for name in ("part",) if request._model is not None else ("orientation", "layer", "stack", "part"):
        if getattr(request, name) is not None:
            raise ExperimentError(f"--{name} is about a file of weights", remedy="Add --weights FILE")


def _nobody(_note: str) -> None:
    """Tell no one."""


def _vectors_name(request: Request) -> str:
    """Return the vectors asked for, else those of the example, else the default."""
    if request.vectors is not None:
        return request.vectors
    if request.example in EXAMPLES:
        return EXAMPLES[request.example].vectors or DEFAULT_VECTORS
    return DEFAULT_VECTORS


def _with_fields(experiment: Experiment, request: Request) -> Experiment:
    """Return the experiment with the simple fields of a request."""
    if request.text is not None:
        experiment = with_text(experiment, request.text)
    return replace(
        experiment,
        mask=request.mask or experiment.mask,
        positions=request.positions or experiment.positions,
        normalize=request.normalize or experiment.normalize,
        temperature=experiment.temperature if request.temperature is None else request.temperature,
        raw=request.raw or experiment.raw,
        compare=request.compare or experiment.compare,
        unknown=request.unknown or experiment.unknown,
    )


def _draw(request: Request, start: Experiment) -> tuple[Head, ...]:
    """Draw heads: what was asked for, else as the example has it, else the defaults."""
    count = _given(request.heads, len(start.heads))
    first, default = start.heads[0], default_width(start.d_model, count)
    d_k = _given(request.d_k, first.d_k if request._starts else default)
    d_v = _given(request.d_v, first.d_v if request._starts else default)
    check_shape(count, start.d_model, d_k, d_v)
    recipe = _recipe(request, shared_recipe(start), min(start.d_model, d_k))
    return tuple(draw_head(replace(recipe, index=h), start.d_model, d_k, d_v) for h in range(count))


def _recipe(request: Request, start: Recipe, largest_rank: int) -> Recipe:
    """Return what the heads are drawn from."""
    initializer = request.init or start.initializer
    if request.rank is not None and initializer != "low-rank":
        raise ExperimentError(
            f"a rank was given and the initializer is {initializer}", remedy="A rank is for low-rank alone"
        )
    if request.rank is not None and request.rank > largest_rank:
        raise ExperimentError(
            f"the rank is {request.rank}, more than such a matrix can have",
            remedy=f"Choose 1 to {largest_rank}",
        )
    return Recipe(
        initializer, _given(request.seed, start.seed), 0, _given(request.gain, start.gain), request.rank
    )


def _given(value: Number | None, default: Number) -> Number:
    """Return a value, or the default if there is none."""
    return default if value is None else value


def _read(
    request: Request, vectors: WordVectors, start: Experiment, tell: Callable[[str], None]
) -> tuple[Head, ...]:
    """Read heads from a file; matrices that it lacks are those of the example, or drawn as the flags say."""
    name = request.weights or ""
    file = look(name)
    stacked = file.scheme == "askew"  # which says by itself how many heads there are, and how wide
    choice = Choice(
        heads=None if stacked else request.heads,
        d_k=None if stacked else request.d_k,
        orientation=request.orientation,
        layer=request.layer,
        part=request.part,
        stack=request.stack,
    )
    what = plan(file, choice, vectors.dim, vectors=vectors.name)
    _check_wishes(request, what)
    imported = load(file, what)
    for note in (*what.notes, *_left_to_do(what)):
        tell(f"{file.name}: {note}")
    if imported.heads is not None:
        return imported.heads
    return imported.onto(_around(request, start, what))


def _check_wishes(request: Request, what: Plan) -> None:
    """Refuse to draw what comes from a file, and sizes other than its own."""
    drawn = (request.seed, request.init, request.gain, request.rank)
    if not what.lacking and any(value is not None for value in drawn):
        raise WeightsError(
            "weights come from the file and cannot be drawn as well",
            remedy="Leave out --seed, --init, --gain and --rank, or --weights",
        )
    asked = {"heads": request.heads, "d_k": request.d_k, "d_v": request.d_v}
    for (name, wanted), found in zip(asked.items(), (what.heads, what.d_k, what.d_v), strict=True):
        if None not in (wanted, found) and wanted != found:
            raise WeightsError(
                f"{name} is {found} in it, and {wanted} was asked for",
                where=request.weights or "",
                remedy=f"Leave out --{name.replace('_', '-')}",
            )


def _left_to_do(what: Plan) -> list[str]:
    """Say what the file does not bring, and what its scheme needs besides."""
    told = []
    if what.lacking:
        told.append(f"{', '.join(what.lacking)} not in it: left as the other flags have it")
    if what.needs:
        told.append(f"its patterns need {what.needs}; scoring, mask and positions stay as the flags say")
    if what.missing:
        told.append(f"not brought: {'; '.join(what.missing)}")
    return told


def _around(request: Request, start: Experiment, what: Plan) -> tuple[Head, ...]:
    """Return the heads whose missing matrices stay: those of the example if they fit, else drawn ones."""
    first = start.heads[0]
    fitting = len(start.heads) == what.heads and what.d_k in (None, first.d_k)
    if request._starts and not request._draws and fitting and what.d_v in (None, first.d_v):
        return start.heads
    d_k, d_v = what.d_k or request.d_k, what.d_v or request.d_v
    return _draw(replace(request, heads=what.heads, d_k=d_k, d_v=d_v), start)
