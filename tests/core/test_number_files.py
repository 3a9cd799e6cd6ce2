"""All numbers as a file: npz with the paths of the JSON, and names that say what is in a file."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.test_results import evaluation, strict

from askew.errors import ExperimentError
from askew.evaluation import evaluate
from askew.number_files import LONGEST_NAME, NUMBER_FORMATS, number_bytes, plain_name, suggested_name
from askew.results import to_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from askew.evaluation import Evaluation
    from askew.number_files import NumberFormat


def loaded(one: Evaluation) -> dict[str, Any]:
    with np.load(io.BytesIO(number_bytes(one, "npz")), allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def leaves(data: object, path: str = "") -> Iterator[tuple[str, Any]]:
    """Give the paths of a JSON down to matrices, lists of words and single values."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from leaves(value, f"{path}/{key}".strip("/"))
    elif isinstance(data, list) and data and isinstance(data[0], dict):
        for place, value in enumerate(data):
            yield from leaves(value, f"{path}/{place}")
    else:
        yield path, data


@pytest.mark.parametrize("text", ["the nil cat sat on zzyzx", "cat"])
def test_the_names_of_npz_are_the_paths_of_the_json_and_its_values_the_same(text: str) -> None:
    one = evaluation(text, unknown="keep")
    found = loaded(one)
    expected = dict(leaves(to_json(one)))
    assert expected.pop("context") is None
    assert set(found) == set(expected)
    for path, value in expected.items():
        if path.endswith("sink/index") or path in ("format", "d_model", "state") or path.endswith("d_k"):
            assert found[path].item() == value
        elif path in ("tokens", "unknown"):
            assert found[path].tolist() == value
        elif path.endswith("sink/token"):
            assert found[path].item() == value
        else:
            kind = np.float64 if "measures" in path else np.float32
            assert found[path].dtype == kind
            np.testing.assert_array_equal(found[path], np.array(value, kind))


def test_npz_holds_the_very_float32() -> None:
    one = evaluation()
    found = loaded(one)
    for h, head in enumerate(one.heads):
        assert found[f"heads/{h}/scores"].tobytes() == np.ascontiguousarray(head.scores).tobytes()
        assert found[f"heads/{h}/outputs"].tobytes() == np.ascontiguousarray(head.outputs).tobytes()


def test_what_has_no_value_is_nan_in_npz_and_a_sink_that_is_not_there_minus_one() -> None:
    none = evaluation("zzyzx", unknown="keep")
    found = loaded(none)
    assert np.isnan(found["heads/0/measures/sharpness"])
    assert found["heads/0/measures/sink/index"] == -1
    assert found["heads/0/measures/sink/token"] == ""


@pytest.mark.parametrize("kind", NUMBER_FORMATS)
def test_the_same_experiment_gives_the_same_bytes_in_every_format(kind: NumberFormat) -> None:
    assert number_bytes(evaluation(), kind) == number_bytes(evaluation(), kind)


def test_json_ends_its_only_line() -> None:
    content = number_bytes(evaluation(), "json").decode()
    assert content.count("\n") == 1
    assert strict(content)["format"] == 1


def test_json_and_npz_say_what_they_are_of() -> None:
    one = evaluation("the cat", mode="matched")
    said = to_json(one)["state"]
    assert said == loaded(one)["state"].item()
    for part in ("“the cat”", "all 2 heads", "as sharp as the head's", "seed 0"):
        assert part in said


@pytest.mark.parametrize("kind", NUMBER_FORMATS)
def test_more_numbers_than_a_file_is_good_for_are_refused(kind: NumberFormat) -> None:
    with pytest.raises(ExperimentError, match="Shorten the text"):
        number_bytes(evaluation("cat " * 1500), kind)


def test_a_suggested_name_says_what_is_in_the_file() -> None:
    one = evaluation("the cat, on the mat!")
    assert suggested_name(one, "numbers") == "askew-numbers-the-cat-on-the-mat"
    assert suggested_name(one, "raw") == "askew-pattern-raw-the-cat-on-the-mat"
    both = evaluate(replace(one.experiment, selected=(1, 0), quantity="scores"), one.vectors)
    assert suggested_name(both, "difference") == "askew-scores-difference-0-1-the-cat-on-the-mat"
    assert suggested_name(evaluation(""), "report") == "askew-report"


@given(st.text())
def test_a_plain_name_is_fit_for_every_system(text: str) -> None:
    name = plain_name(text)
    assert re.fullmatch(r"(?:[^\W_]+(?:-[^\W_]+)*)?", name)
    assert len(name) <= LONGEST_NAME


def test_a_plain_name_keeps_letters_of_every_script_and_ends_with_a_word() -> None:
    assert plain_name("naïve 猫/../CON: a_b") == "naïve-猫-CON-a-b"
    assert plain_name("word " * 20) == "word-word-word-word-word-word-word-word"
    assert plain_name("x" * 99) == "x" * LONGEST_NAME
