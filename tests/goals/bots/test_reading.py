"""Profiles as people write them, in three forms, and one clear line for each fault."""

from __future__ import annotations

import json
from datetime import UTC, datetime, time
from typing import Any

import pytest

from zhixing.goals.bots.profiles import (
    A2aSettings,
    Availability,
    BotKind,
    CommandSettings,
    Hours,
    HttpSettings,
    Line,
    ModelSettings,
    Profile,
    ScriptedSettings,
)
from zhixing.goals.bots.reading import read_catalog, read_profile
from zhixing.goals.bots.tables import Form
from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.kernel.wording import section

MARKET = Profile(
    "market",
    "市场分析员",
    HttpSettings("https://bots.example.com/market", "market_key"),
    ("市场分析", "需求预测"),
    "看一个行业要多少货",
    Availability(hours=(Hours(time(9), time(18)),), days=(1, 2, 3, 4, 5)),
    relay=True,
)
TOML = """
[[bots]]
id = "market"
name = "市场分析员"
kind = "http"
abilities = ["市场分析", "需求预测"]
purpose = "看一个行业要多少货"
relay = true
http = { url = "https://bots.example.com/market", secret = "market_key" }
available = { hours = ["09:00-18:00"], days = [1, 2, 3, 4, 5], zone = "Asia/Shanghai" }
"""
YAML = """
bots:
  - id: market
    name: 市场分析员
    kind: http
    abilities: [市场分析, 需求预测]
    purpose: 看一个行业要多少货
    relay: true
    http: {url: "https://bots.example.com/market", secret: market_key}
    available: {hours: ["09:00-18:00"], days: [1, 2, 3, 4, 5]}
"""
JSON = """{"bots": [{"id": "market", "name": "市场分析员", "kind": "http", "abilities": ["市场分析", "需求预测"],
 "purpose": "看一个行业要多少货", "relay": true,
 "http": {"url": "https://bots.example.com/market", "secret": "market_key"},
 "available": {"hours": ["09:00-18:00"], "days": [5, 4, 3, 2, 1]}}]}"""


@pytest.mark.parametrize(("text", "form"), [(TOML, Form.TOML), (YAML, Form.YAML), (JSON, Form.JSON)])
def test_the_same_bot_can_be_written_in_three_forms(text: str, form: Form) -> None:
    assert list(read_catalog(text, form)) == [MARKET]


@pytest.mark.parametrize(
    ("kind", "given", "settings"),
    [
        ("model", None, ModelSettings()),
        (
            "model",
            {"instructions": "你是\n写手", "model": "big", "seconds": 30},
            ModelSettings("你是\n写手", "big", 30),
        ),
        ("command", {"command": ["python3", "bot.py"]}, CommandSettings(("python3", "bot.py"))),
        ("command", {"command": ["run"], "folder": "bots"}, CommandSettings(("run",), "bots")),
        ("http", {"url": "http://127.0.0.1:9000/bot"}, HttpSettings("http://127.0.0.1:9000/bot")),
        ("a2a", {"card": "https://a.example/card.json"}, A2aSettings("https://a.example/card.json")),
        ("scripted", {"lines": [{"when": "翻译", "reply": "好"}]}, ScriptedSettings((Line("好", "翻译"),))),
    ],
)
def test_each_kind_has_settings_of_its_own(kind: str, given: Any, settings: object) -> None:
    table = {"id": "b", "name": "某", "kind": kind} | ({} if given is None else {kind: given})
    profile = read_profile(table)
    assert (profile.settings, profile.kind) == (settings, BotKind(kind))


def test_a_bot_without_a_zone_lives_in_that_of_the_home() -> None:
    profile = read_profile({"id": "b", "name": "某", "kind": "model"}, home_zone="Asia/Tokyo")
    assert profile.availability == Availability(zone="Asia/Tokyo")


def test_instants_of_toml_are_understood() -> None:
    text = '[[bots]]\nid="b"\nname="某"\nkind="model"\navailable={since=2026-12-01T08:00:00Z}'
    assert next(iter(read_catalog(text, Form.TOML))).availability.since == datetime(2026, 12, 1, 8, tzinfo=UTC)


FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"id": ""}, "bot_text"),
    ({"id": "a b"}, "bot_id_blank"),
    ({"id": "x" * 129}, "bot_text"),
    ({"id": 12}, "bot_text"),
    ({"name": "两\n行"}, "bot_text"),
    ({"name": "名" * 61}, "bot_text"),
    ({"kind": "robot"}, "bot_choice"),
    ({"kind": ["model"]}, "bot_choice"),
    ({"abilities": "翻译"}, "bot_not_list"),
    ({"abilities": ["翻译", "翻译"]}, "bot_value_twice"),
    ({"abilities": [f"能力{n}" for n in range(31)]}, "bot_list_long"),
    ({"abilities": [""]}, "bot_text"),
    ({"purpose": "用" * 1001}, "bot_prose"),
    ({"purpose": "响铃\x07"}, "bot_prose"),
    ({"relay": "yes"}, "bot_not_truth"),
    ({"abilites": []}, "bot_key_mistyped"),
    ({"颜色": "红"}, "bot_key_unknown"),
    ({"http": {"url": "https://a.example"}}, "bot_settings_stray"),
    ({"model": "big"}, "bot_not_table"),
    ({"model": {"seconds": 0}}, "bot_whole"),
    ({"model": {"seconds": True}}, "bot_whole"),
    ({"kind": "command"}, "bot_key_missing"),
    ({"kind": "command", "command": {"command": []}}, "bot_command_empty"),
    ({"kind": "command", "command": {"command": "rm x"}}, "bot_not_list"),
    ({"kind": "http", "http": {"url": "ftp://a.example"}}, "bot_address"),
    ({"kind": "http", "http": {"url": "https://"}}, "bot_address"),
    ({"kind": "http", "http": {"url": "http://[::1"}}, "bot_address"),
    ({"kind": "http", "http": {"url": "https://me:pw@a.example"}}, "bot_address_secret"),
    ({"kind": "http", "http": {"url": "https://a.example", "secret": "sk-12 34"}}, "bot_secret_name"),
    ({"kind": "scripted", "scripted": {"lines": []}}, "bot_lines_empty"),
    ({"kind": "scripted", "scripted": {"lines": [{"when": "翻译"}]}}, "bot_key_missing"),
    ({"available": {"hours": ["九点到六点"]}}, "bot_hours"),
    ({"available": {"hours": ["09:00-09:00"]}}, "bot_hours"),
    ({"available": {"hours": ["09:00-24:30"]}}, "bot_hours"),
    ({"available": {"days": [0]}}, "bot_whole"),
    ({"available": {"zone": "Mars/Base"}}, "zone_unknown"),
    ({"available": {"since": "2026-12-01"}}, "instant_without_offset"),
    ({"available": {"since": "2026-12-02T00:00Z", "until": "2026-12-01T00:00Z"}}, "bot_never"),
]


@pytest.mark.parametrize(("given", "key"), FAULTS)
def test_each_fault_of_a_bot_has_its_line(given: dict[str, Any], key: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_profile({"id": "b", "name": "某", "kind": "model", **given}, 3)
    assert caught.value.key == key
    assert "\n" not in str(caught.value)


def test_a_fault_names_the_bot_or_its_place() -> None:
    with pytest.raises(BadInput, match=r"^bot「b」缺少「name」。$"):
        read_profile({"id": "b"}, 3)
    with pytest.raises(BadInput, match=r"^第 3 个 bot 缺少「id」。$"):
        read_profile({}, 3)


def test_what_may_be_a_secret_is_not_repeated() -> None:
    table = {"id": "b", "name": "某", "kind": "http", "http": {"url": "https://a.example", "secret": "hunter2 !"}}
    with pytest.raises(BadInput) as caught:
        read_profile(table)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "form", "key"),
    [
        ("", Form.YAML, "bot_yaml_empty"),
        ("bots: [", Form.YAML, "bot_yaml_broken"),
        ("bots: &a []", Form.YAML, "bot_yaml_alias"),
        ("bots: !!set {}", Form.YAML, "bot_yaml_tag"),
        ("bots:\n\t- id: a", Form.YAML, "bot_yaml_tab"),
        ("bots: '\x07'", Form.YAML, "bot_yaml_character"),
        ("bots: []\n---\nbots: []", Form.YAML, "bot_yaml_documents"),
        ("bots: []\nbots: []", Form.YAML, "bot_yaml_key_twice"),
        ("[" * 13 + "]" * 13, Form.YAML, "bot_yaml_deep"),
        (f"bots: [{'1,' * 20_001}]", Form.YAML, "bot_yaml_many"),
        ("{", Form.JSON, "bot_text_broken"),
        ('{"bots": NaN}', Form.JSON, "bot_json_odd"),
        ("[" * 100_000, Form.JSON, "bot_json_odd"),
        ('{"bots": [], "bots": []}', Form.JSON, "bot_json_twice"),
        ("bots = ", Form.TOML, "bot_text_broken"),
        ("[]", Form.JSON, "bot_not_table"),
        ("{}", Form.JSON, "bot_key_missing"),
        (json.dumps({"bots": [{}] * 501}), Form.JSON, "bot_list_long"),
    ],
)
def test_each_fault_of_a_text_has_its_line(text: str, form: Form, key: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_catalog(text, form)
    assert caught.value.key == key
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("form", list(Form))
def test_a_text_that_is_too_long_is_not_read(form: Form) -> None:
    with pytest.raises(TooLarge):
        read_catalog(" " * 256_001, form)


def test_a_fault_of_a_text_names_the_line() -> None:
    with pytest.raises(BadInput, match="第 2 行写法不对（不是合法的 TOML）"):
        read_catalog("[[bots]]\nid = \n", Form.TOML)


def test_no_word_of_ours_for_yaml_speaks_of_the_plan_of_a_home() -> None:
    texts = [text for key, text in section("errors", "zh").items() if key.startswith("bot_yaml_")]
    assert texts
    assert not any("家庭" in text for text in texts)
