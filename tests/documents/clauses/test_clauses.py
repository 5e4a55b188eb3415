"""Clauses of document 003 that only show in the whole: by the commands, or from a file to a message.

The ids are those of docs/requirements/documents.md.
"""

from __future__ import annotations

import json
import re
from contextlib import closing
from datetime import timedelta
from hashlib import sha256
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from tests.documents.agent.playing import finish, turn, verdict
from tests.documents.room.house import House, task_md
from tests.faces.http.conftest import TOKEN, Client
from tests.faces.web.browsing import Browser

from zhixing.documents.frontmatter import read_frontmatter
from zhixing.documents.model import Kind, Manual, Standing
from zhixing.documents.run import RunState
from zhixing.documents.templates import AgentBody, template, write_body
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import house as home_of
from zhixing.faces.http import create_app
from zhixing.faces.mcp import documents as tools
from zhixing.faces.mcp.tools import TOOLS
from zhixing.world.models.failures import ModelUnavailable, Why
from zhixing.world.models.scripted import ScriptedModel
from zhixing.world.sandbox.scripted import printing

SKILL = Path(__file__).parents[3] / "skills" / "zhixing-documents" / "SKILL.md"
HEADINGS = ["任务目标", "背景与输入", "执行步骤", "输出要求", "触发与状态建议", "注意事项"]
WEEK = timedelta(days=7)
BRIEF = write_body(
    AgentBody(
        goal="产出一份 5 条以内的行业要闻清单。",
        inputs=("来源：公开新闻网站；范围：近 24 小时。",),
        steps=("检索近 24 小时的新闻。", "挑出 5 条，各写一句话。"),
        output=("Markdown 列表，每条不超过 60 字。",),
    )
)
COUNT = """# 任务目标：数一数 data 里的文件
# 输入依赖：ls、wc
# 失败条件：没有 data 时 exit 1

set -euo pipefail

# 1. 准备输入
cd "$DC_PROJECT_ROOT/data"

# 2. 执行主逻辑
count=$(ls | wc -l)

# 3. 输出最终结果（这段输出会被直接发送给用户）
echo "共 $count 个文件"
"""


def agent(furnished, clock, *script, body: str = BRIEF, **fields: str) -> House:
    """Give a house with one agent task, `task`, whose model answers as told."""
    house = furnished(model=ScriptedModel(clock, script))
    house.create("task", "@manual", body, kind="agent", **fields)
    return house


def ran(house: House) -> RunState:
    house.by_hand("task")
    house.run()
    return house.only("task").state


def left(house: House) -> dict[str, str]:
    """Return the files of the one run of `task`."""
    return {each.name: each.read_text(encoding="utf-8") for each in house.folder(house.only("task")).iterdir()}


# The task and its runs


def test_a_task_is_one_file_of_fields_and_a_body_in_the_folder_of_its_title(city) -> None:
    """D-1.1, D-1.2, D-2.2: the description is what `list` shows of it."""
    city.create("晨报", body=BRIEF)
    text = (city.project / ".downcity" / "task" / "晨报" / "task.md").read_text(encoding="utf-8")
    front = read_frontmatter(text)
    assert front.body.strip() == BRIEF.strip()
    assert {"title", "description", "when", "sessionId", "status", "kind"} <= set(front.fields)
    [listed] = city("task", "list").data["tasks"]
    assert (listed["title"], listed["description"]) == ("晨报", "说明")


def test_a_run_is_a_folder_beside_the_file_named_by_its_instant(house) -> None:
    """D-1.3: the id that `run` gives is the name of the folder."""
    house.create("task", "@manual")
    run = house.by_hand("task")
    house.run()
    assert (house.folder(run).parent / "task.md").is_file()
    assert house.folder(run).name == run.id
    assert re.fullmatch(r"\d{8}-\d{6}-\d{3}", run.id)
    assert run.id.startswith(house.clock.now().strftime("%Y%m%d-%H%M%S"))


