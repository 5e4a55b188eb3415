"""What programs send. Fields that are not in here are refused by name."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import UploadFile
from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, field_validator
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from zhixing.notices.model import Entry, Source


class Body(BaseModel):
    """What comes in."""

    model_config = ConfigDict(extra="forbid", alias_generator=to_camel, frozen=True)

    @field_validator("*")
    @classmethod
    def _is_text(cls, value: Any) -> Any:
        """Refuse half of a surrogate pair: JSON can write it, nobody can keep it or say it again."""
        if isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value):
            raise PydanticCustomError("text_unstorable", "half of a surrogate pair")
        return value


class Said(Body):
    """Something that was said."""

    text: str = Field(description="The words, as they are.")
    source: Source = Field(default=Source.DIRECT, description="How they came in.")
    message_date: str | None = Field(
        default=None,
        description="The day a passed-on message was sent: its 明天 counts from there.",
        examples=["2026-10-12"],
    )
    entry: Entry = Field(default=Entry.SCHEDULE, description="A schedule is understood, a note is only kept.")
    submitted_at: str | None = Field(
        default=None,
        description="When it was said, with an offset. Not given: now.",
        examples=["2026-10-12T10:00:00+08:00"],
    )
    zone: str | None = Field(default=None, description="IANA zone of the speaker. Not given: the home's.")
    cameras: list[str] = Field(
        default=[],
        max_length=20,
        description="Cameras of the room it was said in, by id or name: a task then looks through them only.",
    )


class Shown(Body):
    """A picture that was given."""

    file: UploadFile = Field(description="PNG, JPEG, WebP or HEIC, at most 10 MB and 40 million pixels.")
    text: str = Field(default="", description="Words beside it. They help to find the matter and are no evidence.")
    message_date: str | None = Field(
        default=None, description="The day the message in it was sent, where the picture does not show it."
    )
    entry: Entry = Field(default=Entry.SCHEDULE, description="A schedule is understood, a note is only kept.")
    submitted_at: str | None = Field(default=None, description="When it was given, with an offset. Not given: now.")
    zone: str | None = Field(default=None, description="IANA zone of the speaker. Not given: the home's.")


class Answered(Body):
    """An answer to the open question of a task."""

    value: str = Field(description="The value of an option, or words.")
    revision: int | None = Field(
        default=None, description="The question's revision: an answer to an older question is refused (409)."
    )


class Edited(Body):
    """Other words, or another title: one of the two."""

    text: str | None = Field(default=None, description="Understood anew; answers to the old words no longer count.")
    title: str | None = Field(default=None, description="Only the name changes.")


class WantedReminder(Body):
    """A reminder set by hand."""

    at: str = Field(description="When, with an offset.", examples=["2026-10-12T18:30:00+08:00"])


class DoneOnce(Body):
    """Which one time of a series is done."""

    occurrence: str | None = Field(
        default=None, description="Not given: the newest one told; when that is done already, the next one."
    )
    revision: int | None = Field(default=None, description="The task's revision: a second click is refused (409).")


class LeftOut(Body):
    """A day of a series."""

    date: str = Field(examples=["2026-10-13"])
    revision: int | None = Field(default=None, description="The task's revision: refused (409) when it has changed.")


class Snoozed(Body):
    """When a message is told again."""

    until: str = Field(description="When, with an offset.", examples=["2026-10-12T18:30:00+08:00"])


class LineAnswer(Body):
    """An answer that was given before."""

    kind: str
    value: str | int | float


class Line(Body):
    """One submission of the batch contract (`zhixing understand --batch`)."""

    text: str
    submitted_at: str = Field(description="With an offset.")
    tz: str = Field(description="IANA zone.")
    id: str | int | None = None
    source: str = "direct"
    message_date: str | None = None
    entry: str = "schedule"
    now: str | None = Field(default=None, description="When it is looked at. Not given: when it was submitted.")
    answers: list[LineAnswer] | None = None


ONE, MANY = "#one", "#many"
"""What errors call the two forms of `Lines`."""


def _form(value: Any) -> str:
    return MANY if isinstance(value, list) else ONE


Lines = Annotated[Annotated[Line, Tag(ONE)] | Annotated[list[Line], Tag(MANY)], Discriminator(_form)]
