"""What can be wrong with a session, and how its places are named."""

from __future__ import annotations

from askew.errors import AskewError

DOCUMENT = "session.json"
ARRAYS = "arrays.npz"


class SessionError(AskewError):
    """A session cannot be read or written; `where` names the file and the path inside it."""


class NewerSessionError(SessionError):
    """A session of a format that only a newer Askew knows."""


class TooLargeError(SessionError):
    """A session has more numbers than a picture may carry."""


def in_document(name: str, path: str = "") -> str:
    """Return how a place in the document of a file is named."""
    return f"{name}, {DOCUMENT} {path}".rstrip()


def in_arrays(name: str, array: str = "") -> str:
    """Return how an array of a file is named."""
    return f'{name}, {ARRAYS} "{array}"' if array else f"{name}, {ARRAYS}"