def test_an_agent_run_leaves_every_file_of_the_document(furnished, clock) -> None:
    """D-3.1, D-3.2, D-3.3, D-3.4, D-3.5, D-3.6."""
    house = agent(furnished, clock, finish("- 一条要闻"))
    assert ran(house) is RunState.SUCCESS
    files = left(house)
    assert BRIEF.strip() in files["input.md"]
    assert files["output.md"] == "- 一条要闻"
    assert "SUCCESS" in files["result.md"]
    assert "- 一条要闻" in files["result.md"]
    assert json.loads(files["run.json"])["status"] == "success"
    assert json.loads(files["run-progress.json"])["phase"] == "completed"
    assert len(json.loads(files["dialogue.json"])["rounds"]) == 1
    assert "- 一条要闻" in files["dialogue.md"]
    assert "error.md" not in files


def test_a_run_that_fails_leaves_why(furnished, clock) -> None:
    """D-3.7: of an agent as of a script."""
    house = agent(furnished, clock, *[ModelUnavailable(Why.UNREACHABLE)] * 20)
    assert ran(house) is RunState.FAILURE
    assert "连不上" in left(house)["error.md"]
    house.create("script", "@manual")
    house.answer = printing(b"half", b"broken", code=4)
    run = house.by_hand("script")
    house.run()
    assert "broken" in (house.folder(run) / "error.md").read_text(encoding="utf-8")


# Actions and kinds


def test_every_action_of_the_document_does_what_it_says(city) -> None:
    """D-5.1, D-5.2, D-5.3, D-5.4, D-5.5, D-5.6, D-5.7, D-5.8, D-2.5."""

    def said(*line: str) -> str:
        return city("task", *line).data["status"]

    city.create("清点", kind="script", body="echo 3", when="@daily")
    [listed] = city("task", "list").data["tasks"]
    assert (listed["title"], listed["status"]) == ("清点", "enabled")
    assert said("disable", "清点") == "disabled"
    assert said("enable", "清点") == "enabled"
    assert said("status", "清点", "paused") == "paused"
    assert city("task", "update", "清点", "--description", "新的").data["changed"] is True
    assert city("task", "show", "清点").data["description"] == "新的"
    assert city("task", "run", "清点").data["accepted"] is True
    city("task", "delete", "清点")
    assert city("task", "list").data["tasks"] == []
    assert not city.file("清点").exists()


def test_the_body_is_what_the_agent_is_told_to_do(furnished, clock) -> None:
    """D-4.1, D-9.1: the body and no talk, in a history that begins with it."""
    house = agent(furnished, clock, finish("- 一条要闻"))
    ran(house)
    assert BRIEF.strip() in json.loads(left(house)["dialogue.json"])["rounds"][0]["executorQuery"]


@pytest.mark.parametrize(("fields", "asked", "reviewed"), [({}, 1, False), ({"review": "true"}, 2, True)])
def test_one_round_unless_a_review_is_asked_for(furnished, clock, fields, asked, reviewed) -> None:
    """D-4.2, D-4.3, D-16.2."""
    model = ScriptedModel(clock, [finish("- 一条要闻"), verdict(satisfied=True, reply="好", reason="好")])
    house = furnished(model=model)
    house.create("task", "@manual", BRIEF, kind="agent", **fields)
    assert ran(house) is RunState.SUCCESS
    assert len(model.asked) == asked
    record = house.record(house.only("task"))
    assert (record["dialogueRounds"], house.told) == (1, ["- 一条要闻"])
    assert json.loads(left(house)["dialogue.json"])["rounds"][0]["reviewEnabled"] is reviewed


@pytest.mark.parametrize("body", ["这不是脚本", "请运行 ls", "if true"])
def test_a_script_that_is_none_fails_and_says_so(walled, body) -> None:
    """D-4.7: what bash cannot run is no success, whatever it looks like."""
    walled.create("task", "@manual", body)
    assert ran(walled) is RunState.FAILURE
    assert "bash" in walled.told[0] or "task-script.sh" in walled.told[0]
    assert walled.record(walled.only("task"))["exit"]["code"] != 0


