"""When a bot takes work, and how the catalog is asked."""

from __future__ import annotations

from datetime import datetime, time

import pytest

from zhixing.goals.bots.profiles import Availability, Catalog, Hours, ModelSettings, Profile
from zhixing.kernel.errors import BadInput, NotFound, TooLarge

DAY = Availability(hours=(Hours(time(9), time(18)),), days=(1, 2, 3, 4, 5))
NIGHT = Availability(hours=(Hours(time(22), time(6)),), days=(5,))
SPLIT = Availability(hours=(Hours(time(9), time(12)), Hours(time(14), time(0))))
SINCE = datetime.fromisoformat("2026-12-01T08:00+08:00")
UNTIL = datetime.fromisoformat("2026-12-03T08:00+08:00")


@pytest.mark.parametrize(
    ("availability", "at", "takes"),
    [
        (Availability(), "2026-12-06T03:00+08:00", True),
        (Availability(enabled=False), "2026-12-01T10:00+08:00", False),
        (DAY, "2026-12-01T09:00+08:00", True),
        (DAY, "2026-12-01T08:59:59+08:00", False),
        (DAY, "2026-12-01T18:00+08:00", False),
        (DAY, "2026-12-01T01:30Z", True),
        (DAY, "2026-12-05T10:00+08:00", False),
        # 2026-12-04 is a Friday: the night that began then goes on to Saturday, and no night begins on Saturday.
        (NIGHT, "2026-12-04T23:00+08:00", True),
        (NIGHT, "2026-12-05T05:59+08:00", True),
        (NIGHT, "2026-12-05T06:00+08:00", False),
        (NIGHT, "2026-12-05T23:00+08:00", False),
        (NIGHT, "2026-12-04T05:00+08:00", False),
        (SPLIT, "2026-12-01T13:00+08:00", False),
        (SPLIT, "2026-12-01T23:59+08:00", True),
        (SPLIT, "2026-12-02T00:00+08:00", False),
        (Availability(days=(6, 7)), "2026-12-05T00:00+08:00", True),
        (Availability(days=(6, 7)), "2026-12-04T16:00Z", True),
        (Availability(since=SINCE, until=UNTIL), "2026-12-01T07:59+08:00", False),
        (Availability(since=SINCE, until=UNTIL), "2026-12-01T08:00+08:00", True),
        (Availability(since=SINCE, until=UNTIL), "2026-12-03T08:00+08:00", False),
        # An hour that comes twice when clocks go back counts both times.
        (Availability(hours=(Hours(time(1), time(2)),), zone="Europe/Berlin"), "2026-10-25T00:30Z", False),
        (Availability(hours=(Hours(time(2), time(3)),), zone="Europe/Berlin"), "2026-10-25T00:30Z", True),
        (Availability(hours=(Hours(time(2), time(3)),), zone="Europe/Berlin"), "2026-10-25T01:30Z", True),
    ],
)
def test_a_bot_takes_work_at_its_hours(availability: Availability, at: str, *, takes: bool) -> None:
    assert availability.at(datetime.fromisoformat(at)) is takes


def bot(bot_id: str, name: str = "某", **members: object) -> Profile:
    return Profile(bot_id, name, ModelSettings(), **members)  # type: ignore[arg-type]


def test_the_catalog_finds_by_id_and_by_a_name_that_one_bot_has() -> None:
    catalog = Catalog((bot("a", "写手"), bot("b", "分身"), bot("c", "分身")))
    assert [each.id for each in catalog] == ["a", "b", "c"]
    assert (len(catalog), "a" in catalog, "x" in catalog) == (3, True, False)
    assert catalog.get("b") is catalog.find("b")
    assert catalog.find("x") is None
    assert catalog.named("写手") is catalog.get("a")
    assert catalog.named("分身") is None
    assert catalog.named("谁") is None


def test_an_unknown_bot_is_answered_with_the_nearest_ones() -> None:
    with pytest.raises(NotFound, match="没有 id 为「writr」的 bot，相近的有：writer。"):
        Catalog((bot("writer"), bot("zz"))).get("writr")


def test_an_id_comes_once() -> None:
    with pytest.raises(BadInput, match="有两个 bot 的 id 都是「a」"):
        Catalog((bot("a"), bot("a")))


def test_a_catalog_is_bounded() -> None:
    with pytest.raises(TooLarge):
        Catalog(tuple(bot(str(n)) for n in range(501)))


def test_the_catalog_tells_who_takes_work_now() -> None:
    catalog = Catalog((bot("a", availability=DAY), bot("b")))
    assert [each.id for each in catalog.available(datetime.fromisoformat("2026-12-05T10:00+08:00"))] == ["b"]
