"""What a person chose where a vector file can be read in several ways."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from askew.vectors.companions import stamp


@dataclass(frozen=True, slots=True)
class Options:
    """Choices; each has a flag of the same name on the command line.

    Parameters
    ----------
    skip_damaged
        Leave out lines and rows that cannot be read instead of stopping at the first.
    limit
        Read only so many words, the first of the file.
    encoding
        Of a text file that is not in UTF-8.
    member
        Which file of an archive.
    words
        The file with the words of a bare matrix, one a line.
    language
        Which language of a file of several.
    """

    skip_damaged: bool = False
    limit: int | None = None
    encoding: str | None = None
    member: str | None = None
    words: str | None = None
    language: str | None = None

    def for_file(self, path: Path) -> Options:
        """Return the choices for a file, a list of words beside it named in full."""
        if self.words is None or Path(self.words).is_file() or not (path.parent / self.words).is_file():
            return self
        return replace(self, words=str(path.parent / self.words))

    def __str__(self) -> str:
        """Return the choices in one line that is equal only for equal choices."""
        words = None if self.words is None else (self.words, stamp(Path(self.words)))
        return repr((self.skip_damaged, self.limit, self.encoding, self.member, words, self.language))
