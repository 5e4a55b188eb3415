"""Every request of the sample that is decided becomes a plan that no check refuses and that can be made."""

from __future__ import annotations

import pytest
from msgspec import UNSET
from tests.household.composing.writing import cases, drafts_of, request_of_case

from zhixing.household.assembling.routing import route
from zhixing.household.checks.model import Level
from zhixing.household.composing.composer import compose, self_check
from zhixing.household.composing.model import Unwritable
from zhixing.household.descs import read_desc
from zhixing.household.plan import read_plan
from zhixing.world.devices.names import check_value, resolve
from zhixing.world.devices.port import PropertySpec

_SAMPLE = [case for case in cases() if route(case["text"], request_of_case(case).home).op == "create"]


@pytest.mark.parametrize("case", _SAMPLE, ids=lambda case: case["id"])
def test_what_is_decided_can_be_made(case):
    drafts, site = drafts_of(case["id"])
    for draft in drafts:
        if draft.rule and not site.home.eyes and not site.home.sources:
            with pytest.raises(Unwritable, match="camera"):
                compose(draft, site)
            continue
        composed = compose(draft, site)
        assert [finding for finding in composed.findings if finding.level is Level.ERROR] == []
        assert read_plan(dict(composed.assembly)).slug == composed.plan.slug
        assert all(held is not False for _, held in self_check(composed))


def test_every_command_of_the_sample_is_one_that_the_device_has():
    commands = 0
    for case in _SAMPLE:
        drafts, site = drafts_of(case["id"])
        for draft in drafts:
            if not draft.effect or not site.home.eyes:
                continue
            for one in compose(draft, site).plan.rules:
                for given in (one.actions, one.enter_actions, one.exit_actions):
                    for action in () if given is UNSET else given:
                        commands += 1
                        found = resolve(site.specs[action.did], action.iid)
                        if isinstance(found, PropertySpec):
                            assert check_value(found, action.value) == action.value
                        else:
                            assert len(found.arguments) == len(action.params)
    assert commands > 20


def test_most_of_the_sample_is_written():
    written = sum(1 for case in _SAMPLE if drafts_of(case["id"])[0])
    assert written > 180


def test_what_is_told_needs_no_judgement_unless_a_device_is_asked_for_in_words():
    told = 0
    for case in _SAMPLE:
        drafts, site = drafts_of(case["id"])
        for draft in drafts:
            if not draft.rule or draft.effect or not site.home.eyes:
                continue
            for one in compose(draft, site).assembly["rules"]:
                for desc in (one["action_desc"], one["on_enter_desc"], one["on_target_desc"]):
                    if desc:
                        told += 1
                        assert read_desc(desc).rest == (), (case["text"], desc)
    assert told > 120
