"""What a file holds is told without reading its numbers; what cannot be read safely is refused in words."""

from __future__ import annotations

import io
import json
import pickle
import tracemalloc
import zipfile
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest
from tests.core.weights.written import bfloat16, safetensors

from askew.errors import WeightsError
from askew.weights import Choice, Tensor, load, look, look_text, looking, plan

if TYPE_CHECKING:
    from pathlib import Path

W = np.array([[1, -2, 0.5], [4, 8, -0.25]], np.float32)


def brought(path: Path) -> list[list[float]]:
    file = look(path)
    values = load(file, plan(file, Choice(orientation="in-out"))).parts["w_q"][0]
    return [list(map(float, row)) for row in values]


@pytest.mark.parametrize("kind", ["<f2", "<f4", "<f8", ">f4", ">f8", "<i8", "|i1"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_an_npy_of_any_type_and_order_is_read(tmp_path: Path, kind: str, order: Literal["C", "F"]) -> None:
    array = np.asarray(np.trunc(W), dtype=kind, order=order)
    np.save(tmp_path / "w.npy", array)
    assert brought(tmp_path / "w.npy") == np.trunc(W).tolist()
    assert look(tmp_path / "w.npy").tensors == (Tensor("w", (2, 3), array.dtype.name),)


@pytest.mark.parametrize("name", ["float16", "float32", "float64", "bfloat16", "int8", "int64"])
def test_safetensors_of_any_type_are_read(tmp_path: Path, name: str) -> None:
    values = np.trunc(W) if "int" in name else W
    array = bfloat16(values) if name == "bfloat16" else values.astype(name)
    path = safetensors(tmp_path / "m.safetensors", {"w": array})
    assert look(path).tensors == (Tensor("w", (2, 3), name),)
    assert brought(path) == values.tolist()


def test_a_file_is_known_by_its_content_not_by_its_name(tmp_path: Path) -> None:
    safetensors(tmp_path / "weights.dat", {"w": W})
    np.savez(tmp_path / "w.npz", w=W)
    (tmp_path / "w.npz").rename(tmp_path / "w.zip")
    np.save(tmp_path / "w.npy", W)
    (tmp_path / "w.npy").rename(tmp_path / "w.csv")
    kinds = [look(tmp_path / name).kind for name in ("weights.dat", "w.zip", "w.csv")]
    assert kinds == ["safetensors", "npz", "npy"]


def test_a_folder_stands_for_the_model_in_it_and_its_configuration_for_its_heads(tmp_path: Path) -> None:
    arrays = {f"layer.0.self_attn.{p}_proj.weight": np.ones((8, 4), np.float32) for p in "qkv"}
    safetensors(tmp_path / "model.safetensors", arrays)
    (tmp_path / "config.json").write_text(
        json.dumps({"num_attention_heads": 2, "rope_theta": 5e5, "sliding_window": 4096})
    )
    what = plan(look(tmp_path), Choice(), 4)
    assert (what.heads, what.d_k) == (2, 4)
    assert any("2 heads, as config.json beside it says" in note for note in what.notes)
    assert any("500,000" in each for each in what.missing)
    assert any("4,096 tokens" in each for each in what.missing)
    assert plan(look(tmp_path), Choice(heads=4), 4).d_k == 2


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"rope_parameters": {"rope_theta": 1e6, "rope_type": "default"}}, ["1,000,000"]),
        ({"rope_scaling": {"rope_type": "llama3", "factor": 8}}, ["'llama3'"]),
        ({"partial_rotary_factor": 0.5}, ["0.5 of each head"]),
        ({"rope_theta": 10000.0, "sliding_window": None, "rope_scaling": None}, []),
        ({"sliding_window": 64, "use_sliding_window": False}, []),
    ],
)
def test_what_is_special_about_the_positions_of_a_model_is_said(
    tmp_path: Path, config: dict[str, Any], said: list[str]
) -> None:
    safetensors(tmp_path / "model.safetensors", {"self_attn.q_proj.weight": np.ones((8, 4), np.float32)})
    (tmp_path / "config.json").write_text(json.dumps(config))
    (_norm, *missing) = plan(look(tmp_path), Choice(heads=2), 4).missing
    assert len(missing) == len(said)
    assert all(text in each for text, each in zip(said, missing, strict=True))


