"""What a vector file leaves open, as a question with answers; the answers are those of the command line."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askew.vectors.options import Options
from askew.vectors.problems import ChoiceNeededError, DamagedError
from askew_gui.i18n import tr

if TYPE_CHECKING:
    from askew.errors import AskewError

ENCODINGS = (
    "utf-8",
    "latin-1",
    "cp1252",
    "utf-16",
    "gb18030",
    "big5",
    "shift_jis",
    "euc_kr",
    "koi8_r",
    "cp1251",
)
_WORDS = "--words"
_LIKELY = ("vectors", "embeddings", "embedding", "syn0", "wv")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person can choose, and how the file is read then."""

    text: str
    options: Options


@dataclass(frozen=True, slots=True)
class Question:
    """What has to be known before a file can be opened.

    Parameters
    ----------
    path
        The file.
    what
        What is unclear, as a sentence.
    answers
        The choices; none where only a file can be named.
    default
        Which answer is marked at first.
    names_file
        Whether another file, one with the words, may be named.
    options
        What was chosen so far.
    """

    path: str
    what: str
    answers: tuple[Answer, ...]
    default: int = 0
    names_file: bool = False
    options: Options = field(default_factory=Options)

    def with_words(self, file: str) -> Options:
        """Return how to read with the words of that file."""
        return replace(self.options, words=file)


def question_of(error: AskewError, path: str, options: Options) -> Question | None:
    """Return the question that an error asks, or None if there is nothing to choose."""
    what = _sentence(error.what, error.where.removeprefix(Path(path).name).lstrip(", "))
    if isinstance(error, DamagedError):
        text = error.way_out or tr("Leave out what is damaged")
        skip = Answer(text, replace(options, skip_damaged=True))
        return Question(path, what, (skip,), options=options)
    if isinstance(error, ChoiceNeededError):
        names = list(error.choices)
        option = error.flag.lstrip("-").replace("-", "_")
        answers = tuple(Answer(_shown(option, name), _chosen(options, option, name, path)) for name in names)
        words = error.flag == _WORDS
        default = _default(option, names)
        return Question(path, what, answers, default, names_file=words, options=options)
    if _WORDS in error.remedy:  # a matrix without words, or with words that do not fit
        return Question(path, what, (), names_file=True, options=options)
    return None


def _sentence(what: str, where: str) -> str:
    text = f"{where}: {what}" if where else what
    text = f"{text[:1].upper()}{text[1:]}"
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _chosen(options: Options, option: str, name: str, path: str) -> Options:
    # A list of words is named as it lies beside the file.
    value = str(Path(path).with_name(name)) if option == "words" else name
    change: dict[str, Any] = {option: value}
    return replace(options, **change)


def _shown(option: str, name: str) -> str:
    if option != "language":
        return name
    from PySide6.QtCore import QLocale

    language = QLocale.codeToLanguage(name)
    known = language != QLocale.Language.AnyLanguage
    return f"{QLocale.languageToString(language)} ({name})" if known else name


def _default(option: str, names: list[str]) -> int:
    """Return the likeliest answer: the person's own language, English, the name that vectors usually have."""
    if option == "language":
        from PySide6.QtCore import QLocale

        wanted: tuple[str, ...] = (QLocale.system().name().partition("_")[0], "en")
    else:
        wanted = _LIKELY
    return next((names.index(name) for name in wanted if name in names), 0)
