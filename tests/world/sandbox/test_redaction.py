from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.world.sandbox.redaction import Redactor, redact

SECRETS = st.lists(st.text("ab*", min_size=6, max_size=12), min_size=1, max_size=3).map(tuple)


@pytest.mark.parametrize(
    ("text", "secrets", "told"),
    [
        ("token=hunter2hunter2;", ("hunter2hunter2",), "token=***;"),
        ("abcdefgh abcdef", ("abcdef", "abcdefgh"), "*** ***"),
        ("12345 is short", ("12345",), "12345 is short"),
        ("", ("hunter2",), ""),
        ("nothing to hide", (), "nothing to hide"),
        ("密码是一二三四五六。", ("一二三四五六",), "密码是***。"),
        ("hunter", ("hunter2",), "hunter"),
    ],
)
def test_values_of_secrets_are_taken_out(text, secrets, told):
    assert redact(text, secrets) == told
    assert redact(text.encode(), secrets) == told.encode()


def test_a_value_across_two_pieces_is_taken_out():
    redactor = Redactor(("hunter2hunter2",))
    assert redactor.feed(b"a hunter2") == b"a "
    assert redactor.feed(b"hunter2 b") == b"*** b"
    assert redactor.rest() == b""


def test_what_only_looked_like_a_value_is_told_at_the_end():
    redactor = Redactor(("hunter2hunter2",))
    assert redactor.feed(b"a hunter2hunt") + redactor.rest() == b"a hunter2hunt"


@given(SECRETS, st.text("ab*\n", max_size=80), st.lists(st.integers(0, 80), max_size=6))
def test_a_stream_is_told_as_the_whole_would_be(secrets, text, cuts):
    data = text.encode()
    redactor = Redactor(secrets)
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    told = b"".join(redactor.feed(data[a:b]) for a, b in pairwise(places)) + redactor.rest()
    assert told == redact(data, secrets)
    assert len(told) <= len(data)


@given(SECRETS, st.lists(st.text("abc ", max_size=9), max_size=9))
def test_no_value_is_left_in_a_text_that_has_no_cover_of_its_own(secrets, words):
    whole = secrets[0].join(words)
    told = redact(whole, secrets)
    assert all(secret not in told for secret in secrets if "*" not in secret)
