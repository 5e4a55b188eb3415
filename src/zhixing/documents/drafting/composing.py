"""From what was asked for to a definition with a body that another executor can work from (document 003). Pure.

The product's own parts (sections, steps, what is usual) are data; the order of the body is the document's. Whatever
nobody said is a claim, and every claim that has to be told has a tip with the words that change it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from zhixing.documents.drafting.bodies import agent_body, script_body
from zhixing.documents.drafting.commands import reaches_out, started
from zhixing.documents.drafting.covering import covering
from zhixing.documents.drafting.pointing import pointing_in
from zhixing.documents.drafting.titles import title_of, unique
from zhixing.documents.drafting.wanted import MANUAL, Mark, Recognised, Warned
from zhixing.documents.drafting.words import products
from zhixing.documents.model import Declared, Definition, Deliver, Kind, Manual, Once
from zhixing.kernel.claims import Basis, Claim
from zhixing.kernel.moments import parse_instant
from zhixing.kernel.wording import Language, wording
from zhixing.tasks.schedule.cron import Cron
from zhixing.tasks.schedule.model import At
from zhixing.tasks.schedule.words import in_words

LONGEST_DESCRIPTION = 120
"""Characters."""
OFTEN = 30
"""Minutes; a model that is asked more often costs more than people think."""
_SHAPED = ("form_default", "length_default", "language_default")


@dataclass(frozen=True, slots=True)
class Draft:
    """A task as it would be saved, why it is so, and what a person has to be told first.

    `recognised` and `session_id` are all that has to be kept (`wanted.encode`): `draft` makes the same again from them.
    `now` and `zone` are those it was drafted with.
    """

    definition: Definition
    claims: tuple[Claim[str], ...]
    tips: tuple[str, ...]
    warnings: tuple[str, ...]
    recognised: Recognised
    now: datetime
    zone: ZoneInfo


def draft(
    recognised: Recognised,
    *,
    session_id: str,
    now: datetime,
    zone: ZoneInfo,
    taken: Collection[str] = (),
    language: Language = "zh",
) -> Draft:
    """Make the draft of what was recognised; its title is none of the `taken` ones."""
    title = recognised.title or unique(title_of(recognised, zone, language), taken)
    marks = tuple(_marks(recognised, title, language))
    definition = Definition(
        title=title,
        description=_description(recognised, zone, language),
        when=recognised.when,
        session_id=session_id,
        body=_body(recognised, title, zone, language),
        kind=recognised.kind,
        network=True if recognised.kind is Kind.SCRIPT and reaches_out(recognised.command) else None,
        paths=tuple(Declared(file) for file in recognised.files),
        deliver=Deliver.NONE if recognised.silent else Deliver.AUTO,
        expires_at=None if recognised.timing.expires is None else parse_instant(recognised.timing.expires),
    )
    return Draft(
        definition,
        tuple(mark.claim() for mark in marks),
        tuple(_tips(marks, recognised, language)),
        tuple(_warnings(recognised, language)),
        recognised,
        now,
        zone,
    )


def when_in_words(recognised: Recognised, zone: ZoneInfo, language: Language = "zh") -> str:
    """Say when it runs, with the zone."""
    match recognised.when:
        case Manual():
            return wording("drafting.when_manual", language)
        case Once(at=at):
            local = At(at.at.astimezone(zone))
            return wording("drafting.when_once", language, at=f"{local.at:%Y-%m-%d %H:%M}", zone=zone.key)
        case cron:
            return wording("drafting.when_cron", language, when=in_words(cron, language), zone=zone.key)


def _body(recognised: Recognised, title: str, zone: ZoneInfo, language: Language) -> str:
    when = when_in_words(recognised, zone, language)
    if recognised.kind is Kind.SCRIPT:
        return script_body(recognised, language)
    return agent_body(recognised, title, when, zone, language)


def _description(recognised: Recognised, zone: ZoneInfo, language: Language) -> str:
    what = " ".join((recognised.matter or recognised.command or recognised.product).split())
    words = wording("drafting.description", language, when=when_in_words(recognised, zone, language), what=what)
    return words if len(words) <= LONGEST_DESCRIPTION else words[: LONGEST_DESCRIPTION - 1] + "…"


# Claims


def _marks(recognised: Recognised, title: str, language: Language) -> Iterator[Mark]:
    yield from recognised.timing.marks
    if not recognised.timing.words and recognised.timing.when == MANUAL and not recognised.timing.faults:
        yield Mark("when", MANUAL, Basis.DEFAULT.value, "when_default")
    yield _mark("title", recognised.title, title, "title_default", Basis.INFERRED)
    if recognised.kind is Kind.SCRIPT:
        yield from _script_marks(recognised)
        return
    kind = products()[recognised.entry]
    said = "、".join(recognised.sources)
    yield _mark("sources", said, wording("drafting.sources_unsaid", language), "sources_default")
    if kind.covers != "none" or recognised.covers:
        yield _mark("covers", recognised.covers, covering(recognised, language), "covers_default")
    yield _mark("sections", "、".join(recognised.wants), recognised.product, "sections_default")
    yield _mark("form", recognised.form, kind.form or "Markdown", "form_default")
    yield _mark("length", recognised.length, kind.length, "length_default")
    yield _mark("language", recognised.language, "中文", "language_default")


def _script_marks(recognised: Recognised) -> Iterator[Mark]:
    yield Mark("command", recognised.command, Basis.SAID.value, recognised.command)
    if started(recognised.command) != recognised.command:
        yield Mark("command", started(recognised.command), Basis.INFERRED.value, "command_started")
    if reaches_out(recognised.command):
        yield Mark("network", "true", Basis.INFERRED.value, "network_needed")


def _mark(name: str, said: str, usual: str, rule: str, basis: Basis = Basis.DEFAULT) -> Mark:
    return Mark(name, said, Basis.SAID.value, said) if said else Mark(name, usual, basis.value, rule)


# What is told


def _tips(marks: tuple[Mark, ...], recognised: Recognised, language: Language) -> Iterator[str]:
    shaped = [mark for mark in marks if mark.evidence in _SHAPED]
    for mark in marks:
        if not mark.claim().must_be_told or mark in shaped[1:]:
            continue
        if mark in shaped:
            values = wording("drafting.list_separator", language).join(one.value for one in shaped)
            yield wording("drafting.tip_shape_default", language, value=values)
            continue
        yield wording(f"drafting.tip_{mark.evidence}", language, value=mark.value, words=recognised.timing.words)


def _warnings(recognised: Recognised, language: Language) -> Iterator[str]:
    for fault in (*recognised.timing.faults, *_doubts(recognised)):
        yield wording(f"drafting.{fault.key}", language, words=fault.words)


def _doubts(recognised: Recognised) -> Iterator[Warned]:
    pointing = pointing_in(recognised.matter)
    if pointing:
        yield Warned("vague_reference", pointing)
    every = _minutes_apart(recognised)
    if recognised.kind is Kind.AGENT and every is not None and every < OFTEN:
        yield Warned("often", str(every))


def _minutes_apart(recognised: Recognised) -> int | None:
    """Return the minutes between two runs of an interval below an hour; None for anything else."""
    when = recognised.when
    if not isinstance(when, Cron) or not when.minute.starred:
        return None
    return when.minute.step or 1
