"""What is still open, as questions: one short sentence each, with its options, in the user's own words (H-OUT-03)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zhixing.household.assembling.assembler import Assembly
from zhixing.household.assembling.draft import Draft
from zhixing.household.assembling.place import matching
from zhixing.household.assembling.who import Mention, called, hits, mentions
from zhixing.household.checks.model import Question
from zhixing.household.composing.model import Open, Site
from zhixing.household.composing.naming import clean_words
from zhixing.household.composing.saying import happening
from zhixing.kernel.questions import MAX_OPTIONS
from zhixing.kernel.wording import wording

_LONGEST_QUOTE = 24
_LETTERS = "ABCDEFG"
_DOOR, _GATE, _FENCE = "door", "gate", "fence"
_OPTIONS: Mapping[str, int] = {
    "channel": 3, "trigger_frequency": 2, "viewpoint": 2, "camera": 2, "camera_name": 2, "paused": 2,
    "name_conflict": 2, "window": 2,
}  # fmt: skip
"""Kinds whose options are always the same, and how many (H-CHAN-05, H-EVF-05, H-VIEW-08, H-SRC-02, H-SRC-06)."""


def ask(assembly: Assembly, site: Site) -> Open:
    """Return the questions of `assembly` that are open, and the one sentence that asks them all (A-57)."""
    questions = tuple(_question(kind, assembly, site) for kind in assembly.questions)
    return Open(questions, _prompt(questions))


def _prompt(questions: tuple[Question, ...]) -> str:
    if len(questions) == 1:
        return _listed(questions[0])
    parts = [_say("numbered", number=number, text=_listed(one)) for number, one in enumerate(questions, 1)]
    return _say("several", count=len(questions), parts="".join(parts).rstrip())


def _listed(question: Question) -> str:
    if not question.options:
        return question.text
    options = " / ".join(f"{letter} {one}" for letter, one in zip(_LETTERS, question.options, strict=False))
    return _say("listed", text=question.text, options=options)


def _say(key: str, **values: object) -> str:
    return wording(f"composing.ask_{key}", "zh", **values)


def _question(kind: str, assembly: Assembly, site: Site) -> Question:
    draft = next((one for one in assembly.drafts if kind in one.questions), None)
    draft = draft or (assembly.drafts[0] if assembly.drafts else Draft(""))
    if kind == "duplicate":
        return _duplicate(assembly)
    if kind == "person":
        return _person(draft, site)
    if kind == "device":
        return _device(draft, site)
    options = tuple(_say(f"{kind}_{letter}") for letter in _LETTERS[: _OPTIONS.get(kind, 0)].lower())
    known = kind in _OPTIONS or kind in ("expiry", "time")
    values = _VALUES.get(kind, _words)(draft, assembly, site)
    return Question(kind, _say(kind if known else "other", **values), options)


def _duplicate(assembly: Assembly) -> Question:
    """Ask what becomes of the task there is: it does the same (B), or answers the same trigger otherwise (C)."""
    clash = assembly.clash
    changes = "changed" if clash is not None and clash.changes else "same"
    old = "" if clash is None else _short(clash.task.description or clash.task.id)
    options = tuple(_say(f"duplicate_{changes}_{letter}") for letter in "abc")
    return Question("duplicate", _say(f"duplicate_{changes}", old=old), options)


def _person(draft: Draft, site: Site) -> Question:
    """Ask who is meant: nobody of that name is known, or several may be (H-SUBJ-10, -14, -15).

    Those who may be meant are options themselves, the last one is anybody at all.
    """
    found, _ = mentions(draft.text, site.home)
    unclear = [one for one in found if _unclear(one, site)]
    mention = unclear[0] if unclear else Mention("first", (), _say("me"))
    people = tuple(dict.fromkeys(called(one, site.home) for one in hits(mention, site.home)))
    anyone = _say("person_anyone")
    who = mention.words
    if people:
        key = "person_self" if mention.how == "first" else "person_which"
        return Question("person", _say(key, who=who), (*people[: MAX_OPTIONS - 1], anyone))
    return Question("person", _say("person_unknown", who=who), (_say("person_register", who=who), anyone))


def _unclear(mention: Mention, site: Site) -> bool:
    if mention.how in ("anyone", "members", "stranger", "animals", "cars"):
        return False
    return len(hits(mention, site.home)) != 1


def _device(draft: Draft, site: Site) -> Question:
    """Ask which device; only devices that can be switched or heard are offered (A-49)."""
    able = [one.name or one.room for one in site.home.devices if _usable(one.did, site)]
    return Question("device", _say("device", words=_short(draft.text)), tuple(dict.fromkeys(able))[: MAX_OPTIONS - 1])


def _usable(did: str, site: Site) -> bool:
    spec = site.specs.get(did)
    return spec is not None and (any(one.writable for one in spec.properties) or bool(spec.actions))


def _words(draft: Draft, _assembly: Assembly, _site: Site) -> dict[str, str]:
    return {"words": _short(happening(draft.text))}


def _sentence(draft: Draft, _assembly: Assembly, _site: Site) -> dict[str, str]:
    return {"words": _short(draft.text)}


def _room(draft: Draft, _assembly: Assembly, _site: Site) -> dict[str, str]:
    return {"room": draft.rooms[0] if draft.rooms else _say("home")}


def _view(draft: Draft, _assembly: Assembly, site: Site) -> dict[str, str]:
    """Name the camera, and the very place where somebody comes into view or leaves it (H-VIEW-08)."""
    marks = draft.behaviour.marks if draft.behaviour is not None else frozenset()
    room = draft.rooms[0] if draft.rooms else ""
    place = _say(f"place_{_FENCE if 'boundary' in marks else _GATE if 'car' in marks else _DOOR}")
    if marks & {"enters", "exits"}:
        place = _say("place_room_door", room=room or _say("home"))
    seen = bool(room) and bool(matching(room, site.home.eyes))
    return {"camera": room if seen else _say("home"), "place": place}


def _old(draft: Draft, assembly: Assembly, _site: Site) -> dict[str, str]:
    clash = assembly.clash
    return {"old": _short(draft.text if clash is None else clash.task.description or clash.task.id)}


_VALUES: Mapping[str, Callable[[Draft, Assembly, Site], dict[str, str]]] = {
    "channel": _sentence,
    "viewpoint": _view,
    "camera_name": _room,
    "paused": _old,
    "name_conflict": _old,
    "time": _sentence,
    "expiry": _sentence,
    "window": _sentence,
    "camera": _sentence,
}
"""What fills in the text of a question; every other one quotes what starts the task."""


def _short(words: str) -> str:
    """Return the user's words as they are quoted."""
    line = clean_words(words)
    return line if len(line) <= _LONGEST_QUOTE else f"{line[: _LONGEST_QUOTE - 1]}…"
