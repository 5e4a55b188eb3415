"""Everything that is kept as a code has a name a user can read, in both languages."""

from __future__ import annotations

from enum import StrEnum

import pytest

from zhixing.kernel.wording import LANGUAGES, wording
from zhixing.tasks.journal import Kind
from zhixing.tasks.occurrence import OccurrenceState
from zhixing.tasks.schedule.policy import Why
from zhixing.tasks.task import Status, Way

CODES = [("status", Status), ("way", Way), ("occurrence", OccurrenceState), ("reason", Why), ("kind", Kind)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("prefix", "code"), CODES)
def test_every_code_has_a_name(language: str, prefix: str, code: type[StrEnum]):
    names = [wording(f"tasks.{prefix}_{member.value}", language) for member in code]
    assert all(names)
    assert len(set(names)) == len(names)
