"""The specifications that come with the package, and finding their members by what they mean."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

import zhixing
from zhixing.graphs.specs.meanings import (
    Choosing,
    Doing,
    Happening,
    Meaning,
    about,
    find_actions,
    find_choice,
    find_events,
    find_properties,
    switches,
)
from zhixing.graphs.specs.model import Access, Format
from zhixing.graphs.specs.packaged import samples
from zhixing.graphs.specs.reading import dangling

NAMES = sorted(samples())
KINDS = {
    "light", "curtain", "air-conditioner", "speaker", "motion-sensor", "occupancy-sensor", "magnet-sensor", "lock",
    "remote-control", "switch", "outlet", "gateway", "temperature-humidity-sensor",
}  # fmt: skip


def test_every_kind_of_the_tables_is_there() -> None:
    assert {each.kind for each in samples().values()} == KINDS


def test_no_two_specifications_have_one_urn() -> None:
    assert len({str(each.urn) for each in samples().values()}) == len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_argument_is_a_property_of_its_service(name: str) -> None:
    assert dangling(samples()[name]) == ()


@pytest.mark.parametrize("name", NAMES)
def test_every_range_and_list_is_usable(name: str) -> None:
    spec = samples()[name]
    for each in [each for service in spec.services for each in service.properties]:
        assert each.format is not Format.OTHER
        assert each.urn.model == spec.urn.model
        assert each.range is None or not each.range.broken
        assert all(each.fits_type(choice.value) and choice.description for choice in each.choices)
        assert len({choice.value for choice in each.choices}) == len(each.choices)


@pytest.mark.parametrize("name", NAMES)
def test_equal_names_have_equal_type_numbers_everywhere(name: str) -> None:
    known = {
        (member.urn.kind, member.name): member.urn.value
        for spec in samples().values()
        for service in spec.services
        for member in (service, *service.properties, *service.events, *service.actions)
    }
    for service in samples()[name].services:
        for member in (service, *service.properties, *service.events, *service.actions):
            assert known[member.urn.kind, member.name] == member.urn.value


def test_the_wheel_carries_them() -> None:
    folder = Path(str(files("zhixing.graphs.specs").joinpath("samples")))
    package = Path(zhixing.__file__).parent
    assert folder.is_relative_to(package)
    project = tomllib.loads((package.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    assert "src/zhixing" in project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    ignored = (package.parents[1] / ".gitignore").read_text(encoding="utf-8").split()
    assert not {"*.json", "samples", "samples/"} & set(ignored)


@pytest.mark.parametrize(
    ("name", "siids"),
    [
        ("light", [2]),
        ("outlet", [2]),
        ("wall_switch", [2, 3, 4]),
        ("air_conditioner", [2]),
        ("motion_sensor", [2]),
        ("occupancy_sensor", []),
        ("curtain", []),
        ("remote_single", []),
        ("speaker", []),
    ],
)
def test_what_switches_a_device_itself(name: str, siids: list[int]) -> None:
    found = switches(samples()[name])
    assert [each.siid for each in found] == siids
    assert {each.name for each in found} <= {"on"}


@pytest.mark.parametrize(
    ("name", "meaning", "access", "found"),
    [
        ("light", Meaning.BRIGHTNESS, (Access.WRITE,), [(2, 2)]),
        ("air_conditioner", Meaning.POWER, (), [(2, 1), (6, 1)]),
        ("air_conditioner", Meaning.TARGET_TEMPERATURE, (Access.WRITE,), [(2, 4)]),
        ("air_conditioner", Meaning.TEMPERATURE, (Access.READ,), [(4, 7)]),
        ("air_conditioner", Meaning.TEMPERATURE, (Access.WRITE,), []),
        ("speaker", Meaning.MUTE, (), [(2, 2), (4, 1)]),
        ("speaker_stepped", Meaning.VOLUME, (), [(3, 1)]),
        ("remote_single", Meaning.BATTERY, (Access.NOTIFY,), [(1, 1003)]),
        ("contact_sensor", Meaning.CONTACT, (Access.NOTIFY,), [(2, 5)]),
        ("curtain", Meaning.MOTOR, (Access.NOTIFY,), []),
        ("lock", Meaning.LOCK_STATE, (Access.NOTIFY,), [(3, 1021)]),
    ],
)
def test_properties_are_found_by_meaning(
    name: str, meaning: Meaning, access: tuple[Access, ...], found: list[tuple[int, int]]
) -> None:
    assert [(each.siid, each.piid) for each in find_properties(samples()[name], meaning, access)] == found


def test_events_and_actions_are_found_by_meaning() -> None:
    assert [(each.siid, each.eiid) for each in find_events(samples()["remote_single"], Happening.CLICK)] == [(3, 1012)]
    assert [(each.siid, each.eiid) for each in find_events(samples()["remote_double"], Happening.CLICK)] == [(2, 1012)]
    assert [(each.siid, each.aiid) for each in find_actions(samples()["speaker"], Doing.DIRECTIVE)] == [(7, 4)]
    assert [(each.siid, each.aiid) for each in find_actions(samples()["speaker_stepped"], Doing.DIRECTIVE)] == [(5, 5)]
    assert find_actions(samples()["contact_sensor"], Doing.TOGGLE) == ()


@pytest.mark.parametrize(("name", "opening", "closing"), [("curtain", 0, 1), ("curtain_reversed", 2, 0)])
def test_numbers_of_a_list_are_those_of_the_model(name: str, opening: int, closing: int) -> None:
    [motor] = find_properties(samples()[name], Meaning.MOTOR)
    found = [find_choice(motor, each) for each in (Choosing.OPEN, Choosing.CLOSE)]
    assert [each.value for each in found if each] == [opening, closing]
    assert find_choice(motor, Choosing.COOL) is None


def test_a_device_is_about_its_own_services() -> None:
    assert [each.siid for each in about(samples()["lock"])] == [2, 3]
    assert [each.siid for each in about(samples()["air_conditioner"])] == [2]
