"""person …: who lives here."""

from __future__ import annotations

import pytest


def test_the_people_of_the_home_are_there_from_the_start(on_any_store):
    people = on_any_store("person", "list").data
    assert [(person["id"], person["name"], person["role"]) for person in people] == [
        ("p1", "陈远山", "爸爸"),
        ("p2", "林知夏", "妈妈"),
        ("p3", "陈小满", "女儿"),
        ("p4", "周桂芳", "奶奶"),
    ]


def test_somebody_is_entered_changed_and_removed(on_any_store):
    assert on_any_store("person", "add", "--name", "小明").data == {"id": "p5", "name": "小明", "role": None}
    assert on_any_store("person", "update", "p5", "--role", "儿子").data["role"] == "儿子"
    assert on_any_store("person", "update", "小明", "--name", "大明", "--role", "").data == {
        "id": "p5",
        "name": "大明",
        "role": None,
    }
    assert on_any_store("person", "delete", "大明").data["id"] == "p5"
    assert len(on_any_store("person", "list").data) == 4


@pytest.mark.parametrize(
    ("argv", "code", "start"),
    [
        (("add", "--name", "陈远山"), 2002, "person_already_exists: "),
        (("update", "p1", "--name", "林知夏"), 2002, "person_already_exists: "),
        (("update", "p9", "--name", "x"), 2001, ""),
        (("delete", "谁"), 2001, ""),
        (("add", "--name", " "), 1002, ""),
        (("add", "--name", "名" * 33), 1002, ""),
    ],
)
def test_what_the_home_refuses_has_its_code(on_any_store, argv, code, start):
    refused = on_any_store.refused("person", *argv)
    assert refused[0] == code
    assert refused[1].startswith(start)


def test_nothing_named_is_nothing_to_change(miloco):
    assert miloco.wrong("person", "update", "p1").startswith("no fields to update")
