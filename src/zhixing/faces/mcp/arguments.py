"""Arguments that several tools take."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from zhixing.faces.cli.house import House
from zhixing.household import registry
from zhixing.kernel.errors import BadInput
from zhixing.store.connection import Tx

LONGEST_ID = 128
LARGEST_PAGE = 200
LONGEST_LOOK = 366
"""Days one can look ahead."""

TaskName = Annotated[
    str, Field(max_length=LONGEST_ID, description="Id of a task (t12), or the name of a household task.")
]
Limit = Annotated[int, Field(ge=1, le=LARGEST_PAGE, description="At most so many.")]
Before = Annotated[
    str | None, Field(max_length=LONGEST_ID, description="The `more` of the page before, for the next one.")
]
Key = Annotated[
    str | None,
    Field(
        min_length=1,
        max_length=LONGEST_ID,
        description="Idempotency key: the same key again changes nothing and gives the first result. Use a new one "
        "for each thing you do, and the same one when you repeat a call whose answer you did not get.",
    ),
]
Revision = Annotated[
    int | None,
    Field(ge=0, description="The revision of the question you answer: refused when the question has changed."),
]


def slug_of(home: House, tx: Tx, task: str) -> str:
    """Return the name of the household task that is meant. Raises `NotFound`, and `BadInput` for a reminder."""
    known = home.task(tx, task).id
    slug = registry.slug_of(tx, known)
    if slug is None:
        raise BadInput("task_not_household", id=known[:64])
    return slug
