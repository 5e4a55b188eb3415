"""A wrong model never creates a false reminder: whatever is done to right replies, only what the words say is told.

`cases/believed.jsonl` holds texts with a right reply and `true`: every instant at which anything in that text may be
told, found by hand. The transcript of an image is left alone: nobody can verify it against the picture.
"""

from __future__ import annotations

import json
from collections import Counter
from copy import deepcopy
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zhixing.kernel.moments import parse_instant
from zhixing.language.expressions import read_times
from zhixing.language.text import normalise
from zhixing.notices.model import NodeKind, Source, Submission, Understanding
from zhixing.notices.protocol import Rejected
from zhixing.notices.replies import read_candidates, understand_reply

NOW = parse_instant("2026-10-12T10:00:00+08:00")
LINES = [
    json.loads(line) for line in (Path(__file__).parent / "cases" / "believed.jsonl").read_text("utf-8").splitlines()
]
KINDS = [kind.value for kind in NodeKind]
FOREIGN = ["Meeting tomorrow at 3 pm", "明日の午後3時に会議", "завтра в 15:00", "2026-10-21T15:00:00+08:00", "", "😀"]
FIELDS = ["timestamp", "at", "done", "schedule", "defaultLead", "confidence", "note", "version", "kind", "transcript2"]


def submission_of(line: dict[str, Any]) -> Submission:
    day = date.fromisoformat(line["messageDate"]) if line["messageDate"] else None
    return Submission(line["text"], Source(line["source"]), NOW, "Asia/Shanghai", day)


def source_of(line: dict[str, Any]) -> str:
    return str(line["reply"]["transcript"] or line["text"])


def decisions(line: dict[str, Any], reply: object) -> list[Understanding]:
    """Everything that can come of a reply before the user settles a doubt."""
    submission = submission_of(line)
    candidates = read_candidates(submission, reply)
    if isinstance(candidates, Rejected):
        return [understand_reply(submission, reply, NOW)]
    chosen = [item for item, candidate in enumerate(candidates) if len(candidates) > 1 and not candidate.doubts]
    return [understand_reply(submission, reply, NOW, item=item) for item in (None, *chosen)]


def check(line: dict[str, Any], reply: object) -> str:
    """Hold what comes of a reply against what is true; return how it went."""
    source = source_of(line)
    found = decisions(line, reply)
    for one in found:
        for node in one.nodes:
            assert node.expression in node.evidence
            assert node.evidence in source
            assert node.lead_evidence is None or node.lead_evidence in source
        assert one.evidence in source
        assert all(detail in source for detail in one.details)
        told = {f"{reminder.at:%m-%d %H:%M}" if reminder.at else "asap" for reminder in one.reminders}
        assert told <= set(line["true"]), (told, reply)
    return "told" if any(one.reminders for one in found) else found[0].outcome.value


# Mutations. Each takes a reply, the source and a source of chance, and changes the reply.


