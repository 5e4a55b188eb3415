from pathlib import Path

import pytest

from zhixing.settings import ZoneSource, home_zone


@pytest.fixture
def localtime(tmp_path: Path) -> Path:
    return tmp_path / "localtime"


@pytest.fixture
def timezone(tmp_path: Path) -> Path:
    return tmp_path / "timezone"


def test_a_set_zone_wins_over_everything(localtime: Path, timezone: Path) -> None:
    localtime.symlink_to("/usr/share/zoneinfo/Europe/Paris")
    found = home_zone("Asia/Tokyo", {"TZ": "Africa/Cairo"}, localtime, timezone)
    assert (found.name, found.source, found.warnings) == ("Asia/Tokyo", ZoneSource.CONFIG, ())


@pytest.mark.parametrize(
    ("tz", "name"),
    [
        ("Africa/Cairo", "Africa/Cairo"),
        (":Africa/Cairo", "Africa/Cairo"),
        (" Africa/Cairo ", "Africa/Cairo"),
        ("/usr/share/zoneinfo/Africa/Cairo", "Africa/Cairo"),
        (":/usr/share/zoneinfo/posix/Africa/Cairo", "Africa/Cairo"),
        ("EST5EDT", "EST5EDT"),
        ("UTC", "UTC"),
        ("Etc/GMT-8", "Etc/GMT-8"),
    ],
)
def test_tz_names_a_place(localtime: Path, timezone: Path, tz: str, name: str) -> None:
    found = home_zone("", {"TZ": tz}, localtime, timezone)
    assert (found.name, found.source, found.warnings) == (name, ZoneSource.TZ, ())


@pytest.mark.parametrize("tz", ["CST-8", "<+08>-8", ":CST-8", "GMT+8", "Asia/Nowhere", "../etc/passwd", "Asia", "\x00"])
def test_a_tz_that_names_no_place_is_passed_over_with_a_warning(localtime: Path, timezone: Path, tz: str) -> None:
    localtime.symlink_to("/usr/share/zoneinfo/Europe/Paris")
    found = home_zone("", {"TZ": tz}, localtime, timezone)
    assert (found.name, found.source) == ("Europe/Paris", ZoneSource.LOCALTIME)
    assert len(found.warnings) == 1
    assert f"「{tz}」" in found.warnings[0]


@pytest.mark.parametrize("tz", ["localtime", ":localtime"])
def test_tz_may_say_to_ask_the_machine(localtime: Path, timezone: Path, tz: str) -> None:
    localtime.symlink_to("/usr/share/zoneinfo/Europe/Paris")
    found = home_zone("", {"TZ": tz}, localtime, timezone)
    assert (found.name, found.source) == ("Europe/Paris", ZoneSource.TZ)


def test_tz_may_be_the_path_of_a_link(localtime: Path, timezone: Path) -> None:
    localtime.symlink_to("/usr/share/zoneinfo/Europe/Paris")
    assert home_zone("", {"TZ": f":{localtime}"}, timezone, timezone).name == "Europe/Paris"


def test_an_empty_tz_says_nothing(localtime: Path, timezone: Path) -> None:
    localtime.symlink_to("/usr/share/zoneinfo/Europe/Paris")
    found = home_zone("", {"TZ": ""}, localtime, timezone)
    assert (found.name, found.source, found.warnings) == ("Europe/Paris", ZoneSource.LOCALTIME, ())


@pytest.mark.parametrize(
    "target",
    [
        "/usr/share/zoneinfo/Asia/Urumqi",
        "../usr/share/zoneinfo/Asia/Urumqi",
        "/var/db/timezone/zoneinfo.default/Asia/Urumqi",
        "/usr/share/zoneinfo/right/Asia/Urumqi",
    ],
)
def test_the_machines_zone_is_read_off_the_link(localtime: Path, timezone: Path, target: str) -> None:
    localtime.symlink_to(target)
    timezone.write_text("Europe/Paris\n")
    assert home_zone("", {}, localtime, timezone).name == "Asia/Urumqi"


def test_a_link_to_a_link_is_followed_to_the_name_that_was_chosen(
    localtime: Path, timezone: Path, tmp_path: Path
) -> None:
    (tmp_path / "chosen").symlink_to("/usr/share/zoneinfo/PRC")
    localtime.symlink_to("chosen")
    assert home_zone("", {}, localtime, timezone).name == "PRC"


def test_a_copied_file_has_no_name_so_the_text_beside_it_is_read(localtime: Path, timezone: Path) -> None:
    localtime.write_bytes(b"TZif")
    timezone.write_text("Asia/Shanghai\n")
    found = home_zone("", {}, localtime, timezone)
    assert (found.name, found.source, found.warnings) == ("Asia/Shanghai", ZoneSource.TIMEZONE, ())


@pytest.mark.parametrize("text", [None, "", "\n", "Mars/Base\n", "上海\n"])
def test_an_unknown_zone_falls_back_to_shanghai_with_a_warning(
    localtime: Path, timezone: Path, text: str | None
) -> None:
    if text is not None:
        timezone.write_text(text)
    found = home_zone("", {}, localtime, timezone)
    assert (found.name, found.source) == ("Asia/Shanghai", ZoneSource.FALLBACK)
    assert "zhixing config set zone" in found.warnings[0]


def test_a_link_that_turns_in_a_circle_ends(localtime: Path, timezone: Path) -> None:
    localtime.symlink_to(localtime)
    assert home_zone("", {}, localtime, timezone).source is ZoneSource.FALLBACK
