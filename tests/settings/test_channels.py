"""What may be set for a channel."""

from __future__ import annotations

from datetime import time

import pytest

from zhixing.kernel.clock import SystemClock
from zhixing.kernel.errors import BadInput
from zhixing.settings import HomeZone, ZoneSource, load, put
from zhixing.settings.channels import channels_of, policies_of

HOME_ZONE = HomeZone("Asia/Shanghai", ZoneSource.CONFIG)


def of(home, **channel):
    lines = [f"{name} = {value if isinstance(value, int) else repr(value)}" for name, value in channel.items()]
    (home / "config.toml").write_text("[channels.phone]\n" + "\n".join(lines), encoding="utf-8")
    return load(home, {})


@pytest.mark.parametrize(
    ("kind", "url", "made"),
    [
        ("auto", "https://h.example/x", "Webhook"),
        ("webhook", "http://h.example/x", "Webhook"),
        ("auto", "ntfy://h.example/topic", "Apprise"),
        ("auto", "tgram://123456:token/chat", "Apprise"),
        ("apprise", "https://hooks.slack.com/services/a/b/c", "Apprise"),
    ],
)
def test_a_channel_is_what_its_kind_or_its_address_says(tmp_path, kind, url, made):
    configuration = of(tmp_path, kind=kind, url=url)

    (channel,) = channels_of(configuration, SystemClock()).values()

    assert type(channel).__name__ == made
    assert channel.name == "phone"


@pytest.mark.parametrize(
    ("kind", "url", "says"),
    [
        ("webhook", "ntfy://hunter2", "应为 http:// 或 https:// 开头的完整地址"),
        ("auto", "hunter2", "服务名://"),
        ("auto", "ntfy://hun ter2", "服务名://"),
        ("apprise", "hunter2", "服务名://"),
        ("auto", "https://", "应为 http:// 或 https:// 开头的完整地址"),
    ],
)
def test_an_address_that_does_not_fit_is_refused_without_repeating_it(tmp_path, kind, url, says):
    with pytest.raises(BadInput) as refused:
        of(tmp_path, kind=kind, url=url)

    assert "「channels.phone.url」" in str(refused.value)
    assert says in str(refused.value)
    assert "hunter2" not in str(refused.value)


def test_an_address_of_apprise_can_be_set_with_one_command(tmp_path):
    put(tmp_path, "channels.phone.url", "bark://h.example/key")

    assert load(tmp_path, {}).settings.channels["phone"].goes_through == "apprise"


def test_of_an_address_of_apprise_only_the_service_is_shown(tmp_path):
    rows = {row.key: row.value for row in of(tmp_path, url="tgram://hunter2/chat").shown()}

    assert rows["channels.phone.url"] == "tgram://******"


def test_quiet_hours_and_the_hours_limit_become_a_policy(tmp_path):
    policy = policies_of(of(tmp_path, url="https://h.example", quiet="22:00-7:30", per_hour=6), HOME_ZONE)["phone"]

    assert (policy.quiet.start, policy.quiet.end, policy.quiet.zone.key) == (time(22), time(7, 30), "Asia/Shanghai")
    assert policy.per_hour == 6


def test_without_them_everything_goes_at_once(tmp_path):
    policy = policies_of(of(tmp_path, url="https://h.example"), HOME_ZONE)["phone"]

    assert (policy.quiet, policy.per_hour) == (None, None)


@pytest.mark.parametrize(
    "quiet", ["22:00", "22:00-22:00", "24:00-07:00", "22:60-07:00", "night", "22-7", "２２:00-07:00"]
)
def test_quiet_hours_that_are_no_stretch_of_a_day_are_refused(tmp_path, quiet):
    with pytest.raises(BadInput) as refused:
        of(tmp_path, url="https://h.example", quiet=quiet)

    assert "应为一天里的两个时刻，如 22:00-07:00" in str(refused.value)


def test_they_can_be_set_by_variables(tmp_path):
    env = {
        "ZHIXING_CHANNELS_PHONE_URL": "https://h.example",
        "ZHIXING_CHANNELS_PHONE_QUIET": "22:00-07:00",
        "ZHIXING_CHANNELS_PHONE_PER_HOUR": "5",
    }

    channel = load(tmp_path, env).settings.channels["phone"]

    assert (channel.quiet, channel.per_hour) == ("22:00-07:00", 5)
