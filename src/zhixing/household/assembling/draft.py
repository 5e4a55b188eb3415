"""What has been decided about one task: claims, each with the clause it rests on. Tips are read off them (design §2.2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from zhixing.household.assembling.clock import Schedule
from zhixing.household.assembling.words import Behaviour
from zhixing.kernel.claims import Basis, Claim

T = TypeVar("T")


def said(value: T, clause: str) -> Claim[T]:
    """Return what the words say."""
    return Claim(value, Basis.SAID, clause)


def inferred(value: T, clause: str) -> Claim[T]:
    """Return what follows from the words and the home by a clause."""
    return Claim(value, Basis.INFERRED, clause)


def default(value: T, clause: str) -> Claim[T]:
    """Return what nobody said."""
    return Claim(value, Basis.DEFAULT, clause)


@dataclass(frozen=True, slots=True)
class Record:
    """What is counted: kind, and what belongs to it."""

    kind: str
    task_type: str
    target: int | None = None
    unit: str | None = None
    target_minutes: int | None = None
    window: str | None = None


@dataclass(frozen=True, slots=True)
class Objects:
    """Key objects: what may be seen, and the kind of thing they are where there are several (H-SEG-12)."""

    items: tuple[str, ...] = ()
    category: str = ""


@dataclass(frozen=True, slots=True)
class Condition:
    """What is looked for, without its subject, in three parts (H-SEG-01).

    `kind`: action, audio, animal, presence, object or scene. `body` names posture and objects in one clause; `counters`
    are what it must not be taken for, each without 不含.
    """

    kind: str
    body: str
    objects: tuple[Objects, ...] = ()
    counters: tuple[str, ...] = ()


@dataclass(slots=True)
class Draft:
    """One task under construction; every decision a claim, questions by kind in the order they arose."""

    text: str
    rule: bool = False
    schedule: Claim[Schedule] | None = None
    record: Claim[Record] | None = None
    lifecycle: Claim[str] = field(default_factory=lambda: default("permanent", "H-LIFE-05"))
    expires_at: datetime | None = None
    behaviour: Behaviour | None = None
    also: tuple[Behaviour, ...] = ()
    """Further rules of the same task with the same answer (A-28): 摔倒或者喊救命. Each has the subject of the draft,
    or its own `subject` where the dictionary gives one (烟雾, 火焰); mode, hold, debounce and sources are shared."""
    condition: Claim[Condition] | None = None
    """Set by a model for what no dictionary has; otherwise read off the behaviour."""
    mode: Claim[str] | None = None
    duration: Claim[int] | None = None
    debounce: Claim[int] | None = None
    debounce_wish: int | None = None
    on_exit: Claim[str] = field(default_factory=lambda: inferred("none", "H-EXIT-02"))
    action: Claim[str] | None = None
    channel: Claim[str] | None = None
    channels: tuple[str, ...] = ()
    subject: Claim[str | tuple[str, ...]] | None = None
    source: Claim[tuple[str, ...] | None] | None = None
    viewpoint: Claim[str] | None = None
    device: Claim[str] | None = None
    window: Claim[str] | None = None
    gate: Claim[str] | None = None
    dropped: Claim[int] | None = None
    notify: bool = False
    rooms: tuple[str, ...] = ()
    effect: str = ""
    message: str = ""
    """What is to be told or done, in the user's words; set by a model, otherwise read again from the text."""
    questions: list[str] = field(default_factory=list)

    def ask(self, kind: str) -> None:
        """Note that `kind` has to be asked; asking it twice is asking it once."""
        if kind not in self.questions:
            self.questions.append(kind)
