"""Goals as callers hand them in: read whole, or refused with the name of what is wrong."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from zhixing.goals.contracts.fields import DEEPEST, MOST_VALUES
from zhixing.goals.contracts.requesting import LARGEST_CONFIG, read_request
from zhixing.goals.loop.limits import LIMIT_KEYS
from zhixing.goals.loop.model import Criterion
from zhixing.goals.loop.values import TaskType
from zhixing.goals.recognising.mapping import Asker, SourceType, task_request
from zhixing.goals.recognising.model import Draft
from zhixing.kernel.errors import BadInput, TooLarge

ID = "task_spec.metadata"


def request(**members: Any) -> dict[str, Any]:
    return {
        "task_spec": {
            "metadata": {"title": "尽调", "instruction": "写一份尽调报告"},
            "context": {"background": "储能", "extend_props": {"teamclaw_context": {"main_session_id": "s1"}}},
            "goal": {"objective": "一份报告", "acceptances": [{"id": "a", "acceptance": "有数据"}]},
        },
        "source_type": "api",
        "owner_user_id": "u1",
        "owner_bot_id": "b1",
        "execution_config": {"task_type": "dynamic", "MAX_DEPTH": 1, "panel_component_name": "p"},
        **members,
    }


def with_(path: str, value: Any) -> dict[str, Any]:
    """Return the request with one field set; `...` takes it out."""
    body = copy.deepcopy(request())
    *above, last = path.split(".")
    place = body
    for each in above:
        place = place[each]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return body


def refused(body: Any) -> BadInput:
    with pytest.raises(BadInput) as caught:
        read_request(body)
    return caught.value


def test_every_field_arrives() -> None:
    info, config = (found := read_request(request())).info, found.config
    assert (info.spec.title, info.spec.instruction, info.spec.objective) == ("尽调", "写一份尽调报告", "一份报告")
    assert (info.spec.background, info.spec.acceptances) == ("储能", (Criterion("a", "有数据"),))
    assert info.spec.extend_props == {"teamclaw_context": {"main_session_id": "s1"}}
    assert (info.source_type, info.owner_user_id, info.owner_bot_id) == ("api", "u1", "b1")
    assert (info.task_id, info.task_type, info.limits.max_depth) == ("", TaskType.DYNAMIC, 1)
    assert config == {"task_type": "dynamic", "MAX_DEPTH": 1, "panel_component_name": "p"}


def test_what_a_draft_becomes_can_be_read() -> None:
    draft = Draft(
        goal="修好命名", deliverables=("PR",), acceptance_criteria=("CI 通过", "截图一致"), constraints=("不动接口",)
    )
    asker = Asker("u", "b", SourceType.COOP_GROUP, teamclaw_context={"main_session_id": "s"})
    info = read_request(task_request(draft, asker).to_wire()).info
    assert [(each.id, each.description) for each in info.spec.acceptances] == [("ac1", "CI 通过"), ("ac2", "截图一致")]
    assert info.spec.objective == info.spec.background == "修好命名"


def test_only_what_is_needed_is_enough() -> None:
    spec = {"metadata": {"title": "t", "instruction": "i"}, "goal": {"objective": "o"}}
    found = read_request({"task_spec": spec, "owner_user_id": "u", "owner_bot_id": "b"})
    assert (found.info.task_type, found.info.source_type) == (TaskType.DYNAMIC, "bot")
    assert (found.info.spec.background, found.info.spec.acceptances, found.config) == ("", (), {})


@pytest.mark.parametrize(
    ("given", "ids"),
    [
        ([{"acceptance": "x"}, {"description": "y"}, "z"], ["ac1", "ac2", "ac3"]),
        ([{"id": "ac2", "acceptance": "x"}, {"acceptance": "y"}], ["ac2", "ac3"]),
        ([{"id": "", "acceptance": "x"}, {"id": None, "acceptance": "y", "description": "other"}], ["ac1", "ac2"]),
    ],
)
def test_criteria_are_read_under_both_names_and_get_the_ids_they_lack(given: list[Any], ids: list[str]) -> None:
    found = read_request(with_("task_spec.goal.acceptances", given)).info.spec.acceptances
    assert [each.id for each in found] == ids
    assert [each.description for each in found] == ["x", "y", "z"][: len(ids)]


def test_a_criterion_with_two_texts_means_its_acceptance() -> None:
    given = [{"id": "1", "acceptance": "a", "description": "d"}]
    assert read_request(with_("task_spec.goal.acceptances", given)).info.spec.acceptances[0].description == "a"


def test_a_workflow_has_its_id_and_its_config() -> None:
    config = {"task_type": "workflow", "workflow_id": " wf ", "args": ["1", 2], "workflow": {"x": 1}}
    found = read_request(request(execution_config=config))
    assert (found.info.task_type, found.info.workflow_id, found.config) == (TaskType.WORKFLOW, "wf", config)


@pytest.mark.parametrize("config", [{"task_type": "yaml"}, {"task_type": "yaml", "yaml": {"states": []}}])
def test_a_group_may_come_with_a_definition_or_without(config: dict[str, Any]) -> None:
    members = {"participant_bot_ids": ["b2"], "participant_bindings": {"role": "b2"}, "group_name": "g"}
    assert read_request(request(execution_config={**config, **members})).info.task_type is TaskType.YAML


def test_the_key_of_a_request_is_no_part_of_its_config() -> None:
    found = read_request(request(execution_config={"idempotency_key": "k1"}))
    assert (found.info.key, found.config) == ("k1", {})


def test_fields_of_the_server_and_of_other_versions_are_left_alone() -> None:
    found = read_request(request(task_id="mine", status="DONE", create_time=1, later="x"))
    assert found.info.task_id == ""


@pytest.mark.parametrize(
    ("path", "value", "name"),
    [
        ("task_spec", ..., "task_spec.metadata.title"),
        ("task_spec", [], "task_spec"),
        ("task_spec", "x", "task_spec"),
        ("task_spec.metadata.title", "  ", "task_spec.metadata.title"),
        ("task_spec.metadata.title", 7, "task_spec.metadata.title"),
        ("task_spec.metadata.instruction", "", "task_spec.metadata.instruction"),
        ("task_spec.metadata.instruction", ..., "task_spec.metadata.instruction"),
        ("task_spec.goal.objective", None, "task_spec.goal.objective"),
        ("task_spec.goal.acceptances", {"a": 1}, "task_spec.goal.acceptances"),
        ("task_spec.goal.acceptances", [{"id": "1"}], "task_spec.goal.acceptances[0].acceptance"),
        ("task_spec.goal.acceptances", ["ok", {"description": " "}], "task_spec.goal.acceptances[1].description"),
        ("task_spec.goal.acceptances", [7], "task_spec.goal.acceptances[0]"),
        ("task_spec.goal.acceptances", [{"id": "a\nb", "acceptance": "x"}], "task_spec.goal.acceptances[0].id"),
        ("task_spec.goal.acceptances", [{"id": "a", "acceptance": "x"}] * 2, "task_spec.goal.acceptances"),
        ("task_spec.context.background", 1, "task_spec.context.background"),
        ("task_spec.context.extend_props", "x", "task_spec.context.extend_props"),
        ("source_type", "mail", "source_type"),
        ("source_type", ["api"], "source_type"),
        ("owner_user_id", ..., "owner_user_id"),
        ("owner_bot_id", " ", "owner_bot_id"),
        ("owner_bot_id", "a\tb", "owner_bot_id"),
        ("execution_config", "dynamic", "execution_config"),
        ("execution_config.task_type", "static_plan", "execution_config.task_type"),
        ("execution_config.idempotency_key", 7, "execution_config.idempotency_key"),
        ("execution_config.participant_bot_ids", "b", "execution_config.participant_bot_ids"),
        ("execution_config.participant_bot_ids", ["b", 1], "execution_config.participant_bot_ids[1]"),
        ("execution_config.participant_bindings", [], "execution_config.participant_bindings"),
        ("execution_config.group_kind", "party", "execution_config.group_kind"),
        ("execution_config.args", [{}], "execution_config.args[0]"),
        ("execution_config.yaml", 7, "execution_config.yaml"),
        ("execution_config.MAX_DEPHT", 3, "execution_config.MAX_DEPHT"),
    ],
)
def test_what_is_wrong_is_named(path: str, value: Any, name: str) -> None:
    error = refused(with_(path, value))
    assert error.values["name"] == name
    assert name in str(error)


@pytest.mark.parametrize("key", sorted(LIMIT_KEYS))
@pytest.mark.parametrize("value", [-1, "3", True, [], float("inf"), 10**20])
def test_a_limit_is_never_guessed(key: str, value: Any) -> None:
    error = refused(with_(f"execution_config.{key}", value))
    assert error.key in {"goal_limit_wrong", "goal_body_number"}


@pytest.mark.parametrize("key", sorted(LIMIT_KEYS - {"MAX_TOKENS", "MAX_COST", "MAX_WALL_CLOCK"}))
def test_a_limit_of_none_at_all_is_refused(key: str) -> None:
    assert refused(with_(f"execution_config.{key}", 0)).values["name"] == f"execution_config.{key}"


@pytest.mark.parametrize(
    "config",
    [
        {"task_type": "workflow"},
        {"task_type": "workflow", "workflow_id": "  "},
        {"workflow_id": "wf"},
        {"yaml": "states: []"},
        {"task_type": "yaml", "group_kind": "state_machine"},
    ],
)
def test_who_drives_a_goal_must_be_certain(config: dict[str, Any]) -> None:
    assert refused(request(execution_config=config)).key in {"goal_workflow_missing", "goal_field_missing"}


def nested(levels: int) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("task_spec.metadata.title", "x" * 501),
        ("task_spec.metadata.instruction", "x" * 20_001),
        ("task_spec.goal.acceptances", ["x"] * 51),
        ("task_spec.goal.acceptances", ["x" * 4001]),
        ("owner_user_id", "u" * 129),
        ("execution_config.idempotency_key", "k" * 201),
        ("execution_config.note", "字" * LARGEST_CONFIG),
        ("task_spec.context.extend_props", {"x": "y" * LARGEST_CONFIG}),
        ("execution_config.note", nested(DEEPEST)),
        ("execution_config.note", nested(100_000)),
        ("execution_config.note", [0] * (MOST_VALUES + 1)),
    ],
)
def test_what_is_too_much_is_refused_as_that(path: str, value: Any) -> None:
    assert isinstance(refused(with_(path, value)), TooLarge)


@pytest.mark.parametrize("text", ["a\x00b", "a\ud800b"])
@pytest.mark.parametrize("path", ["task_spec.metadata.title", "execution_config.note", "execution_config.a\x00"])
def test_what_no_database_takes_is_refused(path: str, text: str) -> None:
    assert refused(with_(path, text)).key == "text_unstorable"


@pytest.mark.parametrize("body", [None, [], "x", 7])
def test_a_request_is_an_object(body: Any) -> None:
    assert refused(body).key == "goal_field_object"


def test_a_structure_that_holds_itself_ends() -> None:
    config: dict[str, Any] = {}
    config["again"] = config
    assert isinstance(refused(request(execution_config=config)), TooLarge)
