"""A model in a folder opens as an example of its own: faithfully where it is a BERT."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.core.weights.folders import bert_tensors, write_bert, write_folder

from askew.embedding import as_model_runs
from askew.errors import AskewError
from askew.experiment import evaluate
from askew.vectors import open_vectors
from askew.weights import Choice
from askew.weights.model_folder import open_model_folder
from askew.weights.model_words import ModelRows, files_of, open_words

if TYPE_CHECKING:
    from collections.abc import Mapping

GOLDEN = Path(__file__).parents[2] / "data" / "golden_layer0_attention.npz"
D = 8


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_bert(tmp_path_factory.mktemp("models") / "small-bert")


def tiny(folder: Path, names: Mapping[str, tuple[int, ...]], words: dict[str, int], **files: object) -> Path:
    """Write a model of another kind: its word table and its W by name, a vocab.json."""
    rng = np.random.default_rng(3)
    tensors = {name: rng.normal(size=shape).astype(np.float32) for name, shape in names.items()}
    return write_folder(folder, tensors, vocab=words, **files)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", range(3))
def test_a_bert_folder_gives_the_pattern_of_the_original_model(bert: Path, number: int) -> None:
    model = open_model_folder(bert)
    with np.load(GOLDEN) as file:
        tokens = bytes(file[f"tokens{number}"]).decode().split("\n")
        pattern = file[f"A{number}"]
    shown = evaluate(replace(model.experiment, text=" ".join(tokens[1:-1])), model.vectors)
    assert [token.text for token in shown.tokens] == tokens
    np.testing.assert_allclose(shown.pattern, pattern, atol=5e-4, rtol=0)
    assert as_model_runs(model.experiment)
    assert not shown.notices or all(notice.kind != "not-the-model" for notice in shown.notices)


@pytest.mark.parametrize("prefix", ["bert.", "model.", "model.bert."])
def test_names_may_have_the_model_in_front(tmp_path: Path, prefix: str) -> None:
    model = open_model_folder(write_bert(tmp_path / "bert", prefix))
    assert as_model_runs(model.experiment)
    assert len(model.experiment.heads) == 12


def test_only_whole_words_are_words_and_the_others_are_told_in_numbers(bert: Path) -> None:
    model = open_model_folder(bert)
    bundled = open_vectors("minilm-l6-v2")
    assert len(model.vectors) == len(bundled)
    assert "##ing" not in model.vectors
    assert "[unused0]" not in model.vectors
    np.testing.assert_array_equal(model.vectors.get("tired"), bundled.get("tired"))
    assert "2 pieces inside of words (##) and 3 places without a word are left out" in model.notes[0]


def test_words_are_looked_up_without_capitals_and_accents(bert: Path) -> None:
    model = open_model_folder(bert)
    shown = evaluate(replace(model.experiment, text="The Caf\u00e9"), model.vectors)
    assert [token.key for token in shown.tokens] == ["[CLS]", "the", "cafe", "[SEP]"]


def test_a_cased_tokenizer_is_believed(tmp_path: Path) -> None:
    tensors, words = bert_tensors()
    folder = write_folder(
        tmp_path / "cased",
        tensors,
        words,
        {"num_attention_heads": 12},
        tokenizer_config={"do_lower_case": False},
    )
    assert not open_model_folder(folder).vectors.unaccented


def test_the_table_is_read_row_by_row_and_whole_only_for_nearest_words(
    bert: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    plain = ModelRows._read

    def counted(rows: ModelRows, row: int) -> object:
        read.append(row)
        return plain(rows, row)

    monkeypatch.setattr(ModelRows, "_read", counted)
    model = open_model_folder(bert)
    assert len(read) <= 4
    evaluate(model.experiment, model.vectors)
    assert len(read) < 60
    bundled = open_vectors("minilm-l6-v2")
    assert dict(model.vectors.neighbours("cat", 5)) == pytest.approx(dict(bundled.neighbours("cat", 5)))


def test_without_the_number_of_heads_the_error_names_what_is_possible(tmp_path: Path) -> None:
    tensors, words = bert_tensors()
    folder = write_folder(tmp_path / "bert", tensors, words)
    with pytest.raises(AskewError, match=r"12, .*16"):
        open_model_folder(folder)
    assert len(open_model_folder(folder, Choice(heads=12)).experiment.heads) == 12


def test_of_several_layers_the_first_is_taken_and_another_is_not_called_faithful(tmp_path: Path) -> None:
    tensors, words = bert_tensors()
    deeper = {
        name.replace("layer.0", "layer.1"): array * 2 for name, array in tensors.items() if "layer.0" in name
    }
    folder = write_folder(tmp_path / "bert", {**tensors, **deeper}, words, {"num_attention_heads": 12})
    model = open_model_folder(folder)
    assert as_model_runs(model.experiment)
    assert "layer 0 of 2" in model.notes
    second = open_model_folder(folder, Choice(layer=1))
    np.testing.assert_array_equal(second.experiment.heads[3].w_q, model.experiment.heads[3].w_q * 2)
    assert second.experiment.embedding is not None
    assert not second.experiment.embedding.complete


@pytest.mark.parametrize("choice", [Choice(heads=6), Choice(orientation="in-out")])
def test_heads_other_than_the_model_has_them_are_not_called_faithful(tmp_path: Path, choice: Choice) -> None:
    folder = write_bert(tmp_path / "bert")
    assert as_model_runs(open_model_folder(folder, Choice(heads=12, orientation="out-in")).experiment)
    assert not as_model_runs(open_model_folder(folder, choice).experiment)


def test_a_model_that_only_its_architecture_names_is_known(tmp_path: Path) -> None:
    model = open_model_folder(write_bert(tmp_path / "b", model_type=None, architectures=["BertForMaskedLM"]))
    assert as_model_runs(model.experiment)


def test_one_piece_is_no_pieces(tmp_path: Path) -> None:
    tensors, words = bert_tensors()
    words = [word for word in words if not word.startswith("##")] + ["##s"]
    table = "embeddings.word_embeddings.weight"
    name = next(each for each in tensors if each.endswith(table))
    tensors[name] = tensors[name][: len(words)]
    model = open_model_folder(write_folder(tmp_path / "b", tensors, words, {"num_attention_heads": 12}))
    assert "1 piece inside of words (##)" in model.notes[0]


def test_its_own_epsilon_counts(tmp_path: Path) -> None:
    model = open_model_folder(write_bert(tmp_path / "bert", layer_norm_eps=0.5))
    assert model.experiment.embedding is not None
    assert model.experiment.embedding.epsilon == 0.5
    with pytest.raises(AskewError, match="layer_norm_eps is 'small'"):
        open_model_folder(write_bert(tmp_path / "other", layer_norm_eps="small"))


@pytest.mark.parametrize(
    "said",
    [
        {"model_type": "esm"},
        {"model_type": None, "architectures": ["MPNetModel"]},
        {"position_embedding_type": "relative_key"},
        {"is_decoder": True},
    ],
)
def test_what_does_more_than_a_bert_is_not_called_faithful(tmp_path: Path, said: dict[str, Any]) -> None:
    model = open_model_folder(write_bert(tmp_path / "other", **said))
    assert model.experiment.embedding is not None
    assert not model.experiment.embedding.complete
    shown = evaluate(model.experiment, model.vectors)
    assert "not what the model sees" in shown.notices[0].text


def test_gpt2_gives_its_words_and_its_heads_and_says_what_they_need(tmp_path: Path) -> None:
    words = {"\u0120the": 0, "\u0120cat": 1, "ing": 2, ",": 3, "<|endoftext|>": 4}
    names = {
        "transformer.wte.weight": (5, D),
        "transformer.wpe.weight": (16, D),
        "transformer.h.0.attn.c_attn.weight": (D, 3 * D),
        "transformer.h.0.attn.c_attn.bias": (3 * D,),
    }
    model = open_model_folder(
        tiny(tmp_path / "gpt2", names, words, config={"n_head": 2, "model_type": "gpt2"})
    )
    assert list(model.vectors) == ["the", "cat", ",", "<|endoftext|>"]
    assert len(model.experiment.heads) == 2
    assert model.needs.mask == "causal"
    shown = evaluate(replace(model.experiment, text="the cat"), model.vectors)
    assert [token.text for token in shown.tokens] == ["the", "cat"]
    assert "the model does more than is known here" in shown.notices[0].text


def test_a_llama_shares_keys_and_needs_rope(tmp_path: Path) -> None:
    names = {
        "model.embed_tokens.weight": (3, D),
        "model.layers.0.self_attn.q_proj.weight": (D, D),
        "model.layers.0.self_attn.k_proj.weight": (D // 2, D),
        "model.layers.0.self_attn.v_proj.weight": (D // 2, D),
    }
    config = {"num_attention_heads": 4, "num_key_value_heads": 2, "model_type": "llama"}
    words = {"\u0120the": 0, "\u0120cat": 1, "\u0120dog": 2}
    model = open_model_folder(tiny(tmp_path / "llama", names, words, config=config))
    heads = model.experiment.heads
    assert heads[0].w_k is heads[1].w_k
    assert heads[1].w_k is not heads[2].w_k
    assert (model.needs.mask, model.needs.positions) == ("causal", "rope")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        ("vocab.txt", "words of the model are not in its folder"),
        ("model.safetensors", "no model.safetensors"),
    ],
)
def test_what_is_missing_is_named(tmp_path: Path, spoil: str, message: str) -> None:
    folder = write_bert(tmp_path / "bert")
    (folder / spoil).unlink()
    with pytest.raises(AskewError, match=message):
        open_model_folder(folder)


def test_more_words_than_rows_are_refused_and_fewer_are_not(tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "bert")
    words = (folder / "vocab.txt").read_text("utf-8")
    (folder / "vocab.txt").write_text(words + "one\ntwo\n", "utf-8")
    with pytest.raises(AskewError, match=r"15,012 words, but the table has 15,010 rows"):
        open_words(files_of(folder))
    (folder / "vocab.txt").write_text("\n".join(words.split("\n")[:9000]), "utf-8")
    assert len(open_words(files_of(folder))) < 9000


def test_a_row_that_is_not_finite_is_no_word(tmp_path: Path) -> None:
    tensors, words = bert_tensors()
    table = tensors["embeddings.word_embeddings.weight"].copy()
    table[words.index("cat"), 3] = np.nan
    folder = write_folder(
        tmp_path / "bert",
        {**tensors, "embeddings.word_embeddings.weight": table},
        words,
        {"num_attention_heads": 12},
    )
    vectors = open_words(files_of(folder))
    assert "cat" not in vectors
    assert "cat" not in [word for word, _ in vectors.neighbours("dog", 50)]


def test_a_settings_file_that_is_none_is_an_error(tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "bert")
    (folder / "config.json").write_text("[1, 2]", "utf-8")
    with pytest.raises(AskewError, match=r"settings|config"):
        open_model_folder(folder)


def test_the_same_words_of_another_file_have_another_fingerprint(tmp_path: Path, bert: Path) -> None:
    tensors, words = bert_tensors()
    other = write_folder(tmp_path / "bert", tensors, [*words[:-1], "zebrafish"], {"num_attention_heads": 12})
    first, second = open_words(files_of(bert)), open_words(files_of(other))
    assert first.fingerprint != second.fingerprint
    assert first.fingerprint == open_words(files_of(bert)).fingerprint


def test_a_folder_called_like_the_bundled_layer_is_not_taken_for_it(tmp_path: Path) -> None:
    model = open_model_folder(write_bert(tmp_path / "minilm-l6-v2"))
    assert model.vectors.name == "minilm-l6-v2 (folder)"
    assert model.experiment.embedding is not None
    assert model.experiment.embedding.name == "minilm-l6-v2 (folder)"


def test_its_words_alone_open_as_vectors(bert: Path) -> None:
    vectors, model = open_vectors(bert), open_model_folder(bert).vectors
    assert vectors.fingerprint == model.fingerprint
    assert list(vectors) == list(model)
    np.testing.assert_array_equal(vectors.get("cat"), model.get("cat"))
    with pytest.raises(AskewError, match="--language does not apply"):
        open_vectors(bert, language="en")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the files of a BERT of two words."""
    rng = np.random.default_rng(0)
    names = {
        "embeddings.word_embeddings.weight": (4, D),
        "embeddings.position_embeddings.weight": (5, D),
        "embeddings.token_type_embeddings.weight": (2, D),
        "embeddings.LayerNorm.weight": (D,),
        "embeddings.LayerNorm.bias": (D,),
        **{f"encoder.layer.0.attention.self.{name}.weight": (D, D) for name in ("query", "key", "value")},
    }
    tensors = {name: rng.normal(size=shape).astype(np.float32) for name, shape in names.items()}
    folder = write_folder(
        tmp_path_factory.mktemp("small") / "bert",
        tensors,
        ["[CLS]", "[SEP]", "the", "cat"],
        {"num_attention_heads": 2, "layer_norm_eps": 1e-6},
        tokenizer_config={"do_lower_case": True},
    )
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_folder_that_was_damaged_anyhow_opens_or_says_what_is_wrong(
    small: dict[str, bytes], tmp_path: Path, data: st.DataObject
) -> None:
    folder = tmp_path / "bert"
    folder.mkdir(exist_ok=True)
    name = data.draw(st.sampled_from(sorted(small)))
    content = bytearray(small[name])
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, min(len(content), 1500) - 1))
        content[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(content)))
    for each, whole in small.items():
        damaged = bytes(content[:cut] if data.draw(st.booleans()) else content)
        (folder / each).write_bytes(damaged if each == name else whole)
    try:
        model = open_model_folder(folder, text="the cat")
        evaluate(model.experiment, model.vectors)
    except AskewError as error:
        words = str(error)
    else:
        words = "fine"
    assert len(words) < 2000
