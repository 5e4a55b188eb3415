"""Why a model's reply is not used."""

from __future__ import annotations

from enum import StrEnum

from zhixing.kernel.wording import Language, wording


class Fault(StrEnum):
    """What is wrong; section `modelling` says it to the model, and to whoever reads the log."""

    SHAPE = "shape"
    BOUNDS = "bounds"
    """Too long, too many, or characters that no sentence has."""
    EVIDENCE = "evidence"
    """Not a verbatim piece of what was said."""
    CUT = "cut"
    """Only a part of the number or the time that stands there."""
    AMOUNT = "amount"
    """The number is not what the quoted words say."""
    CLOCK = "clock"
    """The quoted words say another time, none, or one that is past."""
    TARGET = "target"
    """A task that does not exist."""
    EMPTY = "empty"
    TWICE = "twice"
    BEHAVIOUR = "behaviour"
    """Neither a word of the dictionary nor a condition, or one that does not fit who is meant."""
    CONDITION = "condition"
    """The condition breaks a rule of wording."""
    HOLD = "hold"
    """A length for what happens in a moment."""
    SUBJECT = "subject"
    UNUSED = "unused"
    """A part of what was said is nowhere in the reply."""
    REJECT = "reject"
    """The words do not ask for what would have to be refused."""
    UNDECIDED = "undecided"
    """The facts make no task."""
    FINDINGS = "findings"
    """The plan made of the facts breaks a check."""
    BEYOND = "beyond"
    """The model found a wish that no task can fulfil: the reply is honest, and there is nothing to repair."""
    ANSWER = "answer"
    """An answer of the user's is not taken into account."""


class Misread(Exception):
    """A reply that is not used; `str()` is one line. `place` is in the reply (`tasks[0].trigger.hold`)."""

    def __init__(self, why: Fault, place: str = "", detail: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.place = place
        self.detail = detail

    def __str__(self) -> str:
        return self.line()

    def line(self, language: Language = "zh") -> str:
        """Return it in one sentence. Nothing that the model wrote is repeated; `detail` is ours, or the user's."""
        return wording(
            f"modelling.{self.why.value}", language, place=self.place or "JSON", detail=self.detail or self.place
        )

    @property
    def complaint(self) -> str:
        """What the model is told for its repair; empty where it has said all there is."""
        return "" if self.why is Fault.BEYOND else self.line()