# The constraints


@pytest.mark.parametrize("title", ["晨报2", "晨 报", "Daily", "晨报！"])
def test_a_title_that_is_only_like_another_one_is_another_task(city, title) -> None:
    """D-2.1, D-7.1: nothing but exactly the same title counts as the same."""
    city.create("晨报")
    city.create("daily")
    assert city.create(title)["reusedExisting"] is False
    assert len(city("task", "list").data["tasks"]) == 3


def test_after_its_instant_a_task_is_paused_and_by_hand_also_when_it_failed(house) -> None:
    """D-7.2, D-14.3."""
    house.answer = printing(code=1)
    house.create("task", "time:2026-10-12T10:30:00+08:00")
    house.run(timedelta(minutes=30))
    assert house.states("task") == [RunState.FAILURE]
    definition = house.view("task").definition
    assert (definition.when, definition.status) == (Manual(), Standing.PAUSED)
    assert 'when: "@manual"' in house.text("task")


def test_a_run_is_accepted_before_anything_of_it_has_happened(city) -> None:
    """D-7.3, D-7.4: what comes back says that it is in the background and that its result is sent by itself."""
    city.create("清点", kind="script", body="echo 3")
    said = city("task", "run", "清点").data
    assert (said["accepted"], bool(said["executionId"])) == (True, True)
    assert all(words in said["message"] for words in ("后台", said["executionId"], "自动发", "不用等待"))
    [run] = city("task", "runs", "清点").data["runs"]
    assert (run["executionId"], run["startedAt"]) == (said["executionId"], None)


def test_a_result_arrives_though_nobody_asks_for_it(house) -> None:
    """D-2.4, D-7.4, D-13.1: in the chat that the session stands for, and in no other."""
    house.create("task", "@manual")
    house.create("other", "@manual", sessionId="family")
    house.by_hand("task")
    house.run()
    assert (house.told, house.family.arrived) == (["好了"], [])
    house.by_hand("other")
    house.run()
    assert (len(house.told), [letter.text for letter in house.family.arrived]) == (1, ["好了"])


def test_whoever_has_started_a_run_is_told_neither_to_forward_nor_to_poll(city) -> None:
    """D-7.5, D-7.6, D-7.7: by the reply, by the tool, and by the skill."""
    city.create("清点", kind="script", body="echo 3")
    assert "不用再转发" in city("task", "run", "清点").data["message"]
    tool = " ".join((tools.document_run.__doc__ or "").split())
    skill = " ".join(SKILL.read_text(encoding="utf-8").split())
    for text in (tool, skill):
        assert re.search("[Dd]o not wait", text)
        assert re.search("do not (forward|send) the result", text)
        assert re.search("[Oo]nly when the user asks", text)
    assert "Do not read `output.md` or `run-progress.json`" in skill
    assert "do not poll runs or read their files" in tool


def test_any_answer_that_says_something_is_a_success(furnished, clock) -> None:
    """D-7.8: nothing has to be sent, and nothing else is."""
    house = agent(furnished, clock, finish("没有新闻。"))
    assert ran(house) is RunState.SUCCESS
    assert house.told == ["没有新闻。"]
    assert house.family.arrived == []


@pytest.mark.parametrize(("line", "count"), [("- 另外抄送会话 family", 1), ("- 只写正文", 0)])
def test_another_chat_gets_something_only_where_the_body_says_so(furnished, clock, line, count) -> None:
    """D-7.9, D-13.7."""
    script = (turn("send", session="family", text="有新的要闻"), finish("- 一条要闻"))
    house = agent(furnished, clock, *script, body=f"{BRIEF}{line}\n")
    assert ran(house) is RunState.SUCCESS
    assert len(house.family.arrived) == count
    assert house.told == ["- 一条要闻"]


# Bodies


