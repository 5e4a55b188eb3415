"""What a sentence asks for, in plain values: all that a draft is made of, and all that has to be kept of it.

`encode` and `decode` are inverse, so a draft that is shown can wait for its answer in a row.
"""

from __future__ import annotations

from datetime import datetime

import msgspec

from zhixing.documents.model import Kind, Manual, Once, When
from zhixing.kernel.claims import Basis, Claim
from zhixing.kernel.moments import parse_instant
from zhixing.tasks.schedule.cron import Cron
from zhixing.tasks.schedule.model import At

MANUAL = "@manual"
ONCE = "time:"


class Mark(msgspec.Struct, frozen=True):
    """A claim in plain values: what it is about, what was taken, why, and the words or the rule it rests on."""

    name: str
    value: str
    basis: str
    evidence: str

    def claim(self) -> Claim[str]:
        """Return it as a claim."""
        return Claim(self.value, Basis(self.basis), self.evidence)


class Warned(msgspec.Struct, frozen=True):
    """Something that a person has to be told: a key of the section `drafting`, and the words it is about."""

    key: str
    words: str = ""


class Timing(msgspec.Struct, frozen=True):
    """When, as the frontmatter has it, and the words it was read from.

    `faults` say why the words could not be kept to; then `when` is by hand. `expires` is an instant in ISO 8601.
    """

    when: str = MANUAL
    words: str = ""
    marks: tuple[Mark, ...] = ()
    faults: tuple[Warned, ...] = ()
    expires: str | None = None
    spans: tuple[tuple[int, int], ...] = ()


class Lines(msgspec.Struct, frozen=True):
    """What a model made of the body; empty where ours stays."""

    goal: str = ""
    inputs: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    output: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()


class Recognised(msgspec.Struct, frozen=True):
    """A wish for a product. `product` is the word for it, `entry` its key in the lexicon, `topic` what stands before.

    `matter` is the wish without its words about time and manners. `command` is a script as it was written.
    """

    text: str
    kind: Kind
    product: str
    entry: str
    timing: Timing
    topic: str = ""
    matter: str = ""
    command: str = ""
    covers: str = ""
    sources: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    length: str = ""
    language: str = ""
    form: str = ""
    wants: tuple[str, ...] = ()
    avoids: tuple[str, ...] = ()
    title: str = ""
    silent: bool = False
    """Nothing is to be sent; the result is kept with the run."""
    lines: Lines | None = None

    @property
    def when(self) -> When:
        """When it runs."""
        return when_of(self.timing.when)


def when_of(text: str) -> When:
    """Return what stands behind `when:`; `text` is one of ours. Raises `BadInput` for any other."""
    if text == MANUAL:
        return Manual()
    if text.startswith(ONCE):
        written = text.removeprefix(ONCE)
        return Once(At(parse_instant(written)), written)
    return Cron.parse(text)


def once(at: datetime) -> str:
    """Return `when:` for aware `at`, to the second, with its offset."""
    return f"{ONCE}{at.replace(microsecond=0).isoformat(timespec='seconds')}"


def encode(recognised: Recognised) -> str:
    """Return it as JSON."""
    return msgspec.json.encode(recognised).decode()


def decode(text: str) -> Recognised:
    """Read what `encode` wrote."""
    return msgspec.json.decode(text.encode(), type=Recognised)
