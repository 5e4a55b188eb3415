"""What comes of compiling a task: the rule, what it does, what it does differently, and what is left. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from zhixing.graphs.building.builder import Declared
from zhixing.graphs.checks.finding import Phrase, Verdict
from zhixing.graphs.rule import Rule
from zhixing.graphs.simulating.result import Called, Written
from zhixing.graphs.specs.home import Home
from zhixing.kernel.wording import Language, wording
from zhixing.tasks.rules.model import Direction
from zhixing.world.devices.port import Device, DeviceSpec


class What(StrEnum):
    """What of a task something is about."""

    TASK = "task"
    RULE = "rule"
    ANSWER = "answer"
    """What a rule does in one direction."""
    JOB = "job"


@dataclass(frozen=True, slots=True)
class About:
    """A piece of a task: `name` is that of the rule or job (of the task: its slug); only an answer has a direction."""

    what: What
    name: str
    direction: Direction | None = None

    def text(self, language: Language) -> str:
        """Name it."""
        way = "" if self.direction is None else wording(f"compiling.direction_{self.direction.value}", language)
        return wording(f"compiling.about_{self.what.value}", language, name=self.name, direction=way)


@dataclass(frozen=True, slots=True)
class Note:
    """One thing to say; `code` is stable, `values` are what its sentence tells."""

    KIND: ClassVar[str] = ""

    code: str
    about: About
    values: Mapping[str, object] = field(default_factory=dict)

    def text(self, language: Language = "zh") -> str:
        """Say it in one line."""
        values = {name: _text(each, language) for name, each in self.values.items()}
        said = wording(f"compiling.{self.KIND}_{self.code}", language, **values)
        return wording("compiling.note", language, about=self.about.text(language), said=said)


def _text(value: object, language: Language) -> object:
    """Say a value; those of a tuple one after the other."""
    if isinstance(value, tuple):
        return wording("compiling.separator", language).join(str(_text(each, language)) for each in value)
    return value.text(language) if isinstance(value, Phrase) else value


@dataclass(frozen=True, slots=True)
class Line(Note):
    """What runs on the hub."""

    KIND: ClassVar[str] = "line"


@dataclass(frozen=True, slots=True)
class Remark(Note):
    """What the hub does otherwise than the task did."""

    KIND: ClassVar[str] = "remark"


@dataclass(frozen=True, slots=True)
class Left(Note):
    """What cannot run on the hub, and why."""

    KIND: ClassVar[str] = "left"


Deed = tuple[str, int, int, tuple[object, ...]]
"""A command that left: did, siid, piid or aiid, and the value or the arguments."""


def deed_of(output: Written | Called) -> Deed:
    """Return what a simulated card did."""
    if isinstance(output, Called):
        return output.did, output.siid, output.aiid, output.values
    about = output.property
    return about.did, about.siid, about.piid, (output.value,)


@dataclass(frozen=True, slots=True)
class Trial:
    """A piece that was run once on a virtual clock: the commands it should give, in order, and those it gave."""

    about: About
    wanted: tuple[Deed, ...]
    given: tuple[Deed, ...]

    @property
    def passed(self) -> bool:
        """Whether these are the same."""
        return self.wanted == self.given


@dataclass(frozen=True, slots=True)
class Compiled:
    """What came of it. Without a rule nothing of the task can run on the hub, and `left` says why.

    `verdict` is what the strict checks found about the rule; `trials` are of its pieces, one each, and all passed.
    """

    rule: Rule | None
    variables: tuple[Declared, ...]
    lines: tuple[Line, ...]
    remarks: tuple[Remark, ...]
    left: tuple[Left, ...]
    verdict: Verdict
    trials: tuple[Trial, ...]


@dataclass(frozen=True, slots=True)
class Site:
    """What is known of the home on both sides.

    `home` and `zone` are those of the hub; `devices`, `specs` and `cameras` (names by id) are what the task was
    made with.
    """

    home: Home
    zone: str
    devices: tuple[Device, ...]
    specs: Mapping[str, DeviceSpec]
    cameras: Mapping[str, str]

    def name_of(self, did: str) -> str:
        """Return what people call a device or a camera."""
        if did in self.cameras:
            return self.cameras[did] or did
        known = self.home.device(did)
        if known is not None and known.name:
            return known.name
        return next((each.name for each in self.devices if each.did == did and each.name), did)
