"""The page on document tasks names every field, file and variable there is, and its example is a task."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from zhixing.documents.artifacts.names import ARTIFACTS
from zhixing.documents.findings import Finding
from zhixing.documents.frontmatter import read_frontmatter
from zhixing.documents.lint import lint
from zhixing.documents.model import Definition, Kind, Manual
from zhixing.documents.performing import Order
from zhixing.documents.processes import ERR_LOG, OUT_LOG, surroundings
from zhixing.documents.reading import KNOWN, definition_of, read_definition
from zhixing.documents.run import PAUSES
from zhixing.documents.terms import Terms
from zhixing.documents.when import read_when
from zhixing.tasks.schedule.cron import ALIASES
from zhixing.tasks.task import LONGEST_TITLE

PAGE = (Path(__file__).parents[2] / "docs" / "documents.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def first_cells(title: str) -> list[str]:
    rows = [line.split("|")[1] for line in section(title).splitlines() if line.startswith("| `")]
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row)]


def test_every_field_is_in_the_table_and_no_other():
    assert first_cells("The file") == list(KNOWN)


def test_the_defaults_in_the_table_are_those_of_the_code():
    shown = Definition("t", "d", Manual(), "s", "b")
    rows = [row.split("|") for row in section("The file").splitlines() if row.startswith("| `")]
    cells = {row[1].strip(" `"): row[3].strip() for row in rows}
    assert cells["kind"] == f"`{shown.kind.value}`"
    assert cells["status"] == f"`{shown.status.value}`"
    assert cells["missed"] == f"`{shown.missed.value}`"
    assert cells["overlap"] == f"`{shown.overlap.value}`"
    assert cells["deliver"] == f"`{shown.deliver.value}`"
    assert cells["review"] == f"`{str(shown.review).lower()}`"
    assert cells["retries"] == f"`{shown.retries}`"
    assert f"up to {LONGEST_TITLE} characters" in PAGE


def test_the_pauses_between_tries_are_those_of_the_code():
    assert [int(pause.total_seconds()) for pause in PAUSES] == [30, 60, 300, 900, 3600]
    assert "30 seconds, 1, 5, 15 and 60 minutes apart" in PAGE


def test_the_example_is_a_task_without_a_remark():
    text = re.search(r"^```markdown disk\.md\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[1]
    front = read_frontmatter(text)
    assert read_definition(text).kind is Kind.SCRIPT
    found: list[Finding] = lint(Kind.SCRIPT, front.body, first_line=front.body_line)
    assert [each.text() for each in found] == []
    assert definition_of(front).title == "磁盘日报"


@pytest.mark.parametrize("text", first_cells("When"))
def test_every_way_to_say_when_can_be_read(text):
    read_when(text)


def test_every_alias_is_named():
    assert set(ALIASES) <= set(first_cells("When"))


def test_every_file_of_a_run_is_named():
    named = set(first_cells("Runs"))
    assert set(ARTIFACTS) | {OUT_LOG, ERR_LOG, "transcript.jsonl"} == named


def test_every_variable_of_a_run_is_named(tmp_path):

    order = Order(
        "r", "t1", Definition("t", "d", Manual(), "s", "b"), tmp_path, tmp_path, tmp_path, timedelta(1), network=False
    )
    ours = {name for name in surroundings(order) if name.startswith("DC_")}
    assert ours == set(re.findall(r"`(DC_[A-Z_]+)`", PAGE))


def test_the_number_of_kept_runs_is_that_of_the_code():
    assert f"newest\n{Terms().kept} runs" in PAGE
