"""What a model may add to a draft, and how far it is believed. Pure: a prompt, and what a reply makes of the draft.

When, kind, title and where it goes stay ours. A line is taken only as one bounded line of plain text that the lint has
nothing against; a reply that fits in no line leaves the draft as it is.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from datetime import datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from zhixing.documents.drafting import vetoes
from zhixing.documents.drafting.composing import Draft, draft
from zhixing.documents.drafting.details import read_details
from zhixing.documents.drafting.pointing import pointing_in
from zhixing.documents.drafting.recognising import LONGEST_WISH, covers_of
from zhixing.documents.drafting.stretches import stretches
from zhixing.documents.drafting.timing import read_timing
from zhixing.documents.drafting.wanted import Lines, Recognised
from zhixing.documents.drafting.words import by_word, products
from zhixing.documents.lint import lint
from zhixing.documents.model import Kind
from zhixing.documents.rules import rules
from zhixing.kernel.wording import wording
from zhixing.language.text import normalise
from zhixing.world.models.fence import RULE, fence, single_line
from zhixing.world.models.port import Prompt, Text
from zhixing.world.models.shape import Shape

LONGEST_LINE = 200
"""Characters of one line of a body."""
LONGEST_GOAL = 300
MOST_LINES = 10
"""Lines that are taken of one part."""
FEWEST_STEPS = 2
"""Fewer steps than this do not take the place of ours."""
_PARTS = ("inputs", "steps", "output", "cautions")
_MANAGES = re.compile(
    r"(?:创建|更新|新建|同名|启用|暂停)任务|任务状态|task\.md|sessionId|city +(?:task|chat)|chat +send|已发送|已更新"
    r"|我来|让我|我先|为你",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"^(?:[-*+#>]|[0-9]+[.、)])\s*")


def _lines_of(what: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string"}, "description": what}


_BODY = Shape(
    "document_body",
    {
        "type": "object",
        "properties": {
            "goal": {"type": "string", "description": "一句话：交付的成品是什么"},
            "inputs": _lines_of("资料、范围、对象、限制，每条一行"),
            "steps": _lines_of("执行步骤，每步一行，不写编号"),
            "output": _lines_of("成品的结构、语气、不要写什么，每条一行"),
            "cautions": _lines_of("风险和边界，每条一行"),
        },
        "required": ["goal", *_PARTS],
        "additionalProperties": False,
    },
)


def prompt_for(text: str, shown: Draft) -> Prompt:
    """Return the question how the body of `shown`, drafted from `text`, can be made richer."""
    system = wording("drafting.prompt_body", "zh", rule=RULE, most=MOST_LINES, longest=LONGEST_LINE)
    said = fence(text[:LONGEST_WISH], "原话")
    body = fence(shown.definition.body, "现有正文")
    return Prompt(system, (Text(f"{said}\n{body}"),), _BODY)


def enriched(shown: Draft, value: dict[str, Any]) -> Draft:
    """Return `shown` with what fits of a reply; the same draft where nothing does, or where it is a script."""
    if shown.recognised.kind is Kind.SCRIPT or _BODY.mismatch(value):
        return shown
    goal = next(iter(_taken([value["goal"]], LONGEST_GOAL)), "")
    inputs, steps, output, cautions = (tuple(_taken(value[part], LONGEST_LINE))[:MOST_LINES] for part in _PARTS)
    lines = Lines(goal, inputs, steps if len(steps) >= FEWEST_STEPS else (), output, cautions)
    if lines == Lines():
        return shown
    definition = shown.definition
    wanted = replace(shown.recognised, lines=lines)
    named = replace(wanted, title=definition.title)
    made = draft(named, session_id=definition.session_id, now=shown.now, zone=shown.zone)
    if lint(Kind.AGENT, made.definition.body, first_line=1):
        return shown
    # The title is ours still, and is told as such; only the body is another one.
    return dataclasses.replace(shown, definition=made.definition, recognised=wanted)


def _taken(lines: Iterable[object], longest: int) -> Iterable[str]:
    """Yield the lines that may stand in a body, each once."""
    seen = set()
    for line in lines:
        if not isinstance(line, str):
            continue
        one = _MARKUP.sub("", " ".join(single_line(line).replace("⏎", " ").split()))
        if one and one not in seen and fits(one, longest):
            seen.add(one)
            yield one


def fits(line: str, longest: int = LONGEST_LINE) -> bool:
    """Whether one line may stand in a body: bounded, about the product, resting on nothing but itself."""
    return (
        len(line) <= longest
        and "```" not in line
        and not any(rule.finding(1, line) for rule in rules(Kind.AGENT))
        and not _MANAGES.search(line)
        and not pointing_in(line)
    )


# Sentences that are not certain


@cache
def _wish() -> Shape:
    return Shape(
        "document_wish",
        {
            "type": "object",
            "properties": {
                "is_document": {"type": "boolean", "description": "是不是要机器写出、收集或计算一份成品"},
                "product": {"type": ["string", "null"], "description": "原话里成品的叫法，逐字照抄"},
                "entry": {"type": "string", "enum": sorted(products()), "description": "最接近的成品种类"},
                "when": {"type": ["string", "null"], "description": "原话里关于时间的词，逐字照抄；没有就是 null"},
                "subject": {"type": ["string", "null"], "description": "原话里成品写什么，逐字照抄"},
            },
            "required": ["is_document", "product", "entry", "when", "subject"],
            "additionalProperties": False,
        },
    )


def question_about(text: str) -> Prompt:
    """Return the question whether `text`, which is not certain, asks for a product. For `needs_model` sentences."""
    kinds = "；".join(f"{kind.key}：{'、'.join(kind.words[:4])}" for kind in products().values())
    system = wording("drafting.prompt_wish", "zh", rule=RULE, kinds=kinds)
    return Prompt(system, (Text(fence(text[:LONGEST_WISH], "原话")),), _wish())


def complaint(value: dict[str, Any], text: str) -> str:
    """Return what is wrong with a reply to `question_about(text)`, for its one repair, or ""."""
    for name in ("product", "when", "subject"):
        if value[name] is not None and not _quoted(value[name], text):
            return wording("drafting.quote_not_said", "zh", place=name)
    return ""


def read_by_model(value: dict[str, Any], text: str, *, now: datetime, zone: ZoneInfo) -> Recognised | None:
    """Return what a reply makes of `text`; None where it is no document, or the reply does not rest on the words.

    The time is read by our own reader, from the whole sentence: a quote that it reads otherwise is not believed.
    """
    if _wish().mismatch(value) or complaint(value, text) or not value["is_document"] or len(text) > LONGEST_WISH:
        return None
    if vetoes.reminds(normalise(text)) or vetoes.is_about_tasks(normalise(text)):
        return None
    product = (value["product"] or "").strip()
    kind = by_word().get(product) or products()[value["entry"]]
    details = read_details(text)
    aside = [(start, start + len(product))] if product and (start := text.find(product)) >= 0 else []
    timing = read_timing(text, now=now, zone=zone, aside=(*aside, *details.spans))
    if value["when"] and not timing.words and not timing.faults:
        return None
    recognised = Recognised(
        text=text.strip(),
        kind=Kind.AGENT,
        product=product or kind.words[0],
        entry=kind.key,
        timing=timing,
        covers=covers_of(text, stretches(normalise(text), now.astimezone(zone).date()).covers),
        matter=(value["subject"] or "").strip(),
    )
    return details.kept_with(recognised)


def _quoted(quote: str, text: str) -> bool:
    return bool(quote.strip()) and normalise(quote).strip() in normalise(text)
