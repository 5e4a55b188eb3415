"""The samples of the requirement that are sequences: what users, models and faults do to a notice, one after the other.

Every `op` of a case is performed on a house as a user, a model or the world performs it; what `expected` says is then
true of the notice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from zhixing.engine.model import JobState
from zhixing.kernel.errors import Conflict, StoreUnavailable
from zhixing.kernel.moments import parse_instant
from zhixing.notices.model import Source, Submission
from zhixing.notices.notice import Notice, NoticeState, ReminderState
from zhixing.notices.protocol import downgrade
from zhixing.notices.replies import understand_reply
from zhixing.tasks.task import Status
from zhixing.world.models.failures import ModelUnavailable, Why
from zhixing.world.models.scripted import ScriptedModel

LINES = Path(__file__).with_name("cases").joinpath("notices.jsonl").read_text(encoding="utf-8").splitlines()
CASES = {case["id"]: case for case in map(json.loads, LINES) if case.get("ops")}

STATES = {
    "scheduled": NoticeState.SCHEDULED,
    "needs_confirmation": NoticeState.NEEDS_CONFIRMATION,
    "needs_model": NoticeState.PENDING_AI,
    "no_reminder": NoticeState.NO_REMINDER,
    # A reply that is not believed leaves everything as it was, to be tried again.
    "rejected": NoticeState.RETRYABLE_FAILURE,
    "retryable_failure": NoticeState.RETRYABLE_FAILURE,
}


def whole(*nodes: dict[str, Any]) -> dict[str, Any]:
    """Give the reply of which a sample shows the nodes."""
    every = [{"leadMinutes": None, "leadEvidence": None, **node} for node in nodes]
    item = {"title": "", "action": "", "evidence": "", "details": [], "nodes": every, "ambiguities": []}
    return {"version": 1, "transcript": None, "items": [{**item, "speaker": None, "sentOn": None}]}


RIGHT = whole({"kind": "start", "expression": "10月20日下午3点", "evidence": "10月20日下午3点开会"})


class FailingOnce:
    """A store whose write number `number` is refused, as by a full disk."""

    def __init__(self, inner: Any, number: int) -> None:
        self._inner = inner
        self._left = number

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    @contextmanager
    def write(self) -> Iterator[Any]:
        self._left -= 1
        if self._left == 0:
            raise StoreUnavailable("store_unavailable")
        with self._inner.write() as tx:
            yield tx


class Stage:
    """Performs the ops of one case. The notice is said before the first of them, unless that one says it."""

    def __init__(self, case: dict[str, Any], house: Any, home: Any) -> None:
        self.case = case
        self.house = house
        self._home = home
        self._said: Notice | None = None
        self._asked_at: int | None = None
        self._message = ""
        self.model = house.model = ScriptedModel(house.clock)

    @property
    def notice(self) -> Notice:
        if self._said is None:
            self._say()
        return self.house.look(self._said)

    def perform(self) -> None:
        for op in self.case["ops"]:
            getattr(self, f"_{op['op']}")(op)

    def _say(self, **more: Any) -> None:
        more.setdefault("source", self.case["source"])
        self._said = self.house.say(self.case["text"], key=self.case["id"], zone=self.case["tz"], **more)
        self._asked_at = self._said.question.revision if self._said.question else None

    # What a user does.

    def _submit(self, _op: dict[str, Any]) -> None:
        self._say()

    def _submit_same_again(self, _op: dict[str, Any]) -> None:
        again = self.house.say(self.case["text"], key=self.case["id"])
        assert again.task.id == self.notice.task.id

    def _answer(self, op: dict[str, Any]) -> None:
        asked = self.notice
        assert asked.question.kind == op.get("question_kind", asked.question.kind)
        self.house.answer(asked, op["value"], self._asked_at)

    def _answer_again_same_notification(self, op: dict[str, Any]) -> None:
        before = self.notice
        with pytest.raises(Conflict):
            self.house.answer(before, op["value"], self._asked_at)
        assert self.notice == before

    def _stale_answer(self, op: dict[str, Any]) -> None:
        self._answer_again_same_notification(op)

    def _complete(self, _op: dict[str, Any]) -> None:
        assert self.house.change(self.notice, "complete").task.status is Status.COMPLETED

    def _delete(self, _op: dict[str, Any]) -> None:
        assert self.house.change(self.notice, "delete").task.status is Status.DELETED

    def _restore(self, op: dict[str, Any]) -> None:
        self.house.let_pass(op["now"])
        self.house.change(self.notice, "restore")

    def _dismiss_notification(self, _op: dict[str, Any]) -> None:
        self._attend("dismiss")

    def _open_detail(self, _op: dict[str, Any]) -> None:
        assert self.house.why(self.notice)

    def _open_link(self, _op: dict[str, Any]) -> None:
        self._attend("read")

    def _attend(self, deed: str) -> None:
        """Do something about the reminder when it is there."""
        due = max(self.notice.reminders[0].at, self.house.clock.now())
        self.house.let_pass(due.isoformat())
        app = self.house.app
        with app.store.write() as tx:
            shown = app.delivery.inbox(tx)
            self._message = shown[0].id if shown else self._message
            getattr(app.delivery, deed)(tx, self._message)
        assert self.notice.task.status is Status.ACTIVE

    # What the world does.

    def _inject(self, op: dict[str, Any]) -> None:
        assert op["fault"] == "alarm_registration_failed"
        self._home.store = FailingOnce(self._home.store, 2)
        self._say()
        assert (self.notice.state, self.notice.reminders) == (NoticeState.RECEIVED, ())

    def _retry(self, op: dict[str, Any]) -> None:
        self._submit_same_again(op)
        self.house.let_pass(timedelta(seconds=10))

    # What a model does.

    def _inspect(self, op: dict[str, Any]) -> None:
        notice, app = self.notice, self.house.app
        with app.store.read() as tx:
            job = app.engine.get(tx, f"read:{notice.task.id}:{notice.task.revision}")
        if op["expect"] == "pending_ai stored before the job is registered":
            assert (notice.state, job.state) == (NoticeState.PENDING_AI, JobState.PENDING)
            # There is no notice of which the job is known and the waiting is not: one transaction writes both.
            assert self.model.asked == []
        else:
            assert op["expect"] == "no pending_ai, no model job"
            assert (notice.state, job) == (NoticeState.NEEDS_CONFIRMATION, None)
            self.house.let_pass(timedelta(days=1))
            assert self.model.asked == []

    def _model(self, op: dict[str, Any]) -> None:
        """Let the model fail as often as it is asked, then look whether another try would succeed."""
        right = json.dumps(RIGHT, ensure_ascii=False)
        wrong = {
            "malformed_json": "好的，会议在10月20日下午3点。",
            "truncated": right[: len(right) // 2],
            "evidence_not_in_source": right.replace("下午3点开会", "下午3点在礼堂开会"),
            "network_error": ModelUnavailable(Why.UNREACHABLE),
        }[op["fault"]]
        self.model.then(wrong, wrong)
        assert self.notice.state is NoticeState.PENDING_AI
        self.house.let_pass(timedelta(seconds=1))
        if op["fault"] == "network_error":
            # The one of them that mends itself: it goes on waiting, and may be tried again by hand as the others.
            assert self.notice.state is NoticeState.PENDING_AI
        self.model.then(wrong, wrong)

    def _model_response(self, op: dict[str, Any]) -> None:
        reply = whole(*op["nodes"])
        # What a model thinks of itself is no part of the shape; it costs the one repair and decides nothing.
        opinion = {name: op[name] for name in ("confidence",) if name in op}
        self.model.then({**reply, **opinion}, reply)
        more: dict[str, Any] = {}
        if "老师说" not in self.case["text"]:
            # What the local grammar understands is not shown to a model, unless it is somebody else's words.
            more = {"source": "quote", "message_date": parse_instant(self.case["submittedAt"]).date()}
        self._say(**more)
        assert (self.notice.state, self.notice.reminders) == (NoticeState.PENDING_AI, ())
        self.house.let_pass(timedelta(seconds=1))
        assert len(self.model.asked) == 1


def moment(words: str) -> object:
    return datetime.fromisoformat(words) if "T" in words else words


def reminders(notice: Notice) -> list[tuple[datetime, str]]:
    """Give the reminders that were not taken back, told or still to come."""
    return [(one.at, one.reason) for one in notice.reminders if one.state is not ReminderState.CANCELLED]


def check(notice: Notice, expected: dict[str, Any]) -> None:
    if notice.task.active:
        assert notice.state is STATES[expected["outcome"]]
    else:
        assert expected["outcome"] == "no_reminder"
    assert (notice.question.kind if notice.question else None) == expected["questionKind"]
    assert reminders(notice) == [(moment(one["at"]), one["reason"]) for one in expected["reminders"]]
    if expected["nodes"]:
        assert [(node.kind.value, node.at, node.precision.value, node.lead_minutes) for node in notice.nodes] == [
            (node["kind"], moment(node["datetime"]), node["precision"], node.get("leadMinutes"))
            for node in expected["nodes"]
        ]
    forbidden = {moment(at) for at in expected.get("forbid_reminders_at", [])}
    assert forbidden.isdisjoint(one.at for one in notice.reminders)


IN_A_HOUSE = [name for name, case in CASES.items() if not any("client_protocol" in op for op in case["ops"])]
AT_THE_GATEWAY = [name for name in CASES if name not in IN_A_HOUSE]


@pytest.mark.parametrize("name", [name for name in IN_A_HOUSE if name != "ops-15"])
def test_the_sequence_comes_out_as_required(house, home, name: str):
    stage = Stage(CASES[name], house, home)
    stage.perform()
    notice = stage.notice
    check(notice, CASES[name]["expected"])
    assert notice.original.text == CASES[name]["text"]
    assert notice.original.submitted_at == parse_instant(CASES[name]["submittedAt"])
    assert len(house.tasks()) == 1


@pytest.mark.parametrize("name", ["ops-12", "ops-13", "ops-14", "ops-15"])
def test_a_model_that_fails_leaves_what_another_try_can_use(house, home, name: str):
    """The samples call it retryable; a network that is away is retried without anybody asking for it."""
    stage = Stage(CASES[name], house, home)
    stage.perform()
    assert stage.notice.state in (NoticeState.RETRYABLE_FAILURE, NoticeState.PENDING_AI)
    assert stage.notice.reminders == ()
    house.model = ScriptedModel(house.clock, [RIGHT])
    house.restart()
    known = stage.notice.task.id
    house.app.notices.retry(known, who="test")
    house.let_pass(timedelta(seconds=1))
    assert reminders(stage.notice) == [(parse_instant("2026-10-20T14:30:00+08:00"), "default_start_30")]
    assert stage.notice.original.text == CASES[name]["text"]
    assert stage.notice.original.submitted_at == parse_instant(CASES[name]["submittedAt"])


@pytest.mark.parametrize("name", AT_THE_GATEWAY)
def test_an_older_client_gets_what_it_can_read(name: str):
    case = CASES[name]
    (op,) = case["ops"]
    (sent,) = downgrade({"version": 1, "nodes": op["nodes"]}, op["client_protocol"])["nodes"]
    assert sent["kind"] == op["gateway_output_kind"]
    assert ("leadMinutes" in sent or "leadEvidence" in sent) is op["gateway_output_has_lead"]
    now = parse_instant(case["submittedAt"])
    submission = Submission(case["text"], Source(case["source"]), now, case["tz"])
    found = understand_reply(submission, {"nodes": [sent]}, now, client_protocol=op["client_protocol"])
    expected = case["expected"]
    assert found.outcome.value == expected["outcome"]
    assert [(node.kind.value, node.at) for node in found.nodes] == [
        (node["kind"], moment(node["datetime"])) for node in expected["nodes"]
    ]
    assert [(one.at, one.reason) for one in found.reminders] == [
        (moment(one["at"]), one["reason"]) for one in expected["reminders"]
    ]


def test_the_samples_are_all_here():
    assert sorted(CASES) == [f"ops-{n:02}" for n in range(1, 17)] + [f"val-{n:02}" for n in range(1, 18)]
    assert AT_THE_GATEWAY == ["val-17"]
