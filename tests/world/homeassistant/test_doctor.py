"""What is said of Home Assistant: that it is not used, that it does not let us in, or what of it there is."""

from __future__ import annotations

import socket

import pytest

from zhixing.doctor import Finding, State, check_homeassistant
from zhixing.kernel.clock import SystemClock
from zhixing.settings.model import HomeAssistant


def found(**wanted: object) -> Finding:
    (finding,) = check_homeassistant(HomeAssistant.model_validate(wanted), SystemClock())
    return finding


def test_without_an_address_it_is_missing_and_says_what_to_run():
    finding = found()
    assert finding.state is State.MISSING
    assert "homeassistant.url" in finding.how_to_fix


def test_what_it_has_is_counted(assistant):
    finding = found(url=assistant.url, token=assistant.token, notify="phone")
    assert finding.state is State.OK
    assert finding.says.startswith("2024.3.3：")
    assert "个设备" in finding.says


def test_what_the_settings_name_and_it_does_not_have_is_told(assistant):
    facts = {"door": {"condition": "大门开着", "entity": "binary_sensor.dor", "state": "on"}}
    finding = found(url=assistant.url, token=assistant.token, notify="phone, phon", facts=facts)
    assert finding.state is State.MISSING
    assert "binary_sensor.dor、notify.phon" in finding.says


def test_a_wrong_token_is_told_without_it(assistant):
    finding = found(url=assistant.url, token="not-a-token")
    assert finding.state is State.BROKEN
    assert "不认这个令牌" in finding.says
    assert "not-a-token" not in finding.says


@pytest.mark.parametrize("url", ["http://me:secret@127.0.0.1:8123", "http://127.0.0.1:{free}"])
def test_an_address_that_leads_nowhere_is_told(url):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        free = listening.getsockname()[1]
    finding = found(url=url.format(free=free), token="t")
    assert finding.state is State.BROKEN
    assert "Home Assistant" in finding.says
    assert "secret" not in finding.says
