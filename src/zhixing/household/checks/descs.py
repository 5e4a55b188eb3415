"""Chapter 3: the words of an answer (desc): what is told, through which channel, and what is written to a record."""

from __future__ import annotations

import re
from collections.abc import Iterator

from zhixing.household.checks.findings import Check, of_rules
from zhixing.household.checks.lexicon import has, pattern, says, table, word, words
from zhixing.household.checks.model import Action, Case, Level, Rule


def clauses(desc: str) -> list[str]:
    """Return what stands between the semicolons, without blanks around it."""
    return [clause.strip() for clause in re.split(r"[；;]", desc)]


def channel_words(desc: str) -> list[str]:
    """Return the channels that a desc names, as they are written and without blanks."""
    return ["".join(found["channel"].split()) for found in pattern("desc.notice_pattern").finditer(desc)]


def is_notice(desc: str) -> bool:
    """Whether something is told."""
    return bool(channel_words(desc))


def answers(rule: Rule) -> tuple[tuple[Action | None, str | None], ...]:
    """Return the directions that write to a record: an event's answer, or entering and leaving."""
    if rule.mode == "event":
        return ((rule.action, rule.action_desc),)
    return ((rule.enter_action, rule.enter_desc), (rule.exit_action, rule.exit_desc))


def _any(rule: Rule, place: str) -> bool:
    return any(says(place, desc) for desc in rule.descs)


def _not_told(case: Case, rule: Rule) -> bool:
    """Whether nothing is told; a target of time has its own places for that (V-057, V-061)."""
    if rule.channel is None or not rule.descs or case.plan.target_minutes is not None:
        return False
    return not any(is_notice(desc) for desc in rule.descs)


def _channel_unknown(rule: Rule) -> bool:
    known = table("channels")
    named = [name for desc in rule.descs for name in channel_words(desc)]
    return (rule.channel is not None and rule.channel not in known) or any(
        name.upper() not in known.values() for name in named
    )


def _channel_differs(rule: Rule) -> bool:
    """Another known channel than the one that was chosen; two that were both asked for are two clauses (A-72)."""
    known = table("channels")
    chosen = known.get(rule.channel) if rule.channel is not None else None
    named = {name.upper() for desc in rule.descs for name in channel_words(desc)} & set(known.values())
    return chosen is not None and bool(named) and chosen not in named


def _told_late(desc: str) -> bool:
    """Whether a clause tells something but does not begin with it; a condition in front of it is allowed."""
    return any(
        is_notice(clause)
        and pattern("desc.notice_pattern").match(clause) is None
        and not clause.startswith(words("desc.conditional_openings"))
        for clause in clauses(desc)
    )


def _first(desc: str) -> str:
    return clauses(desc)[0].rstrip("。.")


def _written(case: Case, kind: str, desc: str | None) -> Iterator[str]:
    """Yield a desc that has to write to a record of that kind."""
    if case.plan.kind == kind and desc is not None and desc.strip():
        yield desc


def _counts_wrongly(case: Case, rule: Rule) -> bool:
    descs = _written(case, "progress", rule.action_desc if rule.mode == "event" else rule.enter_desc)
    return any(pattern("desc.count_pattern").fullmatch(_first(desc)) is None for desc in descs)


def _event_words(case: Case, rule: Rule) -> Iterator[tuple[str, str]]:
    """Yield how the first clause begins, and what comes behind the colon."""
    for desc in _written(case, "event", rule.action_desc if rule.mode == "event" else rule.enter_desc):
        opening, _, behind = re.sub("：", ":", _first(desc), count=1).partition(":")
        yield opening.strip(), behind.strip()


def _appends_wrongly(case: Case, rule: Rule) -> bool:
    return any(opening != word("desc.count_opening") for opening, _ in _event_words(case, rule))


def _appends_nothing(case: Case, rule: Rule) -> bool:
    return any(opening == word("desc.count_opening") and not behind for opening, behind in _event_words(case, rule))


