from __future__ import annotations

from dataclasses import replace
from typing import Literal

from hypothesis import example, given
from hypothesis import strategies as st

from askew.tokens import Found, TokenEdit, shift_edits, split_points, tokenize, with_edit, without_edits

TEXT = "the cat sat on the mat"
CAT = TokenEdit(4, 7, "leave-out")


WORDS_KNOWN = ["the", "cat", "sat", "on", "mat", "dog", "new_york", "c", "at"]
What = Literal["leave-out", "replace", "split", "join"]


class Words:
    def __init__(self) -> None:
        self.rows = {word: row for row, word in enumerate(WORDS_KNOWN)}

    def find(self, word: str) -> Found | None:
        return Found(self.rows[word]) if word in self.rows else None


def shows(text: str, *edits: TokenEdit) -> list[tuple[str, str | None, bool]]:
    return [(token.text, token.key, token.left_out) for token in tokenize(text, Words(), edits)]


def test_a_token_left_out_stays_in_the_sentence_and_is_marked() -> None:
    tokens = tokenize("the cat sat", Words(), [CAT])
    assert [token.status for token in tokens] == ["known", "left-out", "known"]


def test_a_replaced_token_keeps_its_place() -> None:
    (token,) = tokenize("cat", Words(), [TokenEdit(0, 3, "replace", "Dog")])
    assert (token.text, token.key, token.start, token.end, token.status) == ("Dog", "dog", 0, 3, "changed")


def test_an_empty_replacement_changes_nothing() -> None:
    assert shows("cat", TokenEdit(0, 3, "replace", " ")) == [("cat", "cat", False)]


def test_a_split_makes_two_tokens() -> None:
    assert shows("cat", TokenEdit(0, 3, "split", at=1)) == [("c", "c", False), ("at", "at", False)]


def test_a_split_outside_its_token_changes_nothing() -> None:
    assert shows("cat", TokenEdit(0, 3, "split", at=3)) == [("cat", "cat", False)]


def test_joined_tokens_are_looked_up_as_a_phrase() -> None:
    assert shows("new york", TokenEdit(0, 8, "join")) == [("new york", "new_york", False)]


def test_a_part_of_a_split_can_be_left_out() -> None:
    split, part = TokenEdit(0, 3, "split", at=1), TokenEdit(0, 1, "leave-out")
    assert shows("cat", split, part) == [("c", "c", True), ("at", "at", False)]


def test_an_edit_of_a_word_holds_where_the_vocabulary_cuts_otherwise() -> None:
    assert shows("the-cat", TokenEdit(0, 5, "leave-out"))[-1] == ("at", "at", False)


def test_a_second_replacement_takes_the_place_of_the_first() -> None:
    first, second = TokenEdit(0, 3, "replace", "dog"), TokenEdit(0, 3, "replace", "mat")
    assert with_edit([first, CAT], second) == (CAT, second)


def test_a_replacement_keeps_the_split_it_sits_in() -> None:
    split, part = TokenEdit(0, 3, "split", at=1), TokenEdit(0, 1, "replace", "dog")
    assert with_edit([split], part) == (split, part)


def test_edits_of_a_span_can_be_taken_back() -> None:
    assert without_edits([CAT, TokenEdit(8, 11, "leave-out")], 4, 7) == (TokenEdit(8, 11, "leave-out"),)


def test_split_points_never_lie_inside_a_character() -> None:
    text = "ae\u0301\U0001f469\u200d\U0001f467b"
    assert split_points(text, 0, len(text)) == (1, 3, 6)


def test_typing_before_a_word_moves_its_edit_along() -> None:
    assert shift_edits([CAT], TEXT, "and " + TEXT) == (TokenEdit(8, 11, "leave-out"),)


def test_a_split_takes_its_place_along() -> None:
    assert shift_edits([TokenEdit(4, 7, "split", at=5)], TEXT, "and " + TEXT) == (
        TokenEdit(8, 11, "split", at=9),
    )


def test_typing_behind_a_word_leaves_its_edit() -> None:
    assert shift_edits([CAT], TEXT, TEXT + " again") == (CAT,)
    assert shift_edits([CAT], TEXT, TEXT.replace("cat", "cat,")) == (CAT,)


def test_an_edit_goes_when_its_word_changes() -> None:
    for new in ("cot", "ct", "", "dog", "cats", "bcat"):
        assert shift_edits([CAT], TEXT, TEXT.replace("cat", new)) == ()


def test_an_edit_goes_when_its_word_grows_together_with_another() -> None:
    assert shift_edits([CAT], TEXT, "thecat sat on the mat") == ()


def test_the_place_of_the_change_tells_equal_words_apart() -> None:
    the = TokenEdit(0, 3, "leave-out")
    assert shift_edits([the], "the cat", "the the cat", at=0) == (TokenEdit(4, 7, "leave-out"),)
    assert shift_edits([the], "the cat", "the the cat", at=4) == (the,)


WORDS = st.lists(st.sampled_from(["the", "cat", "a", "\u00e9t\u00e9", "zz"]), min_size=1, max_size=6)
WHAT = st.sampled_from(["leave-out", "replace", "split", "join"])


def edit_of(words: list[str], which: int, what: What) -> TokenEdit:
    start = sum(len(word) + 1 for word in words[:which])
    return TokenEdit(start, start + len(words[which]), what, "dog", start + 1)


@given(WORDS, WORDS, st.data(), WHAT)
def test_words_typed_before_an_edit_keep_it_on_its_word(
    words: list[str],
    typed: list[str],
    data: st.DataObject,
    what: What,
) -> None:
    which = data.draw(st.integers(0, len(words) - 1))
    place = data.draw(st.integers(0, which))
    new = [*words[:place], *typed, *words[place:]]
    at = sum(len(word) + 1 for word in words[:place])
    moved = shift_edits([edit_of(words, which, what)], " ".join(words), " ".join(new), at=at)
    expected = edit_of(new, which + len(typed), what)
    assert moved == ((expected if what == "split" else replace(expected, at=moved[0].at)),)


@given(st.text("ab -", max_size=12), st.text("ab -", max_size=12), st.data())
def test_an_edit_that_stays_has_the_text_it_had(old: str, new: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(old)))
    edit = TokenEdit(start, data.draw(st.integers(start, len(old))), "leave-out")
    for kept in shift_edits([edit], old, new):
        assert new[kept.start : kept.end] == old[edit.start : edit.end]


@example("aaaa aa", [(0, 6, "split")])
@given(
    st.text("ab c'-", max_size=14),
    st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14), WHAT), max_size=4),
)
def test_edited_tokens_never_overlap_and_cover_all_but_the_blanks(
    text: str, spans: list[tuple[int, int, What]]
) -> None:
    edits = [TokenEdit(min(a, b), max(a, b), what, "dog", (a + b) // 2) for a, b, what in spans]
    place = 0
    for token in tokenize(text, Words(), edits):
        assert text[place : token.start].strip() == ""
        assert place <= token.start < token.end
        place = token.end
    assert text[place:].strip() == ""


@given(WORDS, WHAT)
def test_no_edit_leaves_the_tokens_before_it_otherwise(words: list[str], what: What) -> None:
    text = " ".join(words)
    edit = edit_of(words, len(words) - 1, what)
    assert tokenize(text, Words(), [edit])[: len(words) - 1] == tokenize(text, Words())[: len(words) - 1]