def test_a_configuration_whose_numbers_do_not_fit_the_matrices_is_not_believed(tmp_path: Path) -> None:
    safetensors(tmp_path / "model.safetensors", {"q_proj.weight": np.ones((8, 4), np.float32)})
    for config in ({"n_head": 3}, {"n_head": 2, "head_dim": 2}):
        (tmp_path / "config.json").write_text(json.dumps(config))
        (question,) = plan(look(tmp_path), Choice(), 4).questions
        assert f"{config['n_head']} of config.json beside it do not fit" in question.text


@pytest.mark.parametrize(
    "config", ["{", "[]", "null", '{"num_attention_heads": -3}', '{"n_head": "many"}', "[" * 9999]
)
def test_a_configuration_that_says_nothing_is_passed_over(tmp_path: Path, config: str) -> None:
    safetensors(tmp_path / "model.safetensors", {"q_proj.weight": np.ones((8, 4), np.float32)})
    (tmp_path / "config.json").write_text(config)
    (question,) = plan(look(tmp_path), Choice(), 4).questions
    assert question.options == ("1", "2", "4", "8")


def test_metadata_may_say_the_number_of_heads(tmp_path: Path) -> None:
    arrays = {"q_proj.weight": np.ones((8, 4), np.float32)}
    path = safetensors(tmp_path / "m.safetensors", arrays, {"num_attention_heads": "4"})
    what = plan(look(path), Choice(), 4)
    assert (what.heads, what.d_k) == (4, 2)
    assert any("metadata" in note for note in what.notes)


