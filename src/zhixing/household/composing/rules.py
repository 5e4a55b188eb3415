"""The rules of a task: condition, times, answers, and where each value came from (H-MODE, H-DUR, H-DEB). Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zhixing.household.assembling.draft import Draft
from zhixing.household.assembling.tips import LONG_GAP
from zhixing.household.assembling.words import Kind
from zhixing.household.checks.model import Query
from zhixing.household.composing import actions
from zhixing.household.composing.actions import Command
from zhixing.household.composing.conditions import Subject, condition
from zhixing.household.composing.descs import Descs, answers, channels, reset
from zhixing.household.composing.model import Site, Unwritable
from zhixing.household.composing.naming import rule_scene
from zhixing.household.composing.news import clean
from zhixing.household.composing.saying import Saying
from zhixing.kernel.claims import Basis, Claim

_DAY = 86_400
_CLASSES = {
    Kind.SAFETY: "safety",
    Kind.INSTANT: "instant",
    Kind.CONTINUOUS: "continuous",
    Kind.OBJECT: "object",
    Kind.SCENE: "scene",
}
_DIRECTIONS = (
    "action", "action_desc", "on_enter_action", "on_enter_desc", "on_exit_action", "on_exit_desc", "on_target_desc",
)  # fmt: skip
_ENTRIES = frozenset(("arrives", "enters", "car"))
_LEAVES = frozenset(("leaves", "exits"))
_LEAD = re.compile(r"^(?:就|再|都|自动|帮我|给我|你)+")
_VERBS = (("报警", "报警"), ("欢迎", "欢迎"), ("播报", "播报"), ("推送", "推送"), ("通知", "通知"), ("夸", "表扬"))


@dataclass(frozen=True, slots=True)
class Written:
    """One rule as JSON. `made`: the fields that are otherwise where it is made.

    The checks know one command a direction; a device that has to be on before it is set is switched on first.
    """

    json: dict[str, Any]
    made: Mapping[str, Any]
    enter: Command | None
    leave: Command | None
    descs: Descs


def rule(draft: Draft, subject: Subject, slug: str, saying: Saying, site: Site, *, several: bool) -> Written:
    """Write the rule about `subject`."""
    if draft.mode is None:
        raise Unwritable("mode")
    if draft.duration is not None and draft.duration.value > _DAY:
        raise Unwritable("duration")
    query, descs = condition(draft, subject), answers(draft, subject, saying)
    acts = bool(draft.effect) and draft.record is None
    enter = actions.entering(draft, saying, site) if acts else None
    leave = actions.leaving(draft, saying, site) if acts and draft.on_exit.value == "action" else None
    json: dict[str, Any] = {
        "name": f"[{slug}] {rule_scene(draft, subject, _label(draft, enter, saying), several=several)}",
        "mode": draft.mode.value,
        "query": _query(query),
        "source": None if draft.source is None or draft.source.value is None else list(draft.source.value),
        "viewpoint": _viewpoint(draft),
        "trigger_class": trigger_class(draft),
        "activates": acts and draft.effect == "on",
        "closes": acts and draft.effect == "off" and not descs.told,
        **_times(draft),
        **_answers(draft, descs, enter, leave, saying),
        "repeat_on_exit": descs.repeats,
        "channel": channels(draft)[0] if descs.told else None,
    }
    if _gone(draft):
        json["agreement"] = "all"
    if saying.gate is not None and saying.gate.hours is not None:
        start, end = saying.gate.hours
        json["quiet"] = [f"{_clock(end)}-{_clock(start)}"]
    return Written(json, _made(draft, descs, enter, saying), enter, leave, descs)


def _made(draft: Draft, descs: Descs, enter: Command | None, saying: Saying) -> Mapping[str, Any]:
    if enter is None or enter.action is None or enter.before is None or descs.told or _judged(draft, saying):
        return {}
    if enter.before["iid"] == enter.action["iid"]:
        # Nothing is opened all the way first to be opened half.
        return {}
    state = draft.mode is not None and draft.mode.value == "state"
    return {"on_enter_action" if state else "action": [dict(enter.before), dict(enter.action)]}


def _gone(draft: Draft) -> bool:
    """Whether it is seen by nobody's being there, which all cameras have to say (H-VIEW-10)."""
    unseen = draft.viewpoint is not None and draft.viewpoint.value == "uncovered" and draft.condition is None
    return unseen and draft.behaviour is not None and bool(draft.behaviour.marks & _LEAVES)


def trigger_class(draft: Draft) -> str:
    """Return which sort of trigger it is, as the checks call it."""
    behaviour = draft.behaviour
    if behaviour is None:
        return "continuous" if draft.duration is not None else "instant"
    if behaviour.kind is Kind.STATE:
        if behaviour.marks & _ENTRIES and draft.effect != "off" and draft.record is None:
            return "entry"
        return "presence" if "presence" in behaviour.marks else "state"
    found = _CLASSES[behaviour.kind]
    if found == "instant" and draft.duration is not None:
        return "continuous"
    return "instant" if found == "continuous" and draft.duration is None else found


