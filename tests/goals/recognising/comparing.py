"""An answer of the recogniser beside what a case wants of it: only what a case names is compared.

What holds of every card is checked as well: the four names, an element missing exactly when it is empty, only filled
elements confirmed, a workflow only where there is one, and no question with more than seven options.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

FOUR = ("goal", "deliverables", "acceptance_criteria", "constraints")
_OPTION = re.compile(
    r"(?:^|(?<=[\s？?：:，,；;]))[A-Z]\s*[)）.．、:：]\s*(.+?)(?=\s+[A-Z]\s*[)）.．、:：]|$)", re.DOTALL
)


def differences(want: dict[str, Any], got: dict[str, Any]) -> list[str]:
    """Return in what an answer is otherwise than wanted."""
    found = [key for key in ("outcome", "silent") if got[key] != want[key]]
    if len(want["cards"]) != len(got["cards"]):
        return [*found, "number of cards"]
    for one, card in zip(want["cards"], got["cards"], strict=True):
        found += [*_must_hold(card, one), *_other(one, card)]
    return [*found, *_markers(want, got["markers"])]


def _markers(want: dict[str, Any], markers: list[str]) -> list[str]:
    text = "\n".join(markers)
    found = [f"no marker {each}" for each in want.get("markers_contains") or [] if not all(map(_in(text), each))]
    found += [f"marker {each}" for each in want.get("markers_not_contains") or [] if _in(text)(each)]
    exact = want.get("markers")
    return found if exact is None or exact == markers else [*found, f"markers {markers}"]


def options_of(question: str) -> list[str]:
    """Return the options of a question that offers some."""
    found = [each.strip() for each in _OPTION.findall(question)]
    return found if len(found) > 1 else []


def _member(card: dict[str, Any], name: str) -> Any:
    return card[name] if name in card else card.get("task", {}).get(name)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "\n".join(map(str, value or []))


def _in(text: str) -> Callable[[str], bool]:
    plain = re.sub(r"\s+", "", text).lower()
    return lambda word: re.sub(r"\s+", "", str(word)).lower() in plain


def _must_hold(card: dict[str, Any], want: dict[str, Any]) -> list[str]:
    if card["type"] == "task_multi_select":
        indices = [each["index"] for each in card["tasks"]]
        good = indices == list(range(1, len(indices) + 1)) and 2 <= len(indices) <= 5
        return [] if good and all(each["summary"] for each in card.get("tasks", [])) else ["the list"]
    may_be_empty = {each for each in FOUR if [] in want.get(f"{each}_any", [])}
    empty = {each for each in FOUR if not _member(card, each)}
    workflow = _member(card, "workflow_id")
    rules = {
        "task_type": _member(card, "task_type") in {"dynamic", "workflow"},
        "a workflow of a dynamic task": _member(card, "task_type") == "workflow" or workflow is None,
        "a workflow among the resources": "workflow_id" not in _text(_member(card, "resources")),
        "confirming what is empty": not set(card["needs_confirmation"]) & empty,
        "confirming something else": set(card["needs_confirmation"]) <= set(FOUR),
        "the command in the goal": not _member(card, "goal").lstrip().startswith("/task"),
    }
    if card["type"] == "task_ready":
        rules["actions"] = card["actions"] == ["execute", "discard", "save"]
        rules["ready with something empty"] = empty <= may_be_empty
        rules["ready without a workflow"] = _member(card, "task_type") == "dynamic" or bool(workflow)
    else:
        rules["missing"] = set(card["missing_fields"]) - may_be_empty == empty - may_be_empty
        rules["questions"] = bool(card["questions"]) and all(each.strip() for each in card["questions"])
        offered = [found for each in card["questions"] if (found := options_of(each))]
        rules["choices"] = all(len(each) <= 7 and each[-1].startswith("其他") for each in offered)
    return [name for name, holds in rules.items() if not holds]


def _other(want: dict[str, Any], card: dict[str, Any]) -> list[str]:
    if want.get("_exact"):
        exact = {key: value for key, value in want.items() if key != "_exact"}
        return [] if exact == card else [f"card {card}"]
    return [f"{key} {value}" for key, value in want.items() if not _is_right(key, value, card)]


def _is_right(key: str, value: Any, card: dict[str, Any]) -> bool:
    rule = _RULES.get(key)
    if rule is not None:
        return rule(value, card)
    for ending, of_member in _ENDINGS.items():
        if key.endswith(ending):
            return of_member(value, _member(card, key.removesuffix(ending)))
    return bool((_member(card, key) or _NOTHING) == (value or _NOTHING))


_NOTHING = "nothing"


def _questions(card: dict[str, Any]) -> list[str]:
    return list(card.get("questions", []))


def _offered(card: dict[str, Any]) -> list[list[str]]:
    return [found for each in _questions(card) if (found := options_of(each))]


def _tasks(want: list[dict[str, Any]], card: dict[str, Any]) -> bool:
    given = card.get("tasks", [])
    return len(want) == len(given) and all(map(_is_task, want, given))


def _is_task(want: dict[str, Any], given: dict[str, Any]) -> bool:
    said = _in(given["summary"])
    choices = want.get("summary_any_contains", [[]])
    known = given["index"] == want["index"] and all(map(said, want.get("summary_contains", [])))
    return known and any(all(map(said, each)) for each in choices)


def _is_count(value: Any, card: dict[str, Any]) -> bool:
    least, most = (value, value) if isinstance(value, int) else value
    return bool(least <= len(_questions(card)) <= most)


def _in_either(value: list[str], card: dict[str, Any]) -> bool:
    return all(map(_in(_text(_member(card, "acceptance_criteria")) + _text(_member(card, "constraints"))), value))


_RULES: dict[str, Callable[[Any, dict[str, Any]], bool]] = {
    "missing_fields": lambda value, card: sorted(card.get("missing_fields", [])) == sorted(value),
    "needs_confirmation": lambda value, card: sorted(card.get("needs_confirmation", [])) == sorted(value),
    "questions_count": _is_count,
    "choice_for": lambda value, card: len(_offered(card)) >= len(value),
    "options_max": lambda value, card: all(len(each) <= value for each in _offered(card)),
    "last_option": lambda value, card: all(each[-1].startswith(value) for each in _offered(card)),
    "question_contains": lambda value, card: all(
        any(all(map(_in(each), words)) for each in _questions(card)) for words in value
    ),
    "question_not_contains": lambda value, card: not any(map(_in("\n".join(_questions(card))), value)),
    "tasks": _tasks,
    "tasks_count": lambda value, card: len(card.get("tasks", [])) == value,
    "tasks_summary_not_contains": lambda value, card: (
        not any(map(_in("\n".join(each["summary"] for each in card.get("tasks", []))), value))
    ),
    "prompt_contains": lambda value, card: all(map(_in(card.get("prompt", "")), value)),
    "text_contains": lambda value, card: all(map(_in(json.dumps(card, ensure_ascii=False)), value)),
    "text_not_contains": lambda value, card: not any(map(_in(json.dumps(card, ensure_ascii=False)), value)),
    "acceptance_criteria_or_constraints_contains": _in_either,
}
_ENDINGS: dict[str, Callable[[Any, Any], bool]] = {
    "_include": lambda value, given: set(value) <= set(given or []),
    "_exclude": lambda value, given: not set(value) & set(given or []),
    "_not_contains": lambda value, given: not any(map(_in(_text(given)), value)),
    "_contains": lambda value, given: all(map(_in(_text(given)), value)),
    "_nonempty": lambda value, given: bool(given) is bool(value),
    "_any": lambda value, given: given in value,
}
