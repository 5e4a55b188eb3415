"""What is written reads the same, in the order of the document, and a change leaves the rest of a file alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.documents.frontmatter import read_frontmatter
from zhixing.documents.model import Declared, Definition, Deliver, Kind, Manual, Overlap, Standing
from zhixing.documents.reading import read_definition
from zhixing.documents.when import read_when
from zhixing.documents.writing import changes_for, edit_definition, write_definition
from zhixing.kernel.errors import TooLarge
from zhixing.kernel.moments import parse_instant
from zhixing.tasks.schedule.model import Missed

PLAIN = Definition(
    title="晨报", description="写晨报", when=read_when("0 9 * * 1-5"), session_id="tg-4711", body="# 任务目标\n\n- 晨报"
)
FULL = replace(
    PLAIN,
    when=read_when("time:2026-03-08T10:30:00+08:00"),
    status=Standing.PAUSED,
    review=True,
    timezone="Asia/Tokyo",
    missed=Missed.SKIP,
    overlap=Overlap.QUEUE,
    timeout=timedelta(hours=1, seconds=5),
    retries=3,
    env=("A", "B"),
    network=False,
    paths=(Declared("a b.csv"), Declared("out", writable=True)),
    agent_command="codex exec -",
    deliver=Deliver.NONE,
    expires_at=parse_instant("2026-12-31T23:59:59.5+08:00"),
)


def test_a_new_file_has_the_fields_of_the_document_in_its_order() -> None:
    assert write_definition(PLAIN) == (
        '---\ntitle: "晨报"\nwhen: "0 9 * * 1-5"\ndescription: "写晨报"\nsessionId: "tg-4711"\n'
        'kind: "agent"\nreview: "false"\nstatus: "enabled"\n---\n\n# 任务目标\n\n- 晨报\n'
    )


def test_a_script_has_no_review() -> None:
    text = write_definition(replace(PLAIN, kind=Kind.SCRIPT, body="ls"))
    assert list(read_frontmatter(text).fields) == ["title", "when", "description", "sessionId", "kind", "status"]


def test_optional_fields_are_written_where_they_differ_and_read_back() -> None:
    text = write_definition(FULL)
    assert read_definition(text) == FULL
    assert 'when: "time:2026-03-08T10:30:00+08:00"\n' in text
    assert 'paths: ["a b.csv", "out:rw"]\n' in text
    assert 'timeout: "1h5s"\n' in text


@given(
    title=st.text(min_size=1, max_size=50)
    .map(lambda text: " ".join(text.split()))
    .filter(str.isprintable)
    .filter(bool),
    body=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r"), max_size=200),
    seconds=st.integers(1, 86_400),
    retries=st.integers(0, 5),
)
def test_what_is_written_is_what_is_read(title: str, body: str, seconds: int, retries: int) -> None:
    wanted = replace(FULL, title=title, timeout=timedelta(seconds=seconds), retries=retries, body=body)
    found = read_definition(write_definition(wanted))
    assert replace(found, body="") == replace(wanted, body="")
    assert write_definition(found) == write_definition(wanted)


def test_nothing_is_written_that_could_not_be_read() -> None:
    with pytest.raises(TooLarge):
        write_definition(replace(PLAIN, body="字" * 100_000))


@pytest.mark.parametrize(
    ("after", "changes"),
    [
        (PLAIN, {}),
        (replace(PLAIN, body="new"), {}),
        (replace(PLAIN, status=Standing.PAUSED), {"status": "paused"}),
        (replace(PLAIN, when=Manual()), {"when": "@manual", "time": None, "cron": None}),
        (replace(PLAIN, kind=Kind.SCRIPT), {"kind": "script", "review": None}),
        (replace(PLAIN, env=("A",), network=True), {"env": ("A",), "network": "true"}),
        (replace(PLAIN, timeout=timedelta(minutes=10)), {"timeout": "10m"}),
    ],
)
def test_a_changed_definition_comes_to_the_changed_fields(after: Definition, changes: dict[str, object]) -> None:
    assert changes_for(PLAIN, after) == changes


def test_a_value_that_goes_back_to_its_default_is_taken_out() -> None:
    assert changes_for(FULL, replace(FULL, retries=0, timezone=None, env=())) == {
        "retries": None,
        "timezone": None,
        "env": None,
    }


def test_a_run_that_was_once_goes_to_by_hand_and_paused_in_the_authors_own_file() -> None:
    text = (
        "---\n# 我的任务\ntitle: 晨报\ntime: 2026-03-08T10:30:00+08:00  # 周日\ndescription: 写晨报\n"
        "sessionId: tg-4711\nowner: 我\nstatus: enabled\n---\n\n- 晨报\n"
    )
    before = read_definition(text)
    after = replace(before, when=Manual(), status=Standing.PAUSED)
    assert edit_definition(text, before, after) == (
        "---\n# 我的任务\ntitle: 晨报\ndescription: 写晨报\n"
        'sessionId: tg-4711\nowner: 我\nstatus: "paused"\nwhen: "@manual"\n---\n\n- 晨报\n'
    )


@pytest.mark.parametrize("before", [PLAIN, FULL])
@pytest.mark.parametrize("after", [PLAIN, FULL, replace(FULL, kind=Kind.SCRIPT, review=False, body="ls")])
def test_an_edited_file_says_what_was_wanted(before: Definition, after: Definition) -> None:
    assert read_definition(edit_definition(write_definition(before), before, after)) == after
