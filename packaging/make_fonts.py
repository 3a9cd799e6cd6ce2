"""Makes the fonts in assets/askew_assets/fonts from the published Noto fonts.

    python packaging/make_fonts.py NOTO_FOLDER NotoSansCJK-Regular.ttc

needs fonttools (``pip install fonttools``). NOTO_FOLDER holds NotoSans-Regular.ttf, NotoSans-Bold.ttf,
NotoSansMono-Regular.ttf, NotoSansMath-Regular.ttf and NotoSansSymbols2-Regular.ttf; the collection is release
2.004 of Noto Sans CJK. Debian and Ubuntu carry both as fonts-noto-core and fonts-noto-cjk.

The first three are copied as they are. The others are cut down to what Noto Sans itself lacks, given the
line height of Noto Sans, so that a symbol never makes a line taller, and named anew: the Open Font License
reserves names for the unmodified fonts. Copyright and licence stay in their name tables.
"""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path

from fontTools.merge import Merger
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

FONTS = Path(__file__).resolve().parent.parent / "assets" / "askew_assets" / "fonts"
WHOLE = ("NotoSans-Regular.ttf", "NotoSans-Bold.ttf", "NotoSansMono-Regular.ttf")
SYMBOL_BLOCKS = ((0x2190, 0x2200), (0x2200, 0x2300), (0x2318, 0x2319), (0x21E7, 0x21E8), (0x25A0, 0x2600))
SYMBOL_SINGLES = (0x27C2, 0x2605, 0x2606, 0x2713, 0x2717, 0x232B, 0x23CE)
SIMPLIFIED_CHINESE = 2
FIXED_DATE = 3_800_000_000


def main(noto: Path, cjk: Path) -> None:
    """Write all fonts."""
    FONTS.mkdir(parents=True, exist_ok=True)
    for name in WHOLE:
        shutil.copyfile(noto / name, FONTS / name)
    base = TTFont(noto / WHOLE[0])
    letters = set(base.getBestCmap())
    symbols = _symbols(noto, letters)
    _finish(symbols, "Askew Symbols", base, FONTS / "AskewSymbols-Regular.ttf")
    han = _cut(TTFont(cjk, fontNumber=SIMPLIFIED_CHINESE), _gb2312() - letters - set(symbols.getBestCmap()))
    _finish(han, "Askew Han", base, FONTS / "AskewHan-Regular.otf")


def _symbols(noto: Path, letters: set[int]) -> TTFont:
    """Return arrows, operators and shapes of two fonts as one."""
    wanted = {code for start, end in SYMBOL_BLOCKS for code in range(start, end)} | set(SYMBOL_SINGLES)
    wanted -= letters
    parts = []
    for name in ("NotoSansMath-Regular.ttf", "NotoSansSymbols2-Regular.ttf"):
        font = TTFont(noto / name)
        wanted_here = wanted & set(font.getBestCmap())
        wanted -= wanted_here
        part = io.BytesIO()
        _cut(font, wanted_here).save(part)
        part.seek(0)
        parts.append(part)
    merged: TTFont = Merger().merge(parts)
    return merged


def _gb2312() -> set[int]:
    """Return the characters of GB 2312 and the full-width forms of ASCII."""
    codes = set(range(0x3000, 0x3018)) | set(range(0xFF01, 0xFF5F))
    for first in range(0xA1, 0xFE):
        for second in range(0xA1, 0xFF):
            try:
                codes.add(ord(bytes((first, second)).decode("gb2312")))
            except UnicodeDecodeError:
                continue
    return codes


def _cut(font: TTFont, codes: set[int]) -> TTFont:
    options = Options()
    options.layout_features = []
    options.name_IDs = ["*"]
    options.name_languages = [0x409]
    options.drop_tables += ["MATH", "GSUB", "GPOS", "GDEF", "BASE", "VORG", "vhea", "vmtx", "DSIG", "FFTM"]
    options.hinting = False
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=sorted(codes))
    subsetter.subset(font)
    return font


def _finish(font: TTFont, family: str, base: TTFont, target: Path) -> None:
    """Name a cut font, give it the line height of `base` and save it, the same bytes each time."""
    style = family.replace(" ", "")
    names = {
        1: family,
        2: "Regular",
        3: f"1.0;{style}-Regular",
        4: f"{family} Regular",
        6: f"{style}-Regular",
    }
    table = font["name"]
    table.names = [record for record in table.names if record.nameID not in (*names, 16, 17, 25)]
    for key, text in names.items():
        table.setName(text, key, 3, 1, 0x409)
    if "CFF " in font:
        font["CFF "].cff.fontNames = [names[6]]
        top = font["CFF "].cff.topDictIndex[0]
        top.FullName, top.FamilyName = names[4], family
    scale = font["head"].unitsPerEm / base["head"].unitsPerEm
    for part, fields in (
        ("hhea", ("ascent", "descent", "lineGap")),
        ("OS/2", ("sTypoAscender", "sTypoDescender", "sTypoLineGap", "usWinAscent", "usWinDescent")),
    ):
        for field in fields:
            setattr(font[part], field, round(getattr(base[part], field) * scale))
    font["head"].created = font["head"].modified = FIXED_DATE
    font.recalcTimestamp = False
    font.save(target)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
