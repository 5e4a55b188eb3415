"""Plans and homes from JSON (home_plan_checks §0). Pure.

Strict about the shape and about the closed sets that no check covers; what a check is about is taken as it comes, so
that it is reported by that check and not refused here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from zhixing.household.checks.model import (
    Action,
    AssemblyPlan,
    Context,
    Final,
    Objects,
    Person,
    Query,
    Question,
    Record,
    Rule,
    Schedule,
    Segments,
    Tip,
    Word,
)
from zhixing.household.fields import Fields
from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.kernel.moments import parse_instant

LONGEST_TEXT = 2_000
MOST = 100
"""Items of any list."""

KINDS = ("action", "audio", "animal", "presence", "object", "scene")
SUBJECT_SOURCES = ("person", "first_person", "implicit", "any", "abstract", "stranger", "object", "animal", "scene")
TRIGGER_CLASSES = ("safety", "instant", "continuous", "entry", "presence", "state", "object", "scene")
ORIGINS = ("user", "default", "none")
EXIT_ORIGINS = ("user", "user_none", "default", "record", "none")
VIEWPOINTS = ("stated", "default", "asked")
PURPOSES = ("remind", "terminate")
JOB_ORIGINS = ("user", "default", "system")
TARGET_ORIGINS = ("user", "placeholder")

_OURS = (
    "agreement", "cooldown_seconds", "quiet", "unknown_tolerance_seconds", "source_expiry_seconds", "limit",
)  # fmt: skip
"""Fields of a rule that are ours and that no check of the document is about."""


def read_assembly(value: object) -> AssemblyPlan:
    """Read a plan. Raises `BadInput` for a shape that cannot be a plan, or for a field that nobody knows."""
    said = Fields(value)
    task = Fields(said.raw("task") or {}, "task")
    read = AssemblyPlan(
        op=_text(said, "op"),
        reject=_maybe_text(said, "reject") or None,
        task_id=_text(task, "task_id"),
        description=_text(task, "description"),
        lifecycle=_text(task, "lifecycle"),
        expires_at=_maybe_text(task, "expires_at"),
        records=_records(said),
        rules=tuple(_rule(item, place) for place, item in said.items("rules", MOST)),
        schedules=tuple(_schedule(item, place) for place, item in said.items("schedules", MOST)),
        steps=_texts(said, "steps"),
        questions=tuple(_question(item, place) for place, item in said.items("questions", MOST)),
        tips=tuple(_tip(item, place) for place, item in said.items("tips", MOST)),
        final=_final(said),
    )
    task.close(("_origin",))
    said.ignore("tz", "notes")
    said.close(("_origin",))
    return read


def read_context(value: object) -> Context:
    """Read a home: `{now, tz, persons, cameras, devices, source_did?, tasks?}`."""
    said = Fields(value)
    cameras = [Fields(item, place) for place, item in said.items("cameras", 1_000)]
    devices = [Fields(item, place) for place, item in said.items("devices", 10_000)]
    tasks = [Fields(item, place) for place, item in said.items("tasks", 10_000)]
    persons = [Fields(item, place) for place, item in said.items("persons", 1_000)]
    return Context(
        now=parse_instant(said.text("now", 64)),
        zone=said.text("tz", 64),
        persons=tuple(Person(_text(one, "name"), _text(one, "role")) for one in persons),
        cameras=tuple(one.text("did", 128) for one in cameras if one.raw("in_use") is not False),
        devices={one.text("did", 128): _text(one, "kind") for one in devices},
        locked=(_text(said, "source_did"),) if isinstance(said.raw("source_did"), str) else _texts(said, "source_did"),
        tasks={_text(one, one.one_of("task_id", "id") or "task_id"): _text(one, "status") or "active" for one in tasks},
    )


def _rule(value: object, place: str) -> Rule:
    rule = Fields(value, place)
    duration, debounce = _number(rule, "duration_seconds"), _number(rule, "exit_debounce_seconds")
    read = Rule(
        name=_text(rule, "name"),
        mode=_text(rule, "mode"),
        query=_query(rule),
        trigger_class=rule.choice("trigger_class", TRIGGER_CLASSES),
        source=_source(rule),
        viewpoint=rule.choice("viewpoint", VIEWPOINTS) if rule.has("viewpoint") else None,
        activates=_flag(rule, "activates"),
        closes=_flag(rule, "closes"),
        duration=duration,
        duration_origin=_origin(rule, "duration_origin", duration),
        duration_recommended=_number(rule, "duration_recommended"),
        debounce=debounce,
        debounce_origin=_origin(rule, "debounce_origin", debounce),
        debounce_recommended=_number(rule, "debounce_recommended"),
        action=_action(rule, "action"),
        action_desc=_maybe_text(rule, "action_desc"),
        enter_action=_action(rule, "on_enter_action"),
        enter_desc=_maybe_text(rule, "on_enter_desc"),
        exit_action=_action(rule, "on_exit_action"),
        exit_desc=_maybe_text(rule, "on_exit_desc"),
        exit_origin=_choice(rule, "on_exit_origin", EXIT_ORIGINS, "none"),
        target_desc=_maybe_text(rule, "on_target_desc"),
        repeats_on_exit=_flag(rule, "repeat_on_exit"),
        channel=_maybe_text(rule, "channel"),
    )
    rule.ignore(*_OURS)
    rule.close(("_origin", "_recommended"))
    return read


def _query(rule: Fields) -> Query:
    query = Fields(rule.needed("query"), rule.at("query"))
    read = Query(
        text=_text(query, "text"),
        kind=query.choice("kind", KINDS),
        subject=_text(query, "subject"),
        subject_source=query.choice("subject_source", SUBJECT_SOURCES),
        segments=_segments(query),
        words=tuple(_word(item, place) for place, item in query.items("words", MOST)),
    )
    query.close(("_origin",))
    return read


def _segments(query: Fields) -> Segments:
    if not query.has("segments"):
        return Segments()
    parts = Fields(query.raw("segments"), query.at("segments"))
    posture = parts.raw("posture")
    read = Segments(
        posture=((posture,) if posture else ()) if isinstance(posture, str) else _texts(parts, "posture"),
        objects=tuple(_objects(item, place) for place, item in parts.items("objects", MOST)),
        counters=_texts(parts, "counters"),
    )
    parts.close()
    return read


def _objects(value: object, place: str) -> Objects:
    objects = Fields(value, place)
    read = Objects(items=_texts(objects, "items"), category=_text(objects, "category"))
    objects.close()
    return read


def _word(value: object, place: str) -> Word:
    word = Fields(value, place)
    read = Word(_text(word, "w"), _text(word, "origin"))
    word.close()
    return read


def _action(rule: Fields, name: str) -> Action | None:
    value = rule.raw(name)
    if value is None:
        return None
    if not isinstance(value, Mapping):
        return Action()
    action = Fields(value, rule.at(name))
    fields = frozenset(str(key) for key in value)
    return Action(did=_text(action, "did"), iid=_text(action, "iid"), value=value.get("value"), fields=fields)


def _source(rule: Fields) -> tuple[str, ...] | None:
    value = rule.raw("source")
    if value is None:
        return None
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) and one.strip() for one in value):
        return ()
    return _texts(rule, "source")


def _schedule(value: object, place: str) -> Schedule:
    job = Fields(value, place)
    read = Schedule(
        name=_text(job, "name"),
        kind=_text(job, "kind"),
        message=_text(job, "message"),
        expr=_maybe_text(job, "expr"),
        tz=_maybe_text(job, "tz"),
        at=_maybe_text(job, "at"),
        every_ms=_number(job, "every_ms"),
        purpose=_choice(job, "purpose", PURPOSES, "remind"),
        origin=job.choice("origin", JOB_ORIGINS),
        scene=_maybe_text(job, "scene") or None,
        days_from_user=_flag(job, "dow_from_user"),
        linked=_flag(job, "linked"),
    )
    job.close(("_origin",))
    return read


def _records(said: Fields) -> tuple[Record, ...]:
    value = said.raw("record")
    if value is None:
        return ()
    if isinstance(value, list | tuple):
        return tuple(_record(item, place) for place, item in said.items("record", MOST))
    return (_record(value, "record"),)


def _record(value: object, place: str) -> Record:
    record = Fields(value, place)
    content = Fields(record.raw("content") if record.raw("content") is not None else {}, f"{place}.content")
    read = Record(
        kind=_text(record, "kind"),
        task_type=_text(record, "task_type"),
        content=dict(record.raw("content") or {}),
        target_origin=_choice(record, "target_origin", TARGET_ORIGINS, "user"),
    )
    content.ignore(*read.content)
    record.close(("_origin",))
    return read


def _question(value: object, place: str) -> Question:
    question = Fields(value, place)
    read = Question(_text(question, "kind"), _text(question, "text"), _texts(question, "options"))
    question.close()
    return read


def _tip(value: object, place: str) -> Tip:
    tip = Fields(value, place)
    read = Tip(_text(tip, "kind"), _text(tip, "value"), _text(tip, "reason"), _text(tip, "how"))
    tip.close()
    return read


def _final(said: Fields) -> Final | None:
    if not said.has("final"):
        return None
    final = Fields(said.raw("final"), "final")
    task, trigger, response, lifecycle = (_text(final, part) for part in ("task", "trigger", "response", "lifecycle"))
    read = Final(task=task, trigger=trigger, response=response, lifecycle=lifecycle, tips=_texts(final, "tips"))
    final.close()
    return read


def _maybe_text(said: Fields, name: str) -> str | None:
    """Return a text as it came; null stays null, what is no text becomes the empty one."""
    value = said.raw(name)
    if value is None:
        return None
    if not isinstance(value, str):
        return ""
    if len(value) > LONGEST_TEXT:
        raise TooLarge("plan_text_long", name=said.at(name), limit=LONGEST_TEXT)
    return value


def _text(said: Fields, name: str) -> str:
    return _maybe_text(said, name) or ""


def _texts(said: Fields, name: str) -> tuple[str, ...]:
    found = []
    for place, item in said.items(name, MOST):
        if not isinstance(item, str) or len(item) > LONGEST_TEXT:
            raise BadInput("field_missing", name=place)
        found.append(item)
    return tuple(found)


def _number(said: Fields, name: str) -> int | None:
    """Return a whole number; null stays null, what is no whole number becomes 0."""
    value: Any = said.raw(name)
    return value if value is None or type(value) is int else 0


def _flag(said: Fields, name: str) -> bool:
    return said.has(name) and said.truth(name)


def _choice(said: Fields, name: str, choices: Collection[str], default: str) -> str:
    return said.choice(name, choices) if said.has(name) else default


def _origin(said: Fields, name: str, value: int | None) -> str:
    """Return where a number came from; a number must say it."""
    return _choice(said, name, ORIGINS, "none") if value is None else said.choice(name, ORIGINS)
