"""Make the data of ICU small: `icu_data.py LIBRARY`. Qt brings 32 MB of it and Askew needs a tenth.

What stays: properties of letters, converters, the order of words that all languages start from. What goes:
names of languages, places, currencies and units, orders and rules of single languages. Qt has numbers and
dates of its own.

The data is a table of contents and items, one after the other (ICU's "common data format", ucmndata.h): a
header whose first two bytes are its size, the number of items, then for each, in the order of their names,
where its name and its data begin, counted from the end of the header.
"""

from __future__ import annotations

import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ALIGNED = 16
FOLDERS_LEFT_OUT = ("brkitr", "curr", "lang", "rbnf", "region", "translit", "unit", "zone")
KEPT_OF_LANGUAGES = ("root", "res_index", "pool", "supplementalData", "ucadata", "en", "en_US")


def stays(name: str) -> bool:
    """Tell whether an item stays, by its name, as `icudt73l/coll/de.res`."""
    parts = name.split("/")[1:]
    stem, _, ending = parts[-1].partition(".")
    if len(parts) > 1 and parts[0] in FOLDERS_LEFT_OUT:
        return False
    if len(parts) > 1 and parts[0] == "coll":
        return stem in KEPT_OF_LANGUAGES
    is_locale = ending == "res" and len(stem.partition("_")[0]) in (2, 3)
    return not is_locale or stem in KEPT_OF_LANGUAGES


def trimmed(data: bytes) -> bytes:
    """Return the data with only those items that stay."""
    header = struct.unpack_from("<H", data)[0]
    (count,) = struct.unpack_from("<I", data, header)
    toc = [struct.unpack_from("<II", data, header + 4 + 8 * i) for i in range(count)]
    ends = [start for _, start in toc[1:]] + [len(data) - header]
    items = []
    for (name_at, start), end in zip(toc, ends, strict=True):
        name_end = data.index(b"\0", header + name_at)
        name = data[header + name_at : name_end]
        if stays(name.decode("ascii")):
            items.append((name, data[header + start : header + end]))
    return data[:header] + _packed(items)


def _packed(items: list[tuple[bytes, bytes]]) -> bytes:
    """Return the table of contents, the names and the items."""
    names = b"".join(name + b"\0" for name, _ in items)
    first_name = 4 + 8 * len(items)
    start = _aligned(first_name + len(names))
    toc, bodies, name_at = [], b"", first_name
    for name, body in items:
        toc.append(struct.pack("<II", name_at, start + len(bodies)))
        bodies += body + bytes(_aligned(len(body)) - len(body))
        name_at += len(name) + 1
    head = struct.pack("<I", len(items)) + b"".join(toc) + names
    return head + bytes(start - len(head)) + bodies


def _aligned(size: int) -> int:
    return -(-size // ALIGNED) * ALIGNED


def main(library: Path) -> None:
    """Replace a libicudata.so by a small one."""
    told = subprocess.run(["objdump", "-T", library], capture_output=True, text=True, check=True).stdout
    words = next(line.split() for line in told.splitlines() if line.endswith("_dat"))
    symbol, start, size = words[-1], int(words[0], 16), int(words[4], 16)
    headers = subprocess.run(["objdump", "-h", library], capture_output=True, text=True, check=True).stdout
    section = next(line.split() for line in headers.splitlines() if line.split()[1:2] == [".rodata"])
    offset = int(section[5], 16) + start - int(section[3], 16)
    data = trimmed(library.read_bytes()[offset : offset + size])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "data").write_bytes(data)
        (folder / "data.s").write_text(
            f".section .rodata\n.balign {ALIGNED}\n.globl {symbol}\n.type {symbol}, @object\n"
            f'.size {symbol}, {len(data)}\n{symbol}:\n.incbin "data"\n'
            '.section .note.GNU-stack,"",@progbits\n'
        )
        subprocess.run(["as", "-o", "data.o", "data.s"], cwd=folder, check=True)
        link = ["ld", "-shared", "-soname", library.name, "-z", "noexecstack", "--build-id=none"]
        subprocess.run([*link, "-o", "small.so", "data.o"], cwd=folder, check=True)
        library.write_bytes((folder / "small.so").read_bytes())
    print(f"askew: {library.name}: {size / 1e6:.1f} MB became {len(data) / 1e6:.1f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
