from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askew.tokens import Found, Token, shown, tokenize

CASES = {
    case["case"]: case
    for case in json.loads((Path(__file__).parents[1] / "data/cases/expected.json").read_text("utf-8"))
}


Normal = Literal["NFC", "NFD"]


class Words:
    """A vocabulary of a list of words; with `letters`, all words of letters have a vector."""

    def __init__(self, *words: str, letters: bool = False) -> None:
        self.rows = {word: row for row, word in enumerate(words)}
        self.letters = letters

    def find(self, word: str) -> Found | None:
        if word in self.rows:
            return Found(self.rows[word])
        return Found(None) if self.letters and word.isalpha() else None


def keys(text: str, *words: str) -> list[str | None]:
    return [token.key for token in tokenize(text, Words(*words))]


def texts(text: str, *words: str) -> list[str]:
    return [token.text for token in tokenize(text, Words(*words))]


@pytest.mark.parametrize("name", ["B01", "B02", "B03"])
def test_words_are_found_as_the_case_says(name: str) -> None:
    case = CASES[name]
    assert keys(case["sentence"], *case["vocabulary"]) == case["tokens_used"]


def test_the_exact_form_comes_before_the_lower_case_one_and_a_change_is_marked() -> None:
    tokens = tokenize("Paris Apple is", Words("paris", "apple", "Apple", "is"))
    assert [token.status for token in tokens] == ["changed", "known", "known"]


def test_emoji_families_and_skin_tones_are_one_token_each() -> None:
    case = CASES["B05"]
    tokens = tokenize(case["sentence"], Words(*case["vocabulary"]))
    assert [token.text for token in tokens] == case["tokens_shown"]
    assert [i for i, token in enumerate(tokens) if token.status == "unknown"] == case["unknown"]


def test_unknown_words_stay_as_unknown_tokens() -> None:
    case = CASES["B07a"]
    tokens = tokenize(case["sentence"], Words(*case["vocabulary"]))
    assert [token.text for token in tokens] == case["rows_if_kept"]
    assert [token.key for token in tokens] == ["the", None, "cat"]


def test_unk_is_never_used_for_the_unknown_word_mark() -> None:
    case = CASES["B07b"]
    tokens = tokenize(case["sentence"], Words(*case["vocabulary"]))
    assert [token.text for token in tokens if token.key] == case["known"]
    assert [token.text for token in tokens if not token.key] == case["unknown"]


def test_a_repeated_word_is_two_tokens_of_one_row() -> None:
    case = CASES["B08"]
    tokens = tokenize(case["sentence"], Words(*case["vocabulary"]))
    assert [token.text for token in tokens] == case["axis_labels"]
    assert tokens[0].row == tokens[3].row
    assert tokens[0].start != tokens[3].start


@pytest.mark.parametrize("text", [*CASES["B09"]["sentences"][:3], "\u0085", "\u00a0\u3000\u2028"])
def test_a_text_of_blanks_has_no_tokens(text: str) -> None:
    assert tokenize(text, Words("cat")) == ()


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("can't", ["ca", "n't", "can"], ["ca", "n't"]),
        ("can't", ["can", "'t"], ["can", "'t"]),
        ("DIDN\u2019T", ["did", "n't"], ["did", "n't"]),
        ("I'd've", ["i", "'d", "'ve"], ["i", "'d", "'ve"]),
        ("zzyzx's", ["'s"], [None, "'s"]),
        ("zzyzx's", ["cat"], [None]),
        ("l'homme", ["l'", "homme"], ["l'", "homme"]),
        ("rock'n'roll", ["rock", "roll"], ["rock", None, None, None, "roll"]),
        ("don't", ["don't", "do", "n't"], ["don't"]),
        ("dogs'", ["dogs", "'"], ["dogs", "'"]),
    ],
)
def test_contractions_are_split_only_where_the_whole_is_unknown(
    text: str, words: list[str], expected: list[str | None]
) -> None:
    assert keys(text, *words) == expected


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("well-known", ["well-known", "well", "known"], ["well-known"]),
        ("well-known", ["well", "-", "known"], ["well", "-", "known"]),
        ("zzz-qqq", ["-"], ["zzz-qqq"]),
        ("brother-in-law-like", ["brother-in-law", "brother", "in", "-"], ["brother-in-law", "-", "like"]),
        ("1,000.50", ["1,000", "1", "000", "50"], ["1,000", ".", "50"]),
        ("in-out", ["-out", "in", "-", "out"], ["in", "-", "out"]),
        ("3.14", ["3.14", "3", "14"], ["3.14"]),
        ("3.14,", ["3", ".", "14"], ["3", ".", "14", ","]),
        ("1,000", ["1,000"], ["1,000"]),
        ("1,000", ["1000"], ["1,000"]),
        ("1984", ["####"], ["1984"]),
        ("red,blue", ["red", "blue", ","], ["red", ",", "blue"]),
        ("a@b.org!", [], ["a@b.org", "!"]),
        ("(https://a.org/x?y=z).", [], ["(", "https://a.org/x?y=z", ")", "."]),
        ("[CLS]cat[SEP]", ["cat", "[SEP]"], ["[CLS]", "cat", "[SEP]"]),
        ("...!!", ["...", "!"], ["...", "!", "!"]),
        ("#tag", ["#", "tag"], ["#", "tag"]),
        ("2010\u5e74", ["2010", "\u5e74"], ["2010", "\u5e74"]),
    ],
)
def test_the_whole_form_comes_first_and_then_a_sensible_split(
    text: str, words: list[str], expected: list[str]
) -> None:
    assert texts(text, *words) == expected


