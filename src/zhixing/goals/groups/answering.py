"""What a bot's reply means in its turn: pure.

Plain words are something said to everybody. A result is one only from the member that reports, and what merely repeats
the question is nothing. A reply whose last word is no result does not end a talk.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from zhixing.goals.bots.collaborating import Duty, Message, Turn, Word, outcome_in
from zhixing.goals.bots.forming import Group
from zhixing.goals.contracts.extracting import candidates, first_fitting, is_bare, json_values
from zhixing.goals.contracts.shapes import compact, list_of, text_of
from zhixing.goals.groups.model import LONGEST_SAID, kept_text
from zhixing.goals.loop.limits import NO_SPENDING, Spent
from zhixing.world.bots.port import Said

LONGEST_STRICT = 150_000
"""Characters of a result: less than what is read of a reply."""
MOST_GAPS = 50
LONGEST_GAP = 1000
MOST_ADDRESSED = 50
MOST_TOKENS, MOST_COST = 10**9, 1e9

_CUT = "…（太长，后面略去）"


def read_turn(group: Group, turn: Turn, content: str, prompt: str, names: Mapping[str, str]) -> Message:
    """Return what a reply says; `names` are what bots are called, by id. Silence when there is nothing to use."""
    content = kept_text(content, len(content)).replace(prompt, "").strip()
    if not content:
        return Message(turn.bot_id, Word.SILENT)
    try:
        return _read(group, turn, content, list(_own(content, prompt)), names)
    except RecursionError:
        # Nested too deeply to be an answer: it is taken as plain words.
        return _read(group, turn, content, [], names)


def is_result(text: str) -> bool:
    """Whether a text is the result of a task."""
    return first_fitting(text, _strict) is not None


def spent_of(said: Said) -> Spent:
    """Return what a bot says it used; what makes no sense counts as nothing."""
    tokens = said.tokens if isinstance(said.tokens, int) and 0 <= said.tokens <= MOST_TOKENS else 0
    is_cost = isinstance(said.cost, int | float) and math.isfinite(said.cost) and 0 <= said.cost <= MOST_COST
    return Spent(tokens, float(said.cost)) if is_cost else Spent(tokens, NO_SPENDING.cost)


def _read(group: Group, turn: Turn, content: str, found: list[Any], names: Mapping[str, str]) -> Message:
    match turn.duty:
        case Duty.REPORT:
            return _reported(turn, content, found)
        case Duty.LEAD:
            return _led(turn, content, found, names)
        case _:
            return _worked(group, turn, content, found)


def _own(content: str, prompt: str) -> Iterator[Any]:
    """Yield the values of a reply that are not in the question, the last first."""
    asked = {compact(each) for each in candidates(prompt)}
    return (each for each in candidates(content) if compact(each) not in asked)


def _reported(turn: Turn, content: str, found: list[Any]) -> Message:
    strict = next((made for each in found if (made := _result(each)) is not None), None)
    said = kept_text(content, LONGEST_SAID)
    return Message(turn.bot_id, Word.DONE, strict) if strict else Message(turn.bot_id, Word.SILENT, said)


def _led(turn: Turn, content: str, found: list[Any], names: Mapping[str, str]) -> Message:
    for each in found:
        if not isinstance(each, Mapping):
            continue
        strict = _strict(each.get("done")) or (_result(each) if _is_last(content, each) else None)
        if strict is not None:
            return Message(turn.bot_id, Word.DONE, strict)
        if isinstance(each.get("say"), str) or isinstance(each.get("to"), list):
            return Message(turn.bot_id, text=_said(each, content), to=_addressed(each, names))
    return Message(turn.bot_id, text=kept_text(content, LONGEST_SAID))


def _worked(group: Group, turn: Turn, content: str, found: list[Any]) -> Message:
    """Take what a member did: whatever it claims of the whole is only something said."""
    values = [each for each in found if isinstance(each, Mapping)]
    named = next((each["outcome"] for each in values if each.get("outcome") in turn.outcomes), "") if values else ""
    outcome = named or outcome_in(content, turn.outcomes)
    if turn.bot_id == group.reporter:
        last = next((made for each in values if (made := _result(each)) and _is_last(content, each)), None)
        if last is not None:
            return Message(turn.bot_id, text=last, outcome=outcome)
    saying = next((each for each in values if isinstance(each.get("say"), str)), {})
    return Message(turn.bot_id, text=_said(saying, content), outcome=outcome)


def _said(value: Mapping[str, Any], content: str) -> str:
    """Return what is to be passed on: `say` where that is the whole reply, otherwise all of it."""
    say = kept_text(text_of(value, "say", LONGEST_SAID), LONGEST_SAID)
    return say if say and is_bare(content, value) else kept_text(content, LONGEST_SAID)


def _addressed(value: Mapping[str, Any], names: Mapping[str, str]) -> tuple[str, ...]:
    """Return whom a reply addresses, by id or by a name that one bot alone has."""
    called: dict[str, list[str]] = {}
    for bot, name in names.items():
        called.setdefault(name, []).append(bot)
    told = [each for each in list_of(value, "to")[:MOST_ADDRESSED] if isinstance(each, str)]
    ids = (each if each in names else called.get(each.strip(), [""])[0] for each in told)
    return tuple(dict.fromkeys(each for each in ids if each and len(called.get(names.get(each, ""), [])) <= 1))


def _is_last(content: str, value: object) -> bool:
    """Whether a reply ends with a value: what is quoted between sentences is not handed in."""
    values = json_values(content)
    return bool(values) and values[-1] == value and content.rstrip("`\n \t").endswith("}")


def _result(value: object) -> str | None:
    """Return the result in a value: itself, what it is done with, or what it would have reported over HTTP."""
    if not isinstance(value, Mapping):
        return None
    return _strict(value) or _strict(value.get("done")) or _strict(value.get("result"))


def _strict(value: object) -> str | None:
    """Return a result as the strict object, short enough to be read; None when it is none."""
    if not isinstance(value, Mapping):
        return None
    success, error = value.get("success"), value.get("exec_error")
    if not isinstance(success, bool) and not (isinstance(error, str) and error):
        return None
    gaps = [each[:LONGEST_GAP] for each in list_of(value, "gaps")[:MOST_GAPS] if isinstance(each, str)]
    found: dict[str, Any] = {"success": success, "data": value.get("data", ""), "gaps": gaps}
    for key in ("fail_detail", "exec_error"):
        if isinstance(value.get(key), str):
            found[key] = value[key][:LONGEST_GAP]
    return _fitted(found)


def _fitted(found: dict[str, Any]) -> str:
    """Return a result as JSON that any database keeps; data that is too long becomes the beginning of its text."""
    data = found["data"] if isinstance(found["data"], str) else compact(found["data"])
    written = compact(found)
    # A character may take six in JSON.
    for most in (LONGEST_STRICT // 2, LONGEST_STRICT // 8):
        if len(written) > LONGEST_STRICT:
            written = compact({**found, "data": data[:most] + _CUT})
    return kept_text(written, len(written))
