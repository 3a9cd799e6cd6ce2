from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.core.weights.folders import write_bert

from askew.errors import VectorsError
from askew.evaluation import evaluate
from askew.session import Session
from askew.session_file import CARRIED_LIMIT, load, save, to_bytes
from askew.session_vectors import find_vectors, open_found
from askew.weights.model_folder import open_model_folder

if TYPE_CHECKING:
    from pathlib import Path


def test_a_model_in_a_folder_comes_back_with_its_words_embedding_layer_and_heads(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    folder = write_bert(tmp_path / "work/bert")
    model = open_model_folder(folder, text="the cat sat")
    tables = {model.vectors.fingerprint: model.vectors}
    session = Session((model.experiment,))
    save(tmp_path / "work/s.askew", session, tables, places={model.vectors.fingerprint: folder})
    shutil.move(tmp_path / "work", tmp_path / "moved")

    loaded = load(tmp_path / "moved/s.askew")
    (saved,) = loaded.vectors.values()
    again = loaded.session.experiment
    before = evaluate(model.experiment, open_model_folder(tmp_path / "moved/bert").vectors)
    np.testing.assert_array_equal(evaluate(again, saved.table).pattern, before.pattern)
    place = find_vectors(saved, tmp_path / "moved/s.askew")
    assert place.source == tmp_path / "moved/bert"
    assert open_found(place).ref == model.vectors.ref
    assert again.embedding is not None
    assert again.embedding.positions is not None

    shutil.rmtree(tmp_path / "moved/bert")
    gone = find_vectors(saved, tmp_path / "moved/s.askew")
    with pytest.raises(VectorsError, match=r"'bert' of this session was not found\. Choose the file"):
        open_found(gone)


def test_what_a_picture_of_a_model_carries_names_no_folder(tmp_path: Path) -> None:
    model = open_model_folder(write_bert(tmp_path / "bert"), text="the cat sat")
    data = to_bytes(
        Session((model.experiment,)), {model.vectors.fingerprint: model.vectors}, limit=CARRIED_LIMIT
    )
    assert str(tmp_path).encode() not in data
