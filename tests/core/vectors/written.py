"""Vector files written by the libraries they belong to, or by hand where none does."""

from __future__ import annotations

import json
import struct
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from safetensors.numpy import save_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from askew.arrays import Float32

M64 = (1 << 64) - 1


def as_npy(folder: Path, words: Sequence[str], matrix: Float32) -> Path:
    np.save(folder / "m.npy", matrix)
    (folder / "m_vocab.txt").write_bytes("".join(f"{word}\n" for word in words).encode())
    return folder / "m.npy"


def as_npy_by_columns(folder: Path, words: Sequence[str], matrix: Float32) -> Path:
    return as_npy(folder, words, np.asfortranarray(matrix))


def as_npy_big_endian(folder: Path, words: Sequence[str], matrix: Float32) -> Path:
    return as_npy(folder, words, matrix.astype(">f4"))


def as_npy_of_doubles(folder: Path, words: Sequence[str], matrix: Float32) -> Path:
    return as_npy(folder, words, matrix.astype(np.float64))


def as_npz(folder: Path, words: Sequence[str], matrix: Float32) -> Path:
    np.savez(folder / "m.npz", words=np.array(words), vectors=matrix)
    return folder / "m.npz"


def as_npz_compressed(folder: Path, words: Sequence[str], matrix: Float32) -> Path:
    text = np.frombuffer("\n".join(words).encode(), dtype=np.uint8)
    np.savez_compressed(folder / "m.npz", vocab_utf8=text, embeddings=matrix, frequency=np.arange(len(words)))
    return folder / "m.npz"


def as_safetensors(folder: Path, words: Sequence[str], matrix: Float32) -> Path:
    text = np.frombuffer("\n".join(words).encode(), dtype=np.uint8)
    save_file({"vocab_utf8": text, "vectors": matrix}, folder / "m.safetensors", {"source": "test"})
    return folder / "m.safetensors"


def as_model2vec(folder: Path, words: Sequence[str], matrix: Float32) -> Path:
    save_file({"embeddings": matrix}, folder / "model.safetensors")
    write_tokenizer(folder, {word: number for number, word in enumerate(words)})
    return folder / "model.safetensors"


def as_gensim(folder: Path, words: Sequence[str], matrix: Float32) -> Path:
    gensim_of(words, matrix).save(str(folder / "m.kv"))
    return folder / "m.kv"


def as_gensim_in_parts(folder: Path, words: Sequence[str], matrix: Float32) -> Path:
    gensim_of(words, matrix).save(str(folder / "m.kv"), separately=["vectors"])
    return folder / "m.kv"


def as_fasttext(folder: Path, words: Sequence[str], matrix: Float32) -> Path:
    """Without letter groups, so that a word has its own row."""
    (folder / "m.bin").write_bytes(
        fasttext(words, matrix, np.zeros((0, matrix.shape[1]), np.float32), (0, 0))
    )
    return folder / "m.bin"


def as_spacy(folder: Path, words: Sequence[str], matrix: Float32) -> Path:
    write_spacy(folder / "model" / "vocab", words, matrix, range(len(words)))
    return folder / "model"


def as_numberbatch(folder: Path, words: Sequence[str], matrix: Float32) -> Path:
    lines = [f"{2 * len(words)} {matrix.shape[1]}"]
    for word, row in zip(words, matrix, strict=True):
        numbers = " ".join(str(value) for value in row)
        lines += [f"/c/de/{word.replace(' ', '_')} {numbers}", f"/c/en/{word.replace(' ', '_')} {numbers}"]
    (folder / "m.txt").write_bytes("".join(f"{line}\n" for line in lines).encode())
    return folder / "m.txt"


def gensim_of(words: Sequence[str], matrix: Float32) -> Any:  # noqa: ANN401
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from gensim.models import KeyedVectors
    vectors = KeyedVectors(matrix.shape[1])
    vectors.add_vectors(list(words), matrix)
    return vectors


def fasttext(
    words: Sequence[str],
    own: Float32,
    groups: Float32,
    letters: tuple[int, int],
    *,
    model: int = 2,
    quantized: bool = False,
) -> bytes:
    """Return a fastText .bin, as FastText::saveModel writes it."""
    dim = own.shape[1]
    arguments = (dim, 5, 5, 1, 5, 1, 2, model, len(groups), *letters, 100)
    header = struct.pack("<2i12id", 793712314, 12, *arguments, 1e-4)
    entries = b"".join(word.encode() + b"\0" + struct.pack("<qb", 7, 0) for word in words)
    dictionary = struct.pack("<3iqq", len(words), len(words), 0, 7 * len(words), -1) + entries
    rows = np.concatenate([own, groups]).astype("<f4")
    return (
        header
        + dictionary
        + struct.pack("<?qq", quantized, len(rows), dim)
        + rows.tobytes()
        + struct.pack("<?qq", False, len(words), dim)
        + np.zeros((len(words), dim), "<f4").tobytes()
    )


def write_tokenizer(folder: Path, vocabulary: dict[str, int] | list[list[object]], **more: object) -> None:
    content = {"version": "1.0", **more, "model": {"type": "WordPiece", "vocab": vocabulary}}
    (folder / "tokenizer.json").write_text(json.dumps(content), "utf-8")


def write_spacy(folder: Path, words: Sequence[str], matrix: Float32, rows: Sequence[int]) -> None:
    folder.mkdir(parents=True)
    with (folder / "vectors").open("wb") as file:
        np.save(file, matrix)
    pairs = [
        b"\xcf" + struct.pack(">Q", murmur(word.encode())) + packed(row)
        for word, row in zip(words, rows, strict=True)
    ]
    (folder / "key2row").write_bytes(b"\xdf" + struct.pack(">I", len(pairs)) + b"".join(pairs))
    (folder / "strings.json").write_text(json.dumps(["not in the table", *words]), "utf-8")
    (folder / "vectors.cfg").write_text('{"mode": "default"}', "utf-8")


def packed(number: int) -> bytes:
    """Return a number as MessagePack writes it."""
    if number < 128:
        return bytes([number])
    return b"\xcd" + struct.pack(">H", number)


def murmur(text: bytes) -> int:
    """Return MurmurHash64A with seed 1, byte after byte, after Appleby's description."""
    m, r = 0xC6A4A7935BD1E995, 47
    h = 1 ^ (len(text) * m & M64)
    for start in range(0, len(text) - 7, 8):
        k = int.from_bytes(text[start : start + 8], "little") * m & M64
        k = (k ^ (k >> r)) * m & M64
        h = (h ^ k) * m & M64
    if len(text) % 8:
        h = (h ^ int.from_bytes(text[len(text) // 8 * 8 :], "little")) * m & M64
    h = (h ^ (h >> r)) * m & M64
    return h ^ (h >> r)
