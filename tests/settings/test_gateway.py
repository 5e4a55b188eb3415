"""From the settings to the hub that runs rule graphs."""

from __future__ import annotations

from pathlib import Path

import pytest

from zhixing.graphs.session import Place, Session
from zhixing.graphs.simulating.script import Script
from zhixing.graphs.specs.home import NOTHING_KNOWN
from zhixing.graphs.specs.packaged import samples
from zhixing.kernel.clock import SystemClock
from zhixing.kernel.errors import BadInput, NotFound
from zhixing.settings import load, put
from zhixing.settings.gateway import session_of
from zhixing.world.hub.memory import MemoryHub


def session(home: Path) -> Session:
    hub = MemoryHub()
    return session_of(
        load(home, {}).settings.gateway, Place(hub, lambda: NOTHING_KNOWN, lambda _rule: Script()), SystemClock()
    )


def test_without_settings_it_is_the_virtual_one(tmp_path):
    assert session(tmp_path).status().hub == "virtual"
    assert session(tmp_path).status().connected


def test_an_address_is_a_hub_that_waits_for_a_passcode(tmp_path):
    put(tmp_path, "gateway.address", "http://192.168.1.2")
    found = session(tmp_path)
    assert (found.status().hub, found.status().connected) == ("http://192.168.1.2", False)
    with pytest.raises(BadInput) as refused:
        found.connect("12345")
    assert refused.value.key == "hub_passcode_form"


def test_the_devices_of_a_real_hub_are_known_by_what_comes_along_and_by_the_folder(tmp_path):
    put(tmp_path, "gateway.address", "http://192.168.1.2")
    known = session(tmp_path).home().specs
    assert set(known) == {str(each.urn) for each in samples().values()}
    put(tmp_path, "gateway.specs", str(tmp_path / "nowhere"))
    with pytest.raises(NotFound):
        session(tmp_path).home()
    (tmp_path / "nowhere").mkdir()
    assert set(session(tmp_path).home().specs) == set(known)
