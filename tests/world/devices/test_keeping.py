"""What every keeper promises."""

from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.kernel.clock import Clock
from zhixing.world.devices.keeping import By, Happening, Held, Page


def held(value, clock: Clock, seconds: float = 0.0, *, before=False) -> Held:
    now = clock.now()
    return Held(value, before, now, now + timedelta(seconds=seconds))


@pytest.mark.parametrize("value", [True, False, 0, 1, -7, 26.0, 26.5, 2**53 - 1, "", "文字\n“引号”\\", "true", "1"])
def test_a_value_is_kept_as_it_is(keeper, clock, value):
    keeper.write(lambda page: page.put("lamp", "prop.2.1", held(value, clock, 5, before=value)))

    kept = keeper.read(lambda page: page.held("lamp"))["prop.2.1"]

    assert kept == held(value, clock, 5, before=value)
    assert type(kept.value) is type(value)
    assert type(kept.before) is type(value)


def test_what_was_put_is_seen_at_once_and_replaces_what_was(keeper, clock):
    def act(page: Page) -> list:
        page.put("lamp", "use", held(value=True, clock=clock))
        page.put("lamp", "use", held(value=False, clock=clock))
        page.put("door", "use", held(value=True, clock=clock))
        page.put("door", "prop.2.1", held(value=True, clock=clock))
        return [page.held("lamp")["use"].value, sorted(page.everywhere("use"))]

    assert keeper.write(act) == [False, ["door", "lamp"]]
    assert sorted(keeper.read(lambda page: page.held("door"))) == ["prop.2.1", "use"]
    assert {did: kept.value for did, kept in keeper.read(lambda page: page.everywhere("use")).items()} == {
        "door": True,
        "lamp": False,
    }


def test_what_nobody_kept_is_not_there(keeper):
    assert keeper.read(lambda page: (dict(page.held("lamp")), dict(page.everywhere("use")))) == ({}, {})
    assert keeper.happenings(10) == []


def test_a_change_that_breaks_off_changes_nothing(keeper, clock):
    def act(page: Page) -> None:
        page.put("lamp", "prop.2.1", held(value=True, clock=clock))
        page.note(Happening(clock.now(), "lamp", "prop.2.1", (True,), By.COMMAND))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        keeper.write(act)

    assert keeper.read(lambda page: dict(page.held("lamp"))) == {}
    assert keeper.happenings(10) == []


def test_happenings_are_kept_as_they_were(keeper, clock):
    told = [
        Happening(clock.now(), "speaker", "action.5.2", ("打开\n灯", True), By.COMMAND),
        Happening(clock.now() + timedelta(microseconds=1), "button", "event.2.1", (), By.PERSON),
        Happening(clock.now(), "ac", "prop.2.3", (26.0,), By.PERSON),
    ]
    for each in told:
        keeper.write(lambda page, each=each: page.note(each))

    assert keeper.happenings(10) == told
    assert keeper.happenings(2) == told[1:]
    assert keeper.happenings(10, "ac") == told[2:]
    assert [each.value for each in told] == ["打开\n灯", None, 26.0]
