"""The bodies of drafts, in the document's order: goal, inputs, steps, output, trigger and status, cautions (003)."""

from __future__ import annotations

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from zhixing.documents.drafting.commands import started
from zhixing.documents.drafting.covering import covering
from zhixing.documents.drafting.pointing import without_pointing
from zhixing.documents.drafting.wanted import MANUAL, Lines, Recognised
from zhixing.documents.drafting.words import Product, products
from zhixing.documents.templates import AgentBody, write_body
from zhixing.kernel.wording import Language, wording

_QUOTES = str.maketrans("「」『』", "“”‘’")
_BARE = 4
"""Characters that a wish has beside its product where it says nothing more: 写一份日报."""


def agent_body(recognised: Recognised, title: str, when: str, zone: ZoneInfo, language: Language = "zh") -> str:
    """Return the body of an agent task. `when` is in words."""
    return write_body(_Agent(recognised, title, when, zone, language).body())


def script_body(recognised: Recognised, language: Language = "zh") -> str:
    """Return the script: the document's head, and the command as it was given."""
    command = started(recognised.command)
    goal = " ".join((recognised.matter or command).split())
    needs = recognised.files[0] if recognised.files else recognised.command.split()[0]
    head = (
        wording("drafting.script_goal", language, goal=goal),
        wording("drafting.script_needs", language, needs=needs),
        wording("drafting.script_fails", language),
    )
    lines = [f"# {line}" for line in head]
    lines += ["", "set -euo pipefail", "", f"# {wording('drafting.script_work', language)}", command]
    return "\n".join(lines) + "\n"


class _Agent:
    """One agent body. What a model added stands behind ours; its goal and its steps take the place of ours."""

    def __init__(self, recognised: Recognised, title: str, when: str, zone: ZoneInfo, language: Language) -> None:
        self._recognised = recognised
        self._title = title
        self._when = when
        self._zone = zone
        self._language = language
        self._kind: Product = products()[recognised.entry]
        self._added = recognised.lines or Lines()

    def body(self) -> AgentBody:
        return AgentBody(
            goal=self._added.goal or self._goal(),
            inputs=tuple(self._inputs()),
            steps=tuple(self._steps()),
            output=tuple(self._output()),
            schedule=tuple(self._schedule()),
            cautions=tuple(self._cautions()),
        )

    def _say(self, key: str, **values: object) -> str:
        return wording(f"drafting.{key}", self._language, **values)

    def _goal(self) -> str:
        return self._say("goal", title=self._title, product=self._recognised.product)

    def _inputs(self) -> Iterator[str]:
        wanted = self._recognised
        matter = without_pointing(wanted.matter).translate(_QUOTES)
        if len(matter) > len(wanted.product) + _BARE:
            yield self._say("input_matter", matter=matter)
        if wanted.covers or self._kind.covers != "none":
            yield self._say("input_covers", covers=covering(wanted, self._language))
        for source in wanted.sources:
            yield self._say("input_file" if source in wanted.files else "input_source", source=source)
        if not wanted.sources:
            yield self._say("input_no_source")
        yield self._say("input_zone", zone=self._zone.key)
        yield from self._added.inputs

    def _steps(self) -> Iterator[str]:
        if self._added.steps:
            yield from self._added.steps
        else:
            if self._recognised.covers or self._kind.covers != "none":
                yield self._say("step_period")
            sources = self._say("list_separator").join(self._recognised.sources)
            yield self._say("step_read", sources=sources) if sources else self._say("step_collect")
            yield from (f"{step}。" for step in self._kind.steps)
            yield self._say("step_keep")
        yield self._say("step_write")

    def _output(self) -> Iterator[str]:
        wanted = self._recognised
        yield self._say("output_form", form=wanted.form or self._kind.form or "Markdown")
        kept = (one for one in self._kind.sections if not any(part in one.split("：")[0] for part in wanted.avoids))
        yield from (self._say("output_section", section=section) for section in kept)
        if wanted.wants:
            yield self._say("output_wants", parts=self._say("list_separator").join(wanted.wants))
        yield self._say("output_length", length=wanted.length or self._kind.length)
        yield self._say("output_language", language=wanted.language or "中文")
        if wanted.avoids:
            yield self._say("output_avoids", parts=self._say("list_separator").join(wanted.avoids))
        yield from self._added.output
        yield self._say("output_no_process")

    def _schedule(self) -> Iterator[str]:
        key = "manual" if self._recognised.timing.when == MANUAL else "timed"
        yield self._say(f"schedule_{key}", when=self._when)
        yield self._say("schedule_status")

    def _cautions(self) -> Iterator[str]:
        yield from (f"{caution}。" for caution in self._kind.cautions)
        yield from self._added.cautions
        yield self._say("caution_missing")
        yield self._say("caution_data")
