"""`[RESUME_TASK]`: a stored summary or a saved draft that the platform gives back (taskloop §1.5, resume payloads)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from zhixing.goals.recognising.cards import read_card, read_task
from zhixing.goals.recognising.describing import described, filled, with_resources
from zhixing.goals.recognising.inferring import inferred_value
from zhixing.goals.recognising.labels import split_items
from zhixing.goals.recognising.model import LONGEST_ID, LONGEST_TEXT, Clarify, Draft, Element, Ready
from zhixing.goals.recognising.texts import RESUME, cut, item, line, links, numbered, plain
from zhixing.goals.recognising.words import labels

_KEY = re.compile(r"^\s*(?:[-*]\s+)?([A-Za-z_一-龥]{2,20})\s*[:：]\s*(.*)$")
_SOURCE = re.compile(r"(?:^|\s)source\s*[:：].*$", re.IGNORECASE | re.DOTALL)
_OTHERS = {"task_type", "workflow_id", "needs_confirmation", "source"}
_MOST_LINES = 200


def resumes(text: str) -> bool:
    """Whether the platform gives a task back."""
    return RESUME in text


def resumed(text: str) -> Draft:
    """Return the task that is given back by the newest `[RESUME_TASK]` of a text, as far as it says one."""
    given = text.rpartition(RESUME)[2][:LONGEST_TEXT]
    if found := _written(given):
        return _told_again(found)
    rows = _rows(given)
    if any(key in labels() and labels()[key] != "aside" for key in rows):
        return _drafted(rows)
    summary = plain(_SOURCE.sub("", given))
    return _one(summary)


def _one(summary: str) -> Draft:
    """Return the draft of a summary. It is one task, whatever it looks like."""
    found = described(summary)
    if len(found.sketches) == 1 and (found.certain or found.labelled):
        return found.sketches[0].draft
    urls, bare = links(summary)
    draft = found.sketches[0].draft
    return (draft.said(Element.GOAL, [item(bare)]) if draft.goal else draft).linked(urls)


def _written(given: str) -> Draft | None:
    """Return the draft where it is given as a card or as JSON."""
    card = read_card(given)
    if isinstance(card, Clarify | Ready):
        return card.draft
    try:
        body = msgspec.json.decode(given.strip())
    except (msgspec.DecodeError, RecursionError):
        return None
    if not isinstance(body, dict):
        return None
    task = body.get("task") if isinstance(body.get("task"), dict) else body
    return read_task(task) if isinstance(task, Mapping) else None


def _rows(given: str) -> dict[str, list[str]]:
    """Return the values by their key; lines without a key belong to the key above them."""
    rows: dict[str, list[str]] = {}
    key = ""
    for each in given.split("\n")[:_MOST_LINES]:
        found = _KEY.match(each)
        name = found[1].lower() if found else ""
        if found and (name in labels() or name in _OTHERS):
            key = name
            rows.setdefault(key, []).extend([found[2]] if found[2].strip() else [])
        elif key and each.strip():
            rows[key].append(each)
    return rows


def _drafted(rows: Mapping[str, list[str]]) -> Draft:
    draft = Draft()
    for key, values in rows.items():
        name = labels().get(key, "aside")
        if name == "resources":
            draft = with_resources(draft, map(line, _items(values)))
        elif name != "aside":
            element = Element(name)
            items = map(item, _items(values)) if element is not Element.GOAL else [item(" ".join(values))]
            draft = filled(draft, element, items)
    said = item(" ".join(rows.get("workflow_id", [])))[:LONGEST_ID]
    if said or item(" ".join(rows.get("task_type", []))) == "workflow":
        draft = replace(draft, workflow_id=said or draft.workflow_id or "")
    if "needs_confirmation" in rows:
        named = {each.strip(" \"'") for each in _items(rows["needs_confirmation"])}
        return replace(draft, inferred=frozenset(e for e in Element if e.value in named and draft.values(e)))
    return _told_again(draft)


def _told_again(draft: Draft) -> Draft:
    """Return a saved draft with its inferred values marked again (example 4b).

    A saved draft does not say what was confirmed: a value that is to the letter the one that would be inferred is
    taken as inferred.
    """
    if draft.inferred:
        return draft
    same = [e for e in Element if (value := inferred_value(draft.goal, e)) and draft.values(e) == (value,)]
    return replace(draft, inferred=frozenset(same))


def _items(values: Iterable[str]) -> list[str]:
    found: list[str] = []
    for value in values:
        text = value.strip()
        try:
            listed: Any = msgspec.json.decode(text) if text.startswith("[") else None
        except (msgspec.DecodeError, RecursionError):
            listed = None
        if isinstance(listed, list):
            found.extend(each for each in listed if isinstance(each, str))
        elif rows := numbered(text):
            found.extend(rows)
        else:
            found.extend(_split(text))
    return found


def _split(text: str) -> list[str]:
    """Return the items of one line; `workflow_id: x` stays whole."""
    found, rest = links(text)
    if "workflow_id" in rest:
        return [*found, rest.strip(" ,，-*•")]
    return [*found, *(each for piece in cut(rest.strip("[]"), "；;") for each in split_items(piece))]
