"""The patterns of the lexer, apart from it: they take a tenth of the program's start to load.

A sentence of plain words needs none of them.
"""

from __future__ import annotations

import regex

# Letters of scripts that put no spaces between words.
_DENSE = (
    r"[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
    r"\p{Tibetan}\p{Javanese}]&&[\p{L}\p{M}\p{Nl}]]"
)
_WORD = rf"[[\p{{L}}\p{{M}}\p{{N}}\p{{Cf}}_]--{_DENSE}]"
_JOINER = r"['\u2018\u2019\u02bc\uff07.\-\u2010\u2011\u2013&\u00b7+]"
_SPECIAL = r"<[^\s<>]{1,64}+>|\[[A-Z][A-Z0-9_]{1,30}+\]"
_ADDRESS = (
    r"[\w.+\-]{1,64}+(?<!\.)@[\w\-]{1,63}+(?:\.[\w\-]{1,63}+)+"
    r"|(?:https?://|www\.)[^\s<>\"]+(?<![.,;:!?'\")\]])"
)
UNIT = regex.compile(
    rf"(?V1)(?P<special>{_SPECIAL})|(?P<address>{_ADDRESS})"
    rf"|(?P<dense>(?:{_DENSE}[\p{{M}}\p{{Cf}}]*+)++)"
    rf"|(?P<word>{_WORD}++(?:(?:{_JOINER}|(?<=\d)[,:/](?=\d)){_WORD}++)*+)"
    r"|(?P<run>(?P<same>[.\-!?*=~#_\u3002\u2026])(?P=same)++)"
    r"|(?P<mark>\X\p{Cf}*+)"
)
SEPARATED = regex.compile(r"[^.\-\u2010\u2011\u2013&\u00b7+_,:/]+|[.\-\u2010\u2011\u2013&\u00b7+_,:/]")
NO_BREAK_NEEDED = regex.compile("[^\u200b\u200c]+[\u200b\u200c]*+|[\u200b\u200c]+")
CONTRACTED = regex.compile(r"(?<=.)(?:n't|'(?:s|re|ve|ll|d|m|t|em))$", regex.IGNORECASE)
ELISION = regex.compile(r"[^\W\d_]{1,3}'(?=.)")
APOSTROPHES = regex.compile(r"[^']+|'")
CLUSTER = regex.compile(r"\X")