def remarks(city, body: str, kind: str = "agent") -> set[str]:
    """Return the codes that `city task validate` gives for a body."""
    text = task_md("task", "@manual", body, kind=kind).encode()
    return {each["code"] for each in city("task", "validate", "--file", "-", stdin=text).data["findings"]}


def with_step(line: str) -> str:
    return BRIEF.replace("1. 检索", f"- {line}\n1. 检索")


def without(*headings: str) -> str:
    """Return the brief without some of its sections."""
    parts = re.split(r"(?m)^(?=# )", BRIEF)
    return "".join(part for part in parts if part.split("\n", 1)[0].removeprefix("# ") not in headings)


def with_section(heading: str, content: str) -> str:
    parts = re.split(r"(?m)^(?=# )", BRIEF)
    return "".join(f"# {heading}\n\n{content}\n\n" if part.startswith(f"# {heading}\n") else part for part in parts)


def test_a_body_that_keeps_every_rule_has_no_remark(city) -> None:
    """D-11.1: whoever gets it alone has goal, inputs, steps and product."""
    assert remarks(city, BRIEF) == set()


RULES = {
    "D-8.1": (without("任务目标"), "sections_missing"),
    "D-8.2": (without("背景与输入"), "sections_missing"),
    "D-8.3": (without("执行步骤"), "sections_missing"),
    "D-8.4": (without("输出要求"), "sections_missing"),
    "D-9.1": (with_step("按我们聊的来：格式同上"), "dangling_reference"),
    "D-9.2": (with_section("任务目标", "- 处理一下"), "goal_vague"),
    "D-9.3": (with_section("背景与输入", ""), "section_empty"),
    "D-9.4": (with_step("先检查有没有同名任务，再创建任务，然后触发任务"), "management_step"),
    "D-9.5": (with_section("输出要求", "- 返回结果"), "output_without_shape"),
    "D-9.9": (with_step("开头写明 sessionId 和执行时间"), "meta_information"),
    "D-9.10": (with_step("适当精简"), "weak_word"),
    "D-9.11": (with_step("完成后查看任务状态"), "management_step"),
    "D-11.1": (with_step("继续刚才那个"), "dangling_reference"),
    "D-11.2": (without("输出要求").replace("产出一份 5 条以内的行业要闻清单。", "去做一下"), "goal_vague"),
    "D-11.3": (with_step("如果任务已存在则更新，否则创建"), "management_step"),
    "D-11.4": (with_section("输出要求", "- 一份 Markdown 清单"), "output_without_limits"),
    "D-13.6": (with_step("用 `city chat send` 把结果发给用户"), "sends_itself"),
}


@pytest.mark.parametrize(("clause", "body", "code"), [(clause, *row) for clause, row in RULES.items()])
def test_a_body_that_breaks_a_rule_is_remarked_upon(city, clause, body, code) -> None:
    assert code in remarks(city, body), clause


FORBIDDEN = [
    ("D-10.1", "我来为你整理新闻", "chat_opening"),
    ("D-10.1", "首先让我看一遍来源", "chat_opening"),
    ("D-10.1", "我先检查一下来源", "chat_opening"),
    ("D-10.1", "我看到已经有一个同名任务", "chat_opening"),
    ("D-10.2", "如果任务已存在则更新，否则创建", "management_step"),
    ("D-10.2", "先 list 再 run", "management_step"),
    ("D-10.2", "完成后告诉用户任务已启动", "management_step"),
    ("D-10.3", "任务状态总结", "status_report"),
    ("D-10.3", "已发送 / 已完成 / 已更新", "status_report"),
    ("D-10.3", "当前任务配置如下", "status_report"),
    ("D-10.4", "去搜集一些资料", "action_without_product"),
    ("D-10.4", "生成一个内容看看", "action_without_product"),
    ("D-10.4", "做完后反馈结果", "action_without_product"),
    ("D-10.5", "按上面说的做", "dangling_reference"),
    ("D-10.5", "继续刚才那个", "dangling_reference"),
    ("D-10.5", "把这个发出去", "dangling_reference"),
]