class RunsCode:
    """Makes a file when a pickle of it is loaded."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (open, ("ASKEW_TEST_PICKLE_WAS_RUN", "w"))


def test_pickles_are_refused_and_nothing_in_them_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for protocol in range(2, 6):
        (tmp_path / "model.bin").write_bytes(pickle.dumps(RunsCode(), protocol=protocol))
        with pytest.raises(WeightsError, match=r"a PyTorch pickle can run code.*safetensors"):
            look(tmp_path / "model.bin")
    (tmp_path / "old.pt").write_bytes(pickle.dumps(RunsCode(), protocol=0))
    with zipfile.ZipFile(tmp_path / "new.bin", "w") as archive:
        archive.writestr("archive/data.pkl", pickle.dumps(RunsCode()))
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/pytorch_model.bin").write_bytes(b"")
    for name in ("old.pt", "new.bin", "folder"):
        with pytest.raises(WeightsError, match="a PyTorch pickle can run code"):
            look(tmp_path / name)
    assert not (tmp_path / "ASKEW_TEST_PICKLE_WAS_RUN").exists()


def test_the_list_of_a_model_in_parts_names_them(tmp_path: Path) -> None:
    weight_map = {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": weight_map}))
    for path in (index, tmp_path):
        with pytest.raises(
            WeightsError, match=r"2 files: model-00001-of-00002\.safetensors, .*Open the part"
        ):
            look(path)
    index.write_text("[]")
    with pytest.raises(WeightsError, match="lists no parts"):
        look(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("w.npy", b"", "the file is empty"),
        ("w.npy", b"1,2\n", r"not an \.npy file"),
        ("w.gguf", b"GGUF\3\0\0\0", "GGUF"),
        ("w.h5", b"\x89HDF\r\n\x1a\n", "HDF5"),
        ("w.csv", b"\xff\xfe\xfd", "UTF-8|table"),
        ("w.dat", b"1,2\0", "no file of weights"),
        ("w.npy", b"\x93NUMPY\x01\x00v\x00{", "incomplete|header"),
        ("w.safetensors", b"\x02\0\0\0\0\0\0\0{}", "no matrices"),
        ("w.safetensors", b"\x02\0\0\0\0\0\0\0[]", "not a safetensors file"),
        ("w.safetensors", b"PK\3\4 and more of it", "not a safetensors file"),
    ],
)
def test_what_is_no_file_of_weights_is_refused(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(WeightsError, match=rf"{name}: .*({said})"):
        look(tmp_path / name)


def test_an_archive_of_tables_is_to_be_unpacked(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "heads.zip", "w") as archive:
        archive.writestr("head0_w_q.csv", "1,2\n")
    with pytest.raises(WeightsError, match=r"heads\.zip: it is an archive of tables\. Unpack it"):
        look(tmp_path / "heads.zip")


def test_what_is_no_file_at_all_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"cannot read .*none\.npz: no such file"):
        look(tmp_path / "none.npz")
    for name in ("x" * 300, "a\0b"):
        with pytest.raises(WeightsError, match="cannot read"):
            look(tmp_path / name)
    with pytest.raises(WeightsError, match=r"no model\.safetensors in the folder"):
        look(tmp_path)
    with pytest.raises(WeightsError, match="it is no file"):
        look("/dev/null")


@pytest.mark.parametrize("dtype", ["bool", "complex", "U3", "S3", "datetime64[s]"])
def test_what_is_no_number_is_refused_by_its_type(tmp_path: Path, dtype: str) -> None:
    np.save(tmp_path / "w.npy", np.zeros((2, 2), dtype))
    with pytest.raises(WeightsError, match=r"w\.npy: w is of type .*, not numbers"):
        plan(look(tmp_path / "w.npy"), Choice())


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_number_that_is_not_finite_is_refused_with_its_place_in_the_file(
    tmp_path: Path, value: float
) -> None:
    packed = np.zeros((12, 4), np.float32)
    packed[6, 2] = value
    path = safetensors(tmp_path / "m.safetensors", {"in_proj_weight": packed})
    with pytest.raises(WeightsError, match=r"in_proj_weight holds .* not finite: row 7, column 3"):
        load(look(path), plan(look(path), Choice(heads=2), 4))
    turned = packed.T.copy()
    path = safetensors(tmp_path / "m.safetensors", {"attn.c_attn.weight": turned})
    with pytest.raises(WeightsError, match=r"not finite: row 3, column 7"):
        load(look(path), plan(look(path), Choice(heads=2), 4))


def test_a_compressed_array_that_says_to_be_huge_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    header = io.BytesIO()
    said = {"descr": "<f4", "fortran_order": False, "shape": (8192, 8192)}
    np.lib.format.write_array_header_1_0(header, said)
    with zipfile.ZipFile(tmp_path / "w.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("w.npy", header.getvalue() + bytes(4 * 8192**2))
    file = look(tmp_path / "w.npz")
    with pytest.raises(WeightsError, match=r"w\.npz.*256 MB"):
        load(file, plan(file, Choice(), 8192))


def test_a_text_that_is_too_long_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "MOST_TEXT", 8)
    (tmp_path / "w.csv").write_text("1,2\n3,4\n5,6\n")
    with pytest.raises(WeightsError, match=r"Save it as \.npy"):
        look(tmp_path / "w.csv")
    with pytest.raises(WeightsError, match=r"Save it as \.npy"):
        look_text("1,2\n3,4\n5,6\n")


def test_of_a_big_model_only_the_layer_asked_for_is_read(tmp_path: Path) -> None:
    size, header, end = 1024, {}, 0
    for layer in range(200):
        for part in "qkv":
            span = [end, end + 4 * size * size]
            said = {"dtype": "F32", "shape": [size, size], "data_offsets": span}
            header[f"model.layers.{layer}.self_attn.{part}_proj.weight"] = said
            end = span[1]
    head = json.dumps(header).encode()
    path = tmp_path / "model.safetensors"
    with path.open("wb") as file:
        file.write(len(head).to_bytes(8, "little") + head)
        file.truncate(8 + len(head) + end)  # 2.5 GB of nothing, which takes no room on disk
    tracemalloc.start()
    found = look(path)
    what = plan(found, Choice(layer=150, heads=16), size)
    looked = tracemalloc.get_traced_memory()[1]
    imported = load(found, what)
    loaded = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert imported.count == 16
    assert looked < 5e6
    assert loaded < 3 * 3 * 4 * size * size
