"""numpy's .npy: a bare matrix, whose words stand in a list beside it."""

from __future__ import annotations

import re

from askew.errors import VectorsError
from askew.vectors.formats import spacy_folder
from askew.vectors.formats.contents import Contents, Request, contents_of_table
from askew.vectors.formats.npy_header import stored_matrix
from askew.vectors.formats.word_list import words_for

_PART = re.compile(
    r"(.+?)(?:\.(?:wv|docvecs|dv|trainables|vocabulary))?"
    r"\.(?:vectors|vectors_vocab|vectors_ngrams|vectors_docs|vectors_lockf|vectors_vocab_lockf"
    r"|vectors_ngrams_lockf|syn0|syn0norm|syn0_vocab|syn0_ngrams|syn0_all|syn0_lockf|syn1|syn1neg|doctag_syn0)"
    r"\.npy"
)


def read(request: Request) -> Contents:
    """Read a .npy and its word list."""
    source = request.source
    if source.data is None and spacy_folder.is_spacy(source.path):
        return spacy_folder.read(request)
    part = _PART.fullmatch(source.name)
    if part and request.options.words is None:
        there = "which is" if source.path.with_name(part[1]).exists() else "which should be"
        raise VectorsError(
            f"this is a part of the gensim file {part[1]}",
            where=source.name,
            remedy=f"Open {part[1]} instead, {there} in the same folder",
        )
    matrix = stored_matrix(source)
    words = words_for(source.path, matrix.rows, matrix.dim, request)
    return contents_of_table("npy", words, matrix, request)