def _strings(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [place for key in value if key != "transcript" for place in _strings(value[key], (*path, key))]
    if isinstance(value, list):
        return [place for index, one in enumerate(value) for place in _strings(one, (*path, index))]
    return [path] if isinstance(value, str) else []


def _get(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def _put(value: Any, path: tuple[Any, ...], new: object) -> None:
    _get(value, path[:-1])[path[-1]] = new


def _nodes(reply: dict[str, Any]) -> list[dict[str, Any]]:
    return [node for item in reply["items"] for node in item["nodes"]]


def _piece(source: str, chance: Random) -> str:
    start = chance.randrange(len(source))
    return source[start : start + chance.randint(1, 14)]


def edit_characters(reply: dict[str, Any], source: str, chance: Random) -> None:
    place = chance.choice(_strings(reply))
    words = _get(reply, place)
    start = chance.randrange(len(words) + 1)
    new = chance.choice(["", chance.choice(source), chance.choice("0123456789明后下上午晚前截止不")])
    _put(reply, place, words[:start] + new + words[start + chance.randrange(3) :])


def swap_strings(reply: dict[str, Any], _source: str, chance: Random) -> None:
    one, other = (chance.choice(_strings(reply)) for _ in range(2))
    words = _get(reply, one), _get(reply, other)
    _put(reply, one, words[1])
    _put(reply, other, words[0])


def quote_elsewhere(reply: dict[str, Any], source: str, chance: Random) -> None:
    node = chance.choice(_nodes(reply))
    node[chance.choice(["expression", "evidence", "leadEvidence"])] = _piece(source, chance)


def quote_everything(reply: dict[str, Any], source: str, chance: Random) -> None:
    node = chance.choice(_nodes(reply))
    node["evidence"] = source
    node["expression"] = _piece(source, chance)


def speak_another_language(reply: dict[str, Any], _source: str, chance: Random) -> None:
    _put(reply, chance.choice(_strings(reply)), chance.choice(FOREIGN))


def change_kind(reply: dict[str, Any], _source: str, chance: Random) -> None:
    chance.choice(_nodes(reply))["kind"] = chance.choice(KINDS)


def change_lead(reply: dict[str, Any], source: str, chance: Random) -> None:
    node = chance.choice(_nodes(reply))
    node["leadMinutes"] = chance.choice([None, 0, 1, 10, 15, 30, 60, 1440, -5, 20_000, 9.5, "10"])
    node["leadEvidence"] = chance.choice([None, _piece(source, chance), "提前10分钟", source])


def move_lead(reply: dict[str, Any], _source: str, chance: Random) -> None:
    one, other = (chance.choice(_nodes(reply)) for _ in range(2))
    for name in ("leadMinutes", "leadEvidence"):
        one[name], other[name] = other[name], one[name]


def add_field(reply: dict[str, Any], _source: str, chance: Random) -> None:
    place = chance.choice([reply, *reply["items"], *_nodes(reply)])
    place[chance.choice(FIELDS)] = chance.choice([1, None, "start", "2026-10-21T15:00:00+08:00", True, []])


def drop_field(reply: dict[str, Any], _source: str, chance: Random) -> None:
    place = chance.choice([*reply["items"], *_nodes(reply)])
    del place[chance.choice(list(place))]


def reorder_nodes(reply: dict[str, Any], _source: str, chance: Random) -> None:
    chance.shuffle(chance.choice(reply["items"])["nodes"])
    chance.shuffle(reply["items"])


def drop_node(reply: dict[str, Any], _source: str, chance: Random) -> None:
    nodes = chance.choice(reply["items"])["nodes"]
    nodes.pop(chance.randrange(len(nodes)))


def copy_node(reply: dict[str, Any], _source: str, chance: Random) -> None:
    chance.choice(reply["items"])["nodes"].append(deepcopy(chance.choice(_nodes(reply))))


def invent_node(reply: dict[str, Any], source: str, chance: Random) -> None:
    times = [source[one.span[0] : one.span[1]] for one in read_times(normalise(source)).expressions]
    words = chance.choice(times or [_piece(source, chance)])
    node = {"kind": chance.choice(KINDS), "expression": words, "evidence": chance.choice([source, words])}
    chance.choice(reply["items"])["nodes"].append({**node, "leadMinutes": None, "leadEvidence": None})


def merge_items(reply: dict[str, Any], _source: str, _chance: Random) -> None:
    first, *others = reply["items"]
    for other in others:
        first["nodes"] += other["nodes"]
    reply["items"] = [first]


def change_speaker(reply: dict[str, Any], _source: str, chance: Random) -> None:
    chance.choice(reply["items"])["speaker"] = chance.choice(["user", "other", None])


def change_message_date(reply: dict[str, Any], source: str, chance: Random) -> None:
    chance.choice(reply["items"])["sentOn"] = chance.choice([_piece(source, chance), None, "10月11日", "10月12日"])


def deny_doubt(reply: dict[str, Any], _source: str, chance: Random) -> None:
    chance.choice(reply["items"])["ambiguities"] = chance.choice([[], [{"about": "time"}], ["?"], None])


MUTATIONS = [
    edit_characters,
    swap_strings,
    quote_elsewhere,
    quote_everything,
    speak_another_language,
    change_kind,
    change_lead,
    move_lead,
    add_field,
    drop_field,
    reorder_nodes,
    drop_node,
    copy_node,
    invent_node,
    merge_items,
    change_speaker,
    change_message_date,
    deny_doubt,
]


def mutated(line: dict[str, Any], chance: Random, mutations: list[Any]) -> dict[str, Any]:
    reply = deepcopy(line["reply"])
    for mutation in mutations:
        try:
            mutation(reply, source_of(line), chance)
        except (KeyError, IndexError, TypeError, ValueError):
            # An earlier mutation took away what this one changes.
            continue
    return reply


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["id"])
def test_a_right_reply_is_believed(line: dict[str, Any]):
    assert check(line, line["reply"]) != "rejected"


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["id"])
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_one_change_to_a_right_reply_makes_no_false_reminder(line: dict[str, Any], mutation: Any):
    for seed in range(6):
        check(line, mutated(line, Random(seed), [mutation]))


@settings(max_examples=800, deadline=None)
@given(st.sampled_from(LINES), st.lists(st.sampled_from(MUTATIONS), min_size=2, max_size=6), st.integers(0, 1 << 32))
def test_many_changes_to_a_right_reply_make_no_false_reminder(line: dict[str, Any], mutations: list[Any], seed: int):
    check(line, mutated(line, Random(seed), mutations))


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(LINES), st.sampled_from(LINES))
def test_the_reply_to_another_text_makes_no_false_reminder(line: dict[str, Any], other: dict[str, Any]):
    check(line, {**other["reply"], "transcript": line["reply"]["transcript"]})


def test_the_changes_reach_both_what_is_refused_and_what_is_told():
    """Otherwise the properties above would hold for nothing."""
    chance = Random(7)
    outcomes = Counter(
        check(line, mutated(line, chance, [chance.choice(MUTATIONS)])) for line in LINES for _ in range(20)
    )
    total = sum(outcomes.values())
    assert outcomes["rejected"] > total / 5
    assert outcomes["told"] > total / 5
    assert outcomes["needs_confirmation"] > total / 50
