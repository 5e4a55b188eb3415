"""Two agents, one of the old protocol and one of the new, at work in one home at the same time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

TIMES = 8


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("shared")


@pytest.fixture(scope="module")
def pair(start_agent, folder):
    with start_agent(folder, mode="legacy") as first, start_agent(folder) as second:
        yield first, second


@pytest.fixture(scope="module")
def both(pair):
    """Have both do something at once, so often; give what each got."""

    def act(name, **arguments):
        with ThreadPoolExecutor(2 * TIMES) as crew:
            done = [crew.submit(agent.call, name, arguments) for _ in range(TIMES) for agent in pair]
        return [each.result() for each in done]

    return act


def test_they_speak_their_protocols_and_have_the_same_tools(pair):
    old, new = pair
    assert old.client.protocol_version != new.client.protocol_version
    assert old.tools() == new.tools()


def test_one_key_makes_one_talk(both):
    said = both("say", text="久坐45分钟提醒一下", key="both")
    assert not [each for failed, each in said if failed]
    assert len({each["id"] for _, each in said}) == 1


def test_one_name_makes_one_task_and_every_other_call_is_refused(both, plan_of):
    done = both("plan_apply", plan=plan_of("drink_8_daily"))
    assert [failed for failed, _ in done].count(False) == 1
    assert {each["error"]["code"] for failed, each in done if failed} == {"household_task_exists"}


def test_one_key_counts_once_and_without_keys_every_call_counts(both, pair, plan_of):
    plan = plan_of("drink_8_daily")
    plan["task"]["task_id"] = "drink_counted"
    for part in (*plan["rules"], *plan["schedules"]):
        part["name"] = part["name"].replace("drink_8_daily", "drink_counted")
    pair[0]("plan_apply", plan=plan)
    both("record_increment", task="drink_counted", key="cup")
    assert pair[1]("record_get", task="drink_counted")["record"]["current"] == 1
    assert not [each for failed, each in both("record_increment", task="drink_counted") if failed]
    assert pair[0]("record_get", task="drink_counted")["record"]["current"] == 1 + 2 * TIMES


def test_a_flood_of_calls_is_answered_to_the_last(pair):
    with ThreadPoolExecutor(200) as crew:
        done = list(crew.map(lambda number: pair[number % 2].call("person_list", {}), range(200)))
    assert {each["error"]["code"] for failed, each in done if failed} <= {"mcp_busy"}
    assert len([each for failed, each in done if not failed]) >= 2 * TIMES


def test_what_one_pauses_the_other_finds_paused(pair, plan_of):
    old, new = pair
    slug = old("plan_apply", plan=plan_of("living_room_off"))["slug"]
    old("task_pause", task=slug)
    assert new("task_show", task=slug)["status"] == "paused"
    new("task_delete", task=slug)
    assert old.wrong("task_logs", task="living_room_on") == "task_unknown"
    assert old("task_show", task=slug)["status"] == "deleted"
