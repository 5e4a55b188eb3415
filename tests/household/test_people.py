"""The people of a home."""

from __future__ import annotations

import pytest

from zhixing.kernel.errors import BadInput, Conflict, NotFound, TooLarge


def test_the_people_of_the_hub_are_taken_over_once(house) -> None:
    known = house.hub.people()
    assert known
    assert [(one.name, one.role) for one in house.people.list()] == [(one.name, one.role) for one in known]
    for one in house.people.list():
        house.people.delete(one.id)
    house.step()
    assert house.people.list() == []


def test_somebody_is_entered_changed_and_removed(house) -> None:
    made = house.people.add(" 小 红 ", "奶奶")
    assert (made.name, made.role) == ("小 红", "奶奶")
    assert house.people.update(made.id, role="").role == ""
    assert house.people.update(made.id, name="大红").name == "大红"
    assert house.people.update(made.id, name="大红") == house.people.list()[-1]
    house.step()
    house.people.delete(made.id)
    with pytest.raises(NotFound, match="没有编号为"):
        house.people.update(made.id, name="又")


def test_a_name_belongs_to_one_person(house) -> None:
    first, second = house.people.add("甲"), house.people.add("乙")
    with pytest.raises(Conflict, match="已经有叫「甲」的成员"):
        house.people.add("甲")
    with pytest.raises(Conflict):
        house.people.update(second.id, name=first.name)


@pytest.mark.parametrize("name", ["", " ", "\n"])
def test_a_person_has_a_name(steady_house, name: str) -> None:
    with pytest.raises(BadInput, match="要有名字"):
        steady_house.people.add(name)


def test_names_are_bounded(steady_house) -> None:
    with pytest.raises(TooLarge):
        steady_house.people.add("长" * 33)
    with pytest.raises(TooLarge):
        steady_house.people.add("甲", "长" * 33)


@pytest.mark.parametrize("person_id", ["", "p0", "p99", "甲", "' OR 1=1"])
def test_somebody_who_is_not_there_is_not_found(steady_house, person_id: str) -> None:
    with pytest.raises(NotFound):
        steady_house.people.delete(person_id)
