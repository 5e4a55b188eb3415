"""What programs send about a home."""

from __future__ import annotations

from pydantic import Field, StrictBool, StrictFloat, StrictInt, StrictStr

from zhixing.faces.http.api.bodies import Body


class Switched(Body):
    """A value that somebody at a device chose."""

    value: StrictBool | StrictInt | StrictFloat | StrictStr = Field(description="The value, or the name of a choice.")


class Used(Body):
    """Whether a camera may judge."""

    in_use: bool


class NewPerson(Body):
    """Somebody who lives here."""

    name: str
    role: str = Field(default="", description="妈妈, 爸爸 …")


class OtherPerson(Body):
    """Another name or role; the empty role takes it away."""

    name: str | None = None
    role: str | None = None