def _query(query: Query) -> dict[str, Any]:
    segments = query.segments
    return {
        "text": query.text,
        "kind": query.kind,
        "subject": query.subject,
        "subject_source": query.subject_source,
        "segments": {
            "posture": list(segments.posture),
            "objects": [{"items": list(one.items), "category": one.category} for one in segments.objects],
            "counters": list(segments.counters),
        },
        "words": [{"w": word.text, "origin": word.origin} for word in query.words],
    }


def _viewpoint(draft: Draft) -> str | None:
    if draft.viewpoint is None:
        return None
    asked = {Basis.ANSWERED: "asked", Basis.SAID: "stated"}
    return asked.get(draft.viewpoint.basis, "default")


def _origin(claim: Claim[int] | None) -> str:
    if claim is None:
        return "none"
    return "default" if claim.basis is Basis.DEFAULT else "user"


def _times(draft: Draft) -> dict[str, Any]:
    hold, gap, behaviour = draft.duration, draft.debounce, draft.behaviour
    usual = None
    if hold is not None:
        compared = behaviour is not None and behaviour.kind is Kind.CONTINUOUS and draft.record is None
        usual = hold.value if _origin(hold) == "default" else behaviour.hold if behaviour and compared else None
    usual_gap = None
    if gap is not None:
        usual_gap = gap.value if _origin(gap) == "default" else LONG_GAP if draft.on_exit.value == "none" else 60
    return {
        "duration_seconds": None if hold is None else hold.value,
        "duration_origin": _origin(hold),
        "duration_recommended": usual,
        "exit_debounce_seconds": None if gap is None else gap.value,
        "debounce_origin": _origin(gap),
        "debounce_recommended": usual_gap,
    }


def _answers(
    draft: Draft, descs: Descs, enter: Command | None, leave: Command | None, saying: Saying
) -> dict[str, Any]:
    found: dict[str, Any] = {**dict.fromkeys(_DIRECTIONS), "on_exit_origin": _exit_origin(draft)}
    state = draft.mode is not None and draft.mode.value == "state"
    act, desc = ("on_enter_action", "on_enter_desc") if state else ("action", "action_desc")
    if enter is not None and enter.action is not None and not descs.told and not _judged(draft, saying):
        found[act] = dict(enter.action)
    elif enter is not None:
        phrase = _wish(saying, enter) if _chosen(draft, saying) else enter.phrase
        found[desc] = "；".join(filter(None, (_when(saying) + phrase, descs.enter)))
    else:
        found[desc] = descs.enter
    if found[act] is None and not found[desc]:
        raise Unwritable("answer")
    if state and draft.on_exit.value != "none":
        if leave is not None:
            found["on_exit_action"] = None if leave.action is None else dict(leave.action)
            found["on_exit_desc"] = leave.words
        else:
            found["on_exit_desc"] = descs.leave or reset(_reset_of(draft, enter, saying))
    found["on_target_desc"] = descs.target
    return found


def _judged(draft: Draft, saying: Saying) -> bool:
    """Whether somebody has to look first: what fits is to be chosen, or no hours could be read from the words."""
    return _chosen(draft, saying) or (saying.gate is not None and saying.gate.hours is None)


def _chosen(draft: Draft, saying: Saying) -> bool:
    """Whether what is done depends on what is so then (H-ACT-04)."""
    chosen = saying.response is not None and saying.response.chosen
    return chosen or (draft.action is not None and draft.action.evidence == "H-ACT-04")


def _wish(saying: Saying, enter: Command) -> str:
    """Return the words for somebody who chooses; music says already what to choose from."""
    if saying.response is None or "播放" in enter.phrase:
        return enter.phrase
    words = clean(_LEAD.sub("", saying.response.words).replace(" ", "，"))
    return words or enter.phrase


def _when(saying: Saying) -> str:
    return f"若正值{saying.gate.words}，" if saying.gate is not None and saying.gate.hours is None else ""


def _reset_of(draft: Draft, enter: Command | None, saying: Saying) -> str:
    noun = actions.noun_of(saying)
    if enter is not None and enter.phrase.startswith("在") and "播放" in enter.phrase:
        return "播放音乐"
    if enter is not None and noun is not None and enter.phrase.startswith(("打开", "拉开")):
        return f"开{noun}"
    return enter.phrase.removeprefix("把") if enter is not None else draft.text


def _exit_origin(draft: Draft) -> str:
    if draft.record is not None:
        return "record" if draft.on_exit.value != "none" else "none"
    if draft.on_exit.value == "none":
        return "user_none" if draft.on_exit.evidence == "H-EXIT-01" else "none"
    return "default" if draft.on_exit.evidence == "H-EXIT-03" else "user"


def _label(draft: Draft, enter: Command | None, saying: Saying) -> str:
    """Return what the rule does, for its name."""
    if enter is not None:
        noun = actions.noun_of(saying)
        if noun is not None and enter.phrase.startswith(("打开", "拉开", "关掉", "拉上")):
            return f"{'关' if draft.effect == 'off' else '开'}{noun}"
        return enter.phrase
    words = draft.text if saying.response is None else saying.response.words
    return next((name for verb, name in _VERBS if verb in words), "提醒")


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
