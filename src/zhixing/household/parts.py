"""The rooms that the household's operations work on."""

from __future__ import annotations

from dataclasses import dataclass

from zhixing.household.carrying import Carrying
from zhixing.kernel.clock import Clock
from zhixing.tasks.operations import Tasks
from zhixing.tasks.records.operations import Records
from zhixing.tasks.rules.operations import Rules


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything a household task is made of; `zone` is the home's."""

    clock: Clock
    zone: str
    tasks: Tasks
    rules: Rules
    records: Records
    carrying: Carrying
