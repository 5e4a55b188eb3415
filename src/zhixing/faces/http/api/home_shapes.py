"""What programs get of a home: the shapes of `faces.home_wire` and `faces.perception_wire`."""

from __future__ import annotations

from pydantic import Field

from zhixing.faces.http.api.shapes import Shape
from zhixing.world.devices.keeping import By

Level = bool | int | float | str


class Choice(Shape):
    """One value that a property may have."""

    value: int
    label: str


class Property(Shape):
    """What a property may be."""

    iid: str = Field(examples=["prop.2.1"])
    name: str = Field(examples=["on"])
    format: str = Field(description="`bool`, `int`, `float` or `string`.")
    writable: bool
    low: float | None
    high: float | None
    step: float | None
    choices: list[Choice]
    unit: str


class Reading(Property):
    """A property and its value."""

    value: Level | None
    problem: str | None = Field(description="Why it could not be read.")


class Action(Shape):
    """What a device can be told to do."""

    iid: str = Field(examples=["action.7.3"])
    name: str
    arguments: list[Property]


class Device(Shape):
    """A device with its values."""

    did: str
    name: str
    room: str
    category: str
    model: str
    online: bool
    properties: list[Reading]
    actions: list[Action]


class Happened(Shape):
    """An event that happened."""

    did: str
    iid: str = Field(examples=["event.2.1"])


class Camera(Shape):
    """A camera, and whether it may judge."""

    did: str
    name: str
    room: str
    online: bool
    in_use: bool


class Person(Shape):
    """Somebody who lives here."""

    id: str
    name: str
    role: str = Field(description="妈妈, 爸爸 …; may be empty.")


class People(Shape):
    """Everybody who lives here."""

    people: list[Person]


class Home(Shape):
    """Everything in a home."""

    rooms: list[str]
    people: list[Person]
    cameras: list[Camera]
    devices: list[Device]


class Happening(Shape):
    """Something that happened to a device or a camera."""

    at: str
    did: str
    iid: str = Field(description="A property, an action or an event; or `use` or `online`.")
    values: list[Level]
    by: By


class Log(Shape):
    """What happened in the home."""

    log: list[Happening]


class Condition(Shape):
    """A condition that has to be judged now."""

    condition: str
    sources: list[str] = Field(description="Who has to judge it.")
    rules: list[str] = Field(description="The rules that wait for it.")


class Conditions(Shape):
    """Everything that has to be judged now."""

    conditions: list[Condition]


class Taken(Shape):
    """What was done with verdicts."""

    taken: int = Field(description="Verdicts that came in.")
    fired: int = Field(description="Answers of rules that are on their way.")
    changed: int = Field(description="Verdicts that changed what a rule knows.")
    unheard: int = Field(description="Verdicts about conditions that no rule watches.")
    stale: int = Field(description="Verdicts older than one that was taken before.")
    future: int = Field(description="Verdicts from the future, which are not taken.")


_VERDICT = {
    "type": "object",
    "required": ["value", "at"],
    "properties": {
        "source": {"type": "string", "description": "The camera or sensor that judged; `did` means the same."},
        "did": {"type": "string"},
        "condition": {"type": "string", "description": "What it judged, as it was asked; `query` means the same."},
        "query": {"type": "string"},
        "value": {"enum": [True, False, None, "unknown"], "description": "null or `unknown`: it could not judge."},
        "at": {"type": "string", "format": "date-time", "description": "When, with an offset."},
        "reason": {"type": "string"},
        "firm": {"type": "boolean", "description": "It needs no second one to be believed: a contact, a button."},
        "lasting": {"type": "boolean", "description": "It stands until the next one, however long."},
        "event": {"type": "string", "description": "It is momentary; the same name is never taken twice."},
    },
    "additionalProperties": False,
}
ONE_OR_MANY = {"oneOf": [_VERDICT, {"type": "array", "items": _VERDICT, "maxItems": 1000}]}
"""The schema of the body of many verdicts, which is read without a model."""