@pytest.mark.parametrize(("clause", "line", "code"), FORBIDDEN)
def test_every_example_of_what_is_forbidden_is_remarked_upon(city, clause, line, code) -> None:
    assert remarks(city, with_step(line)) == {code}, clause


SCRIPTS = {
    "D-12.1": ("请先准备好数据，再运行下面的命令：\n" + COUNT, "script_prose"),
    "D-12.2": (COUNT.split("\n\n", 1)[1], "script_comments"),
}


@pytest.mark.parametrize(("clause", "body", "code"), [(clause, *row) for clause, row in SCRIPTS.items()])
def test_a_script_that_breaks_a_rule_is_remarked_upon(city, clause, body, code) -> None:
    assert code in remarks(city, body, kind="script"), clause
    assert remarks(city, COUNT, kind="script") == set()


def test_a_script_without_prose_has_no_remark(city) -> None:
    """D-12.1, D-16.3."""
    assert remarks(city, COUNT, kind="script") == set()


def test_the_same_script_says_the_same_twice(walled, project) -> None:
    """D-12.3: what is sent is its standard output alone, to the letter."""
    (project / "data").mkdir()
    walled.create("task", "@manual", COUNT + "echo 杂音 >&2\n")
    for _ in range(2):
        walled.by_hand("task")
        walled.run(timedelta(minutes=1))
    assert walled.told == ["共 0 个文件"] * 2


def test_files_that_a_script_makes_go_into_its_run_or_a_path_that_is_named(walled, project) -> None:
    """D-12.4."""
    (project / "reports").mkdir()
    body = 'echo 1 > "$DC_RUN_DIR/work.csv"\necho 2 > "$DC_PROJECT_ROOT/reports/day.csv"\n! echo 3 > ../other.csv'
    walled.create("task", "@manual", f"set -eu\n{body} 2>/dev/null\necho 好了", paths="reports/:rw")
    assert ran(walled) is RunState.SUCCESS
    assert left(walled)["work.csv"] == "1\n"
    assert (project / "reports" / "day.csv").read_text(encoding="utf-8") == "2\n"
    assert not (walled.folder(walled.only("task")).parent / "other.csv").exists()


# What is sent


def test_the_last_answer_is_the_file_and_the_message(furnished, clock) -> None:
    """D-13.1, D-13.2: what the model said before is in neither."""
    house = agent(
        furnished, clock, turn("write_file", thought="我来为你整理", path="draft.md", content="草稿"), finish("成品\n")
    )
    assert ran(house) is RunState.SUCCESS
    assert left(house)["output.md"] == "成品\n"
    assert [text.strip() for text in house.told] == ["成品"]


def test_a_result_that_its_reviewer_rejects_is_sent_as_rejected(furnished, clock) -> None:
    """Issue 5: after three rounds, with what it lacks in front, and the run is no success."""
    rounds = [line for number in "123" for line in (finish(f"第 {number} 版"), verdict(False, "加来源", "没有来源"))]
    house = agent(furnished, clock, *rounds, review="true")
    assert ran(house) is RunState.FAILURE
    assert house.record(house.only("task"))["dialogueRounds"] == 3
    [told] = house.told
    first, *_, last = told.splitlines()
    assert ("没有通过" in first, "没有来源" in first, last) == (True, True, "第 3 版")


@pytest.mark.parametrize("text", ["我来为你处理", "任务已发送。", "任务已完成。"])
def test_a_report_on_itself_is_no_product(furnished, clock, text) -> None:
    """D-13.4, D-13.5: it is given back, and what comes then is what is sent."""
    house = agent(furnished, clock, finish(text), finish("- 一条要闻"))
    assert ran(house) is RunState.SUCCESS
    assert house.told == ["- 一条要闻"]


