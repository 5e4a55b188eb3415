"""Chapter 2: the skeleton of a rule: name, mode, which answers it may have, and its device commands."""

from __future__ import annotations

from zhixing.household.checks.descs import answers, is_notice
from zhixing.household.checks.findings import Check, of_rules
from zhixing.household.checks.lexicon import word, words
from zhixing.household.checks.model import Action, Case, Rule


def _event(rule: Rule) -> bool:
    return rule.mode == "event"


def _state(rule: Rule) -> bool:
    return rule.mode == "state"


def _unnamed(case: Case, rule: Rule) -> bool:
    prefix = case.plan.prefix
    return rule.name.startswith(prefix) and not rule.name[len(prefix) :].strip()


def _without_prefix(case: Case, rule: Rule) -> bool:
    return not rule.name.startswith(case.plan.prefix)


def _both(rule: Rule) -> bool:
    """Whether one direction has a device command and words."""
    pairs = (
        (rule.action, rule.action_desc),
        (rule.enter_action, rule.enter_desc),
        (rule.exit_action, rule.exit_desc),
    )
    return any(action is not None and bool(desc and desc.strip()) for action, desc in pairs)


def _exit_blank(rule: Rule) -> bool:
    blank = rule.exit_desc is not None and not rule.exit_desc.strip()
    return blank or (rule.exit_action is not None and not rule.exit_action.fields)


def _arrives_as_event(rule: Rule) -> bool:
    """Whether an arrival is told as an event; one that switches something on is decided by that (A-15)."""
    return _event(rule) and rule.trigger_class == "entry" and any(is_notice(desc) for desc in rule.descs)


def _exits_needlessly(case: Case, rule: Rule) -> bool:
    """Whether a greeting, which is over when it was said, has an answer to leaving that the user did not wish for.

    What is switched on beside it has to be put back (V-035).
    """
    told = rule.enter_desc is not None and is_notice(rule.enter_desc) and not rule.activates
    return _state(rule) and told and rule.leaves and rule.exit_origin != "user" and not case.plan.records


def _stays_on(rule: Rule) -> bool:
    return _state(rule) and rule.activates and not rule.leaves and rule.exit_origin != "user_none"


def _incomplete(action: Action) -> bool:
    """Commands with arguments name them instead of a value; a minimum distance may be said beside."""
    needed = set(words("devices.needed"))
    instead = word("devices.instead_of_value")
    if instead in action.fields:
        needed = (needed - {"value"}) | {instead}
    return not needed <= action.fields or not action.fields <= needed | set(words("devices.besides"))


def _unknown(case: Case, action: Action) -> bool:
    return "did" in action.fields and action.did not in case.context.devices


def _speaks(case: Case, action: Action) -> bool:
    """Whether a command says something to people: what is told is words, not a fixed command (A-48)."""
    name = action.iid.rpartition(".")[2].lower()
    if name in words("devices.speech"):
        return True
    speaker = case.context.devices.get(action.did) in words("devices.speakers")
    return speaker and isinstance(action.value, str) and any("\u4e00" <= sign <= "\u9fff" for sign in action.value)


def _writes_by_command(case: Case, rule: Rule) -> bool:
    """Whether a direction that has to write the record is a device command; what is left is no concern of a count."""
    if not case.plan.records:
        return False
    return any(action is not None for action, _ in answers(rule))


CHECKS: tuple[Check, ...] = (
    of_rules("V-020", "H-MAP-02", _without_prefix),
    of_rules("V-021", "H-FLAG-01", _unnamed),
    of_rules("V-022", "H-FLAG-02", lambda _, rule: not (_event(rule) or _state(rule))),
    of_rules(
        "V-023",
        "H-FLAG-04",
        lambda _, rule: _event(rule) and rule.action is None and rule.action_desc is None,
    ),
    of_rules(
        "V-024",
        "H-FLAG-04",
        lambda _, rule: _event(rule) and (rule.enters or rule.exit_action is not None or rule.exit_desc is not None),
    ),
    of_rules("V-025", "H-FLAG-05", lambda _, rule: _state(rule) and not rule.enters),
    of_rules(
        "V-026",
        "H-FLAG-05",
        lambda _, rule: _state(rule) and (rule.action is not None or rule.action_desc is not None),
    ),
    of_rules("V-027", "H-FLAG-04~06", lambda _, rule: _both(rule)),
    of_rules("V-028", "H-FLAG-07", lambda _, rule: rule.target_desc is not None and not _state(rule)),
    of_rules("V-029", "H-EXIT-04", lambda _, rule: _exit_blank(rule)),
    of_rules("V-030", "H-MODE-01", lambda case, rule: case.plan.kind == "duration" and _event(rule)),
    of_rules("V-031", "H-MODE-02", lambda _, rule: rule.trigger_class == "safety" and _state(rule)),
    of_rules(
        "V-032",
        "H-MODE-11",
        lambda _, rule: _state(rule) and rule.closes and not rule.activates and not rule.leaves,
    ),
    of_rules("V-033", "H-MODE-06", lambda _, rule: _arrives_as_event(rule)),
    of_rules("V-034", "H-EXIT-02", _exits_needlessly),
    of_rules("V-035", "H-EXIT-03", lambda _, rule: _stays_on(rule)),
    of_rules(
        "V-036",
        "H-FLAG-09",
        lambda _, rule: any(_incomplete(one) for one in rule.actions if one is not rule.exit_action or one.fields),
    ),
    of_rules("V-037", "H-DEV-01/02", lambda case, rule: any(_unknown(case, one) for one in rule.actions)),
    of_rules("V-038", "H-ACT-06", lambda case, rule: any(_speaks(case, one) for one in rule.actions)),
    of_rules("V-039", "H-ACT-02", _writes_by_command),
)