def _starts_wrongly(case: Case, rule: Rule) -> bool:
    return any(_first(desc) not in words("desc.start_phrases") for desc in _written(case, "duration", rule.enter_desc))


def _ends_wrongly(case: Case, rule: Rule) -> bool:
    return any(_first(desc) not in words("desc.end_phrases") for desc in _written(case, "duration", rule.exit_desc))


def _says_more(case: Case, desc: str | None) -> bool:
    return any(len(clauses(said)) > 1 for said in _written(case, "duration", desc))


def _target_not_told(rule: Rule) -> bool:
    desc = rule.target_desc
    return bool(desc and desc.strip()) and pattern("desc.notice_pattern").match(str(desc).strip()) is None


def _told_each_time(case: Case, rule: Rule) -> bool:
    """Whether a count tells something without looking at its target."""
    notices = [clause for desc in rule.descs for clause in clauses(desc) if is_notice(clause)]
    return case.plan.kind == "progress" and rule.channel is not None and not all(_of_goal(one) for one in notices)


def _of_goal(clause: str) -> bool:
    return has("desc.goal", clause)


def _blank(rule: Rule) -> bool:
    return any(desc is not None and not desc.strip() for desc in (rule.action_desc, rule.enter_desc, rule.target_desc))


CHECKS: tuple[Check, ...] = (
    of_rules("V-040", "H-DESC-01", lambda _, rule: _any(rule, "desc.commands_patterns")),
    of_rules("V-041", "H-DESC-02", lambda _, rule: any(has("desc.seen", desc) for desc in rule.descs)),
    of_rules("V-042", "H-DESC-05", lambda _, rule: _any(rule, "condition.placeholder_patterns")),
    of_rules("V-043", "H-DESC-03", _not_told),
    of_rules("V-044", "H-DESC-04", lambda _, rule: _channel_unknown(rule)),
    of_rules("V-045", "H-CHAN-06", lambda _, rule: _channel_differs(rule)),
    of_rules("V-046", "H-DESC-10", lambda _, rule: any(not all(clauses(desc)) for desc in rule.descs)),
    of_rules("V-047", "H-FLAG-04", lambda _, rule: _blank(rule)),
    of_rules(
        "V-048",
        "H-DESC-03、H-GOAL-01",
        lambda case, rule: not case.plan.records and any(_told_late(desc) for desc in rule.descs),
    ),
    of_rules("V-050", "H-DESC-06", _counts_wrongly),
    of_rules("V-051", "H-DESC-07", _appends_wrongly),
    of_rules("V-052", "H-DESC-07", _appends_nothing),
    of_rules("V-053", "H-DESC-08", _starts_wrongly),
    of_rules("V-054", "H-DESC-09", _ends_wrongly),
    of_rules("V-055", "H-GOAL-05", lambda case, rule: _says_more(case, rule.enter_desc)),
    of_rules(
        "V-056",
        "H-GOAL-06",
        lambda case, rule: not rule.repeats_on_exit and _says_more(case, rule.exit_desc),
    ),
    of_rules("V-057", "H-GOAL-07", lambda _, rule: _target_not_told(rule)),
    of_rules("V-058", "H-GOAL-07", lambda _, rule: has("desc.record_words", rule.target_desc or "")),
    of_rules(
        "V-059",
        "H-GOAL-08",
        lambda case, rule: rule.target_desc is not None and case.plan.target_minutes is None,
    ),
    of_rules("V-060", "H-GOAL-03、H-ACT-07", _told_each_time),
    of_rules(
        "V-061",
        "H-GOAL-02、H-ACT-07",
        lambda case, rule: (
            case.plan.target_minutes is not None and rule.channel is not None and rule.target_desc is None
        ),
    ),
    of_rules(
        "V-062",
        "H-GOAL-02",
        lambda _, rule: says("desc.fixed_length_pattern", rule.target_desc or ""),
        Level.WARNING,
    ),
)
