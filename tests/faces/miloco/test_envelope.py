"""Which code and which of the document's words an error has."""

from __future__ import annotations

import json

import pytest

from zhixing.faces.miloco import envelope
from zhixing.faces.miloco.envelope import of_error, written
from zhixing.kernel.errors import BadInput, Conflict, NotFound, Refused, TooLarge
from zhixing.kernel.wording import section


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (BadInput("text_empty"), 1002),
        (TooLarge("text_long", limit=5), 1002),
        (Conflict("task_is_paused", title="x"), 2000),
        (Refused("token_wrong"), 2000),
        (NotFound("task_unknown", id="t1"), 2001),
        (Conflict("person_exists", name="x"), 2002),
        (Conflict("household_task_exists", slug="x"), 2002),
    ],
)
def test_a_kind_of_error_has_its_code(error, code):
    wire = of_error(error)
    assert (wire["code"], wire["data"]) == (code, None)
    assert str(error) in wire["message"]


def test_every_error_that_has_a_word_is_one_that_can_happen():
    assert [key for key in envelope._WORDS if key not in section("errors", "zh")] == []


def test_the_word_stands_in_front_of_our_line():
    error = NotFound("household_task_unknown", slug="喝水")
    assert of_error(error)["message"] == f"task_not_found: {error}"


def test_json_is_compact_and_characters_are_as_they_are():
    assert written({"a": ["杯", "\n", "\u2028", None, True, 0.5]}) == '{"a":["杯","\\n","\u2028",null,true,0.5]}'
    assert json.loads(written({"a": "杯"}, indent=2)) == {"a": "杯"}
