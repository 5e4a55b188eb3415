from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.kernel.moments import iso
from zhixing.notices.model import Candidate, NeedsModel, Outcome, Source, Submission, Understanding
from zhixing.notices.spoken import LONGEST_SPEECH, read_repeat, read_submission
from zhixing.notices.understand import understand

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 30, 10, 0, tzinfo=ZONE)


def submission(text: str, source: Source = Source.VOICE) -> Submission:
    return Submission(text, source, NOW, "Asia/Shanghai")


def understood(text: str, source: Source = Source.VOICE) -> Understanding:
    return understand(submission(text, source), NOW)


@pytest.mark.parametrize(
    ("said", "at", "expression"),
    [
        ("嗯明天下午三点开会", "2026-12-01T15:00:00+08:00", "明天下午三点"),
        ("明天呃下午那个三点开会", "2026-12-01T15:00:00+08:00", "明天呃下午那个三点"),
        ("明天哦不后天下午三点开会", "2026-12-02T15:00:00+08:00", "后天下午三点"),
        ("明天下午三点不对四点开会", "2026-12-01T16:00:00+08:00", "明天下午三点不对四点"),
        ("明天幺五点三零开会", "2026-12-01T15:30:00+08:00", "明天幺五点三零"),
        ("明天十五点三十开会", "2026-12-01T15:30:00+08:00", "明天十五点三十"),
        ("两千零二十六年十二月十二号下午两点体检", "2026-12-12T14:00:00+08:00", "两千零二十六年十二月十二号下午两点"),
    ],
)
def test_what_is_said_is_understood_and_quoted_as_it_was_said(said: str, at: str, expression: str) -> None:
    found = understood(said)
    assert found.outcome is Outcome.SCHEDULED
    (node,) = found.nodes
    assert node.at is not None
    assert iso(node.at, ZONE) == at
    assert node.expression == expression
    assert node.expression in node.evidence
    assert node.evidence in said


def test_the_title_has_no_fillers() -> None:
    assert understood("嗯那个明天下午三点开会").title == "开会"


def test_a_lead_is_quoted_as_it_was_said() -> None:
    (node,) = understood("明天下午三点开会嗯提前呃十分钟提醒我").nodes
    assert (node.lead_minutes, node.lead_evidence) == (10, "提前呃十分钟")


@pytest.mark.parametrize("said", ["明天下午三点哦不后天开会", "上午十一点哦不一点开会"])
def test_an_uncertain_correction_waits_for_a_model(said: str) -> None:
    found = understood(said)
    assert (found.outcome, found.why) == (Outcome.NEEDS_MODEL, "correction")
    assert not found.reminders


@pytest.mark.parametrize("source", [Source.DIRECT, Source.PASTE, Source.SHARE])
@pytest.mark.parametrize("text", ["明天明天下午三点开会", "明天哦不后天下午三点开会", "明天幺五点三零开会"])
def test_other_sources_are_read_as_they_stand(text: str, source: Source) -> None:
    assert understood(text, source).outcome is not Outcome.SCHEDULED


def test_what_only_fills_is_kept_as_it_is() -> None:
    found = understood("嗯嗯呃")
    assert (found.outcome, found.evidence) == (Outcome.NO_REMINDER, "嗯嗯呃")


def test_a_long_speech_waits_for_a_model_without_being_cleared() -> None:
    assert read_submission(submission("嗯" * LONGEST_SPEECH + "开会")) == NeedsModel("long")


def test_many_fillers_do_not_make_a_short_text_long() -> None:
    assert isinstance(read_submission(submission("嗯，" * 60 + "明天下午三点开会")), Candidate)


def test_a_spoken_rule_repeats_and_is_quoted_as_it_was_said() -> None:
    found = read_repeat(submission("嗯每天呃早上八点提醒我吃药"), NOW)
    assert found is not None
    assert found.series is not None
    assert found.nodes[0].expression == "每天呃早上八点"
    assert found.evidence == "每天呃早上八点提醒我吃药"


PIECES = (
    "嗯",
    "呃",
    "那个",
    "明天",
    "后天",
    "下午",
    "三点",
    "四点",
    "哦不",
    "不对",
    "开会",
    "提醒我",
    "，",
    "幺",
    "周三",
    "提前十分钟",
    " ",
    "\n",
    "記得帶書",
)


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_every_quote_stands_in_what_was_said(said: str) -> None:
    found = read_submission(submission(said))
    if isinstance(found, Candidate):
        quotes = [found.evidence, *found.details]
        for node in found.nodes:
            assert node.expression in node.evidence
            quotes += [node.evidence, node.lead_evidence or ""]
        assert all(quote in said for quote in quotes)


def test_an_answer_to_what_was_said_counts(house):
    asked = house.say("嗯明天三点呃开会", source="voice")
    assert asked.why == "meridiem"
    (node,) = house.answer(asked, "下午").nodes
    assert node.at is not None
    assert node.at.astimezone(ZONE).hour == 15
    assert node.expression == "明天三点"