def test_whatever_the_body_says_the_agent_knows_that_its_last_answer_is_sent(furnished, clock) -> None:
    """D-9.6, D-9.7, D-9.8, D-16.6: the template, every body that we write, and the order itself say so."""
    for body in (template(Kind.AGENT), BRIEF):
        assert "最后一条 assistant 返回" in body
    assert "`output.md` 并发送给用户" in BRIEF
    assert "成品正文" in BRIEF
    model = ScriptedModel(clock, [finish("好")])
    house = furnished(model=model)
    house.create("task", "@manual", "写一个字", kind="agent")
    ran(house)
    system = model.asked[0].system
    assert all(words in system for words in ("原样写入 output.md", "发给用户", "只有成品本身"))


def test_the_skill_wants_a_product_that_a_reader_can_use(city) -> None:
    """D-13.3, D-16.1, D-16.5: look first, and describe what comes out for the person who gets it."""
    text = SKILL.read_text(encoding="utf-8")
    assert text.index("document_list {}") < text.index("document_create {")
    assert "*is* the message the user gets" in text
    assert "what it looks like and what must not be in it" in text
    assert remarks(city, with_section("任务目标", "- 去做一下看看")) >= {"action_without_product"}


# When and status


def test_a_task_is_enabled_unless_it_is_said_otherwise(city) -> None:
    """D-14.1: what is still being tried is made paused, and can be run by hand all the same."""
    assert city.create("晨报")["status"] == "enabled"
    assert city.create("试试", "--status", "paused", kind="script", body="echo 1", when="@daily")["nextRuns"] == []
    assert city("task", "run", "试试").data["accepted"] is True


def test_what_is_proven_runs_by_itself(house) -> None:
    """D-14.2: a cron expression and `enabled` are all that it needs."""
    house.create("task", "0 9 * * 1-5")
    house.minute_by_minute("2026-10-19T08:00:00+08:00", timedelta(hours=1))
    assert house.dues("task") == [f"10-{day} 01:00" for day in (13, 14, 15, 16)]


@pytest.mark.parametrize(("when", "status"), [("0 9 * * *", "paused"), ("@manual", "enabled"), ("@manual", "paused")])
def test_what_is_kept_for_later_does_not_run(house, when, status) -> None:
    """D-14.4, D-16.4."""
    house.create("task", when, status=status)
    house.run(WEEK)
    assert house.runs("task") == []
    house.by_hand("task")
    house.run()
    assert house.told == ["好了"]


# Templates


DIGESTS = [
    ("agent", "847cb5166fb3f480f51d5237da11fb393dd84d3cac70fbb7683b6994476e196b"),
    ("script", "5800d216e1b8063d9584ba25ac9ee5db206c601bf44c4135ca181787e2e4ff6f"),
]
"""SHA-256 of the two blocks of section 「正文模板」."""


@pytest.mark.parametrize(("kind", "digest"), DIGESTS)
def test_the_templates_are_those_of_the_document_and_what_a_new_task_has(zhixing, project, kind, digest) -> None:
    """D-15.1, D-15.2: byte for byte."""
    wanted = template(Kind(kind))
    assert sha256(wanted.encode()).hexdigest() == digest
    assert zhixing("task", "new", "晨报", "--kind", kind).code == 0
    text = (project / ".downcity" / "task" / "晨报" / "task.md").read_text(encoding="utf-8")
    assert read_frontmatter(text).body.strip("\n") == wanted.strip("\n")


def test_an_agent_task_without_a_body_gets_the_template(city) -> None:
    """D-2.6, D-15.1, D-8.1, D-8.2, D-8.3, D-8.4, D-8.5, D-8.6: all six headings, in this order."""
    city.create("晨报")
    task = city("task", "show", "晨报").data
    body = task["body"]
    assert task["kind"] == "agent"
    assert body.strip() == template(Kind.AGENT).strip()
    assert re.findall(r"^# (.+)$", body, re.MULTILINE) == HEADINGS


