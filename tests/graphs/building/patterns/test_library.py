"""What is known of patterns, and finding the right ones."""

from __future__ import annotations

import pytest

from zhixing.graphs.building.design import Design, Rounds
from zhixing.graphs.building.patterns.evidence import Evidence, Standing
from zhixing.graphs.building.patterns.index import choose, needs_in, needs_of
from zhixing.graphs.building.patterns.library import Need, entry, library
from zhixing.kernel.wording import LANGUAGES, section

PATTERNS = {each.id for each in library() if each.is_pattern}


def test_the_patterns_of_the_document_and_the_recipes_are_there() -> None:
    assert {f"PAT-{name}-01" for name in ("STATE", "NUM", "AGG", "TIME", "LOOP", "SYNC", "ADAPT")} == PATTERNS
    assert len(library()) == 14


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [each.id for each in library()])
def test_each_says_what_it_is_for_and_what_goes_wrong(name: str, language: str) -> None:
    found = entry(name)
    assert found is not None
    assert found.title(language)  # type: ignore[arg-type]
    assert found.use(language)  # type: ignore[arg-type]
    assert len(found.pitfalls(language)) == len(found.risks) > 0  # type: ignore[arg-type]
    assert all(entry(each) is not None and each != name for each in found.goes_with)


def test_no_words_are_left_over() -> None:
    risks = {f"{each.key}_risk_{risk}" for each in library() for risk in each.risks}
    assert {key for key in section("patterns", "zh") if "_risk_" in key} == risks


def test_nothing_claims_more_than_a_simulator_can_show() -> None:
    """G-1.5."""
    assert {each.evidence for each in library()} == {Evidence.LOCAL_TESTED}
    assert not any(each.evidence.binds for each in library())


def test_the_ladder_goes_from_a_video_to_a_pattern_for_all() -> None:
    """G-1.5."""
    assert [each.value for each in sorted(Evidence, key=lambda each: each.rank)] == [
        "video",
        "ui-sample",
        "graph-diff",
        "local-tested",
        "gateway-roundtrip",
        "runtime-verified",
        "reusable-pattern",
    ]
    assert [each for each in Evidence if each.binds] == [Evidence.RUNTIME_VERIFIED, Evidence.REUSABLE_PATTERN]
    for language in LANGUAGES:
        assert len({each.text(language) for each in (*Evidence, *Standing)}) == len(Evidence) + len(Standing)


@pytest.mark.parametrize("need", list(Need))
def test_every_need_finds_something_and_has_a_name(need: Need) -> None:
    found = choose([need])
    assert found.left == ()
    assert found.patterns or found.recipes
    assert len(found.patterns) <= 3
    assert all(need.text(language) for language in LANGUAGES)


@pytest.mark.parametrize(
    ("needs", "patterns"),
    [
        ([Need.CIRCADIAN], ["PAT-TIME-01", "PAT-NUM-01", "PAT-LOOP-01"]),
        ([Need.OUTSIDE_MODES], ["PAT-STATE-01", "PAT-SYNC-01"]),
        ([Need.REPEATED_REMINDER], ["PAT-STATE-01", "PAT-LOOP-01", "PAT-ADAPT-01"]),
        ([Need.REPEATED_REMINDER, Need.REMIND], ["PAT-STATE-01", "PAT-LOOP-01", "PAT-ADAPT-01"]),
        ([Need.MIRROR], ["PAT-SYNC-01"]),
        ([Need.MIRROR, Need.ROUND, Need.SCALE], ["PAT-NUM-01", "PAT-SYNC-01"]),
        ([Need.HOLD], []),
        ([], []),
    ],
)
def test_one_to_three_patterns_are_chosen_the_most_fitting_first(needs: list[Need], patterns: list[str]) -> None:
    """G-1.3."""
    assert [each.id for each in choose(needs).patterns] == patterns


def test_what_three_patterns_do_not_meet_is_named() -> None:
    """G-1.3."""
    found = choose([Need.CIRCADIAN, Need.MIRROR, Need.REMIND])
    assert found.left == (Need.MIRROR,)
    assert choose([Need.CIRCADIAN, Need.OUTSIDE_MODES]).left == (Need.OUTSIDE_MODES,)


def test_recipes_come_beside() -> None:
    found = choose([Need.HOLD, Need.LIMIT, Need.MIRROR])
    assert [each.id for each in found.recipes] == ["hold", "daily-limit"]


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("客厅灯和卧室灯双控", [Need.MIRROR]),
        ("没人持续五分钟，每天最多播报两次", [Need.HOLD, Need.LIMIT]),
        ("灯光跟随太阳做节律", [Need.FOLLOW, Need.CIRCADIAN]),
        ("Keep reminding me", [Need.REMIND, Need.REPEATED_REMINDER]),
        ("开灯", []),
    ],
)
def test_a_request_names_needs_by_its_words(text: str, needs: list[Need]) -> None:
    """G-1.2."""
    assert list(needs_in(text)) == needs


def test_a_design_shows_needs_by_its_columns() -> None:
    """G-1.2."""
    assert needs_of(Design(states=("有人",), rounds=(Rounds("提醒"),))) == (Need.REMEMBER, Need.REMIND)
    assert needs_of(Design(states=(), rounds=())) == ()
