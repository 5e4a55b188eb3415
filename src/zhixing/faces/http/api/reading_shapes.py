"""What programs get of words that were read: by the batch contract, and by a model."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from zhixing.faces.http.api.shapes import Option, Shape
from zhixing.notices.model import NodeKind, Outcome, Precision


class Next(Shape):
    """The next instants of an expression."""

    expression: str
    zone: str
    next: list[str]


class UnderstoodReminder(Shape):
    """A reminder that would follow."""

    at: str = Field(description="ISO 8601 with offset, or `asap`.")
    reason: str


class UnderstoodNode(Shape):
    """A time of the batch contract."""

    kind: NodeKind
    at: str | None
    precision: Precision
    expression: str
    evidence: str
    lead_minutes: int = 0


class UnderstoodQuestion(Shape):
    """A question of the batch contract."""

    kind: str
    prompt: str
    options: list[Option]


class Understood(Shape):
    """One answer of the batch contract."""

    id: str | int | None
    outcome: Outcome
    question: UnderstoodQuestion | None
    nodes: list[UnderstoodNode]
    reminders: list[UnderstoodReminder]
    why: str


class CandidateNode(Shape):
    """A time as it stands in the words."""

    kind: NodeKind = Field(description="For protocol 1 a `reminder` is a `start`.")
    expression: str = Field(description="The words for the time, verbatim, inside the evidence.")
    evidence: str
    lead_minutes: int | None = Field(default=None, description="Only there for protocol 2.")
    lead_evidence: str | None = Field(default=None, description="Only there for protocol 2.")


class Ambiguity(Shape):
    """What only the user can settle."""

    about: str


class Matter(Shape):
    """One matter that was read, verbatim."""

    title: str
    action: str
    evidence: str
    details: list[str]
    nodes: list[CandidateNode]
    ambiguities: list[Ambiguity]


class Candidate(Shape):
    """What was read in the words of a task: one matter at the root, or several not chosen among yet in `items`."""

    version: Literal[1]
    transcript: str | None = Field(default=None, description="Of an image: its words.")
    title: str = ""
    action: str = ""
    evidence: str = ""
    details: list[str] = Field(default=[])
    nodes: list[CandidateNode] = Field(default=[])
    ambiguities: list[Ambiguity] = Field(default=[])
    items: list[Matter] = Field(default=[])