def test_a_final_stop_belongs_to_the_word_where_that_form_is_the_more_frequent() -> None:
    words = ("no", "u.s.", ".", "no.", "u.s")
    assert keys("No. U.S.", *words) == ["no", ".", "u.s."]
    assert keys('"(U.S.)"', *words) == [None, None, "u.s.", None, None]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("other", ["NFC", "NFD"])
def test_accents_are_found_in_both_normal_forms(form: Normal, other: Normal) -> None:
    typed = unicodedata.normalize(form, "Caf\u00e9")
    held = unicodedata.normalize(other, "caf\u00e9")
    assert keys(typed, held) == [held]


@pytest.mark.parametrize(
    "typed", ["\ufeffcat", "ca\u00adt", "cat\u200b", "\u2067cat\u2069", "\uff43\uff41\uff54", "\u200fcat"]
)
def test_invisible_characters_and_wide_letters_do_not_hide_a_word(typed: str) -> None:
    tokens = tokenize(typed, Words("cat"))
    assert [(token.key, token.status) for token in tokens] == [("cat", "changed")]
    assert tokens[0].text == typed


def test_a_word_with_a_joiner_of_its_own_is_found_exactly() -> None:
    word = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
    assert keys(word, word) == [word]


def test_scripts_without_spaces_are_cut_by_the_longest_known_word() -> None:
    words = ("\u6211", "\u7231", "\u5317", "\u4eac", "\u5317\u4eac", "\u5929\u5b89\u95e8")
    assert keys("\u6211\u7231\u5317\u4eac\u5929\u5b89\u95e8", *words) == [
        "\u6211",
        "\u7231",
        "\u5317\u4eac",
        "\u5929\u5b89\u95e8",
    ]
    assert texts("\u6211\u4f60\u4eec\u7231", *words) == ["\u6211", "\u4f60\u4eec", "\u7231"]


def test_thai_is_cut_by_the_longest_known_word_and_letters_keep_their_marks() -> None:
    me, love, cat = "\u0e09\u0e31\u0e19", "\u0e23\u0e31\u0e01", "\u0e41\u0e21\u0e27"
    assert texts(me + love + cat, me, cat) == [me, love, cat]


def test_a_word_built_from_letters_is_said_to_be() -> None:
    tokens = tokenize("cats cat 12", Words("cat", letters=True))
    assert [token.status for token in tokens] == ["built", "known", "unknown"]


def test_a_split_is_preferred_to_a_vector_built_from_letters() -> None:
    tokens = tokenize("cat,cat", Words("cat", ",", letters=True))
    assert [token.key for token in tokens] == ["cat", ",", "cat"]


def test_words_without_visible_characters_are_shown_by_code_point() -> None:
    assert [shown(word) for word in ("\u0085", "\u200b\u00a0", "cat", "a\u0301", "\U0001f44d")] == [
        "U+0085",
        "U+200B U+00A0",
        "cat",
        "a\u0301",
        "\U0001f44d",
    ]


TRICKY = " \t\nabcABC019.,-'\u2019<>[]@_/:\u200b\u200d\ufeff\u0301\u5317\u4eac\u0e31\U0001f469\U0001f3fd"
SOME_TEXT = st.text(st.one_of(st.characters(), st.sampled_from(list(TRICKY))), max_size=60)
VOCABULARY = Words("a", "b", "ab", "A", "0", "1,0", ".", "'", "n't", "-", "<a>", "\u5317\u4eac", "\u4eac")


@given(SOME_TEXT)
def test_tokens_are_in_order_and_cover_all_but_the_blanks(text: str) -> None:
    tokens = tokenize(text, VOCABULARY)
    place = 0
    for token in tokens:
        assert place <= token.start < token.end
        assert text[place : token.start].strip() == ""
        assert token.text == text[token.start : token.end]
        assert not re.search(r"\s", token.text)
        place = token.end
    assert text[place:].strip() == ""


@given(SOME_TEXT)
def test_a_token_is_known_exactly_if_it_has_a_row_of_its_key(text: str) -> None:
    for token in tokenize(text, VOCABULARY):
        assert (token.key is None) == (token.row is None)
        assert token.key is None or VOCABULARY.rows[token.key] == token.row


@given(SOME_TEXT, SOME_TEXT)
def test_a_blank_between_two_texts_keeps_their_tokens_apart(left: str, right: str) -> None:
    both = tokenize(f"{left} {right}", VOCABULARY)
    shift = len(left) + 1
    moved = [
        Token(token.text, token.start + shift, token.end + shift, token.key, token.row)
        for token in tokenize(right, VOCABULARY)
    ]
    assert both == (*tokenize(left, VOCABULARY), *moved)


class Counting(Words):
    """A vocabulary that counts the characters looked up."""

    characters = 0

    def find(self, word: str) -> Found | None:
        self.characters += len(word)
        return super().find(word)


UNITS = ["word ", "a", "a.", "a+", "a@", "<a", "!", "\u4e16\u754c", "'s", "\u0301", "[A", "a\u200b", "3,"]


@pytest.mark.parametrize("unit", [*UNITS, "\U0001f469\u200d\U0001f469 "])
def test_the_work_grows_with_the_length_of_the_text_only(unit: str) -> None:
    work = []
    for times in (2_000, 20_000):
        vocabulary = Counting("word")
        tokenize(unit * times, vocabulary)
        work.append(vocabulary.characters)
    assert work[1] <= 11 * work[0] + 10_000


def test_a_long_paste_of_words_is_all_there() -> None:
    tokens = tokenize("the cat zzyzx, " * 7_000, Words("the", "cat", ","))
    assert len(tokens) == 28_000
    assert [token.key for token in tokens[-4:]] == ["the", "cat", None, ","]