def test_the_script_template_runs_as_it_stands(walled) -> None:
    """D-15.2, T35: within real walls, and it comes to its end."""
    walled.create("task", "@manual", template(Kind.SCRIPT))
    assert ran(walled) is RunState.SUCCESS
    assert "没有输出" in walled.told[0]
    record = walled.record(walled.only("task"))
    assert (record["exit"]["code"], record["exit"]["sandbox"]) == (0, "bwrap")


@pytest.mark.parametrize(("there", "state", "told"), [(True, "success", "共 2 个文件"), (False, "failure", "data")])
def test_a_script_template_that_is_filled_in_runs_from_the_command_to_the_message(
    walled, project, there, state, told
) -> None:
    """D-15.2, D-4.5: the three parts and the failure that its head promises."""
    fixed = [line for line in template(Kind.SCRIPT).splitlines() if not re.match("# .+：", line)]
    assert [line for line in COUNT.splitlines() if line in fixed] == fixed
    if there:
        (project / "data").mkdir()
        for name in ("a", "b"):
            (project / "data" / name).touch()
    walled.create("task", "@manual", COUNT)
    assert ran(walled).value == state
    assert told in walled.told[0]


# What is said


WISH = "工作日早上 8 点给我写一份日报"


def test_a_sentence_is_shown_as_a_task_and_saved_by_a_letter(zhixing) -> None:
    """Issue 5: by the commands; what is saved keeps every rule for bodies."""
    shown = zhixing("say", WISH)
    assert (shown.code, "每周一至周五 08:00" in shown.out, "# 输出要求" in shown.out) == (0, True, True)
    assert zhixing("task", "list", "--all", "--json").json["tasks"] == []
    assert "每周一至周五 09:00" in zhixing("answer", "d1", "改成9点").out
    assert zhixing("answer", "d1", "A").code == 0
    [task] = zhixing("task", "list", "--all", "--json").json["tasks"]
    assert (task["title"], task["when"], task["status"]) == ("工作日日报", "0 9 * * 1-5", "enabled")
    checked = zhixing("task", "validate", "--file", task["taskMdPath"], "--json").json
    assert checked["findings"] == []


def test_a_draft_is_answered_over_http_too(house) -> None:
    """Issue 5: shown first, and what is taken for granted stands among its tips."""
    with closing(Client(create_app(house.app, TOKEN), {"Authorization": f"Bearer {TOKEN}"})) as client:
        draft = client.say(WISH)
        assert (draft["way"], draft["state"], bool(draft["tips"])) == ("document", "shown", True)
        assert client.get("/api/v1/documents")["documents"] == []
        saved = client.post(f"/api/v1/drafts/{draft['id']}/answer", {"value": "B", "revision": draft["revision"]})
        assert (saved["state"], saved["document"]["status"]) == ("saved", "paused")
        assert saved["document"]["whenWords"] == "每周一至周五 08:00"


def test_a_draft_is_answered_on_the_page(house) -> None:
    """Issue 5: without JavaScript; dropped, it leaves nothing."""
    with closing(Client(create_app(house.app, TOKEN), {})) as client:
        browser = Browser(client)
        browser.log_in()
        page = browser.say(WISH)
        assert "每周一至周五 08:00" in page.text()
        browser.send(page.form("/drafts/d1/cancel"))
        assert house.views() == []
        browser.send(browser.say(WISH).form("/drafts/d2/answer"), value="A")
        [view] = house.views()
        assert (view.title, view.definition.status) == ("工作日日报", Standing.ENABLED)


def test_a_draft_is_answered_by_an_agent(zhixing) -> None:
    """Issue 5: over the tools, which say what to show and to whom."""
    with home_of(Desk(zhixing.env, zhixing.clock, BytesIO(), StringIO(), StringIO())) as home:
        draft = TOOLS["say"].call(home, {"text": WISH})
        assert (draft["way"], "# 输出要求" in "\n".join(draft["lines"])) == ("document", True)
        saved = TOOLS["answer"].call(home, {"id": draft["id"], "value": "A"})
        assert (saved["state"], saved["document"]["status"]) == ("saved", "enabled")
