"""Wishes about whom it is about, and whether it is enough that somebody is in the picture. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from zhixing.household.assembling.request import Home
from zhixing.household.assembling.who import called, mentions, subject_of
from zhixing.household.assembling.words import rooms
from zhixing.household.composing.dictionary import ROOM, Entry, entries
from zhixing.household.updating import rewording
from zhixing.household.updating.clauses import fits
from zhixing.household.updating.model import Clause, Read, Standing, StandingRule, Step, Unclear
from zhixing.kernel.wording import wording

USER, ANYONE, MEMBERS, STRANGER = "用户", "任何人", "已注册成员", "陌生人"
SOMEBODY = "有人"
_SAID = {ANYONE: SOMEBODY, MEMBERS: "家人"}
_SPECIAL = (USER, ANYONE, MEMBERS, STRANGER)
_ABOUT = re.compile(r"主语|对象|主体|谁|的人$|人物")
_LOOKS = re.compile(r"只?(?:看|盯|管|算)|只|都|◇|自己|本人")
_PRESENT = re.compile(
    r"(?:只要)?(?:人)?(?:出现|在画面[里中]|看到人?|露面|入镜|在镜头[里前])(?:了)?(?:就|也|都)?(?:算|行|触发)?|看不[到见](?:进门|进出|动作|门口)?"
)
_NO_FAMILY = "不含家庭成员"
_FEWEST = 2
"""Counter-examples that a condition needs (H-SEG-07)."""
_CARS = ("汽车", "车辆", "车子", "车")


def subject(clause: Clause, standing: Standing, home: Home) -> Read:
    """Read whom it is about: 只看妈妈, 任何人都算."""
    found, rest = mentions(clause.to, home)
    about = _ABOUT.search(clause.what) is not None
    if not found and USER in clause.to:
        claimed, rest = USER, clause.to.replace(USER, "")
    elif not found:
        return Unclear("update_person_unknown", {"known": _known(home)}) if about and clause.to else None
    elif any(one.how in ("animals", "cars") for one in found):
        return None
    else:
        claim = subject_of(found, home)
        if claim is None or claim.value == "ask":
            return Unclear("update_person_unknown", {"known": _known(home)})
        if isinstance(claim.value, tuple):
            return Unclear("update_person_one", {"task": standing.description})
        claimed = claim.value
    if not fits(_LOOKS.sub("", rest), standing):
        return None
    return _about(clause, standing, home, claimed)


def _about(clause: Clause, standing: Standing, home: Home, new: str) -> Read:
    known = {one.id: _subject(one, home) for one in standing.rules}
    named = [one for one in standing.rules if (who := known[one.id]) and who not in _SPECIAL and who in clause.what]
    rules = [one for one in (named or standing.rules) if known[one.id]]
    if not rules:
        return Unclear("update_no_subject", {"task": standing.description})
    olds = {who for one in rules if (who := known[one.id])}
    others = {who for one in standing.rules if one not in rules and (who := known[one.id])}
    if len(olds) > 1 or new in others:
        return Unclear("update_person_one", {"task": standing.description})
    (old,) = olds
    if old == STRANGER != new and any(one.plan.trigger.query.count("不含") == _FEWEST for one in rules):
        return Unclear("update_no_subject", {"task": standing.description})  # nothing would be left that it is not
    chosen = frozenset(one.id for one in rules)
    after = standing if old == new else _renamed(standing, chosen, old, new)
    plans = {
        one.id: replace(one.plan, trigger=replace(one.plan.trigger, query=_put(one.plan.trigger.query, old, new)))
        for one in after.rules
        if one.id in chosen
    }
    return Step(after.with_rules(plans), "subject", *(_shown(name) for name in (old, new)))


def _shown(name: str) -> str:
    return wording("updating.members") if name == MEMBERS else name


def _subject(rule: StandingRule, home: Home) -> str | None:
    """Return whom a condition is about: what it begins with, where that is one of those it can be."""
    people = [called(person, home) for person in home.persons]
    people += [word for person in home.persons for word in (person.role, person.name)]
    names = sorted({*people, *_SPECIAL} - {""}, key=len, reverse=True)
    return next((name for name in names if rule.plan.trigger.query.startswith(name)), None)


def _put(query: str, old: str, new: str) -> str:
    """Put another subject in front; a stranger is never one of the family (H-SUBJ-06)."""
    if old == new:
        return query
    body = query[len(old) :]
    if old == STRANGER:
        body = re.sub(rf"[，,]?{_NO_FAMILY}(?=[，,]|$)", "", body)
        body = re.sub(r"；[，,]?(?=\S)", "；", body).rstrip("；")
    if new == STRANGER:
        head, semicolon, tail = body.partition("；")
        body = f"{head}；{_NO_FAMILY}" + (f"，{tail}" if semicolon and tail else "")
    return f"{new}{body}"


def _renamed(standing: Standing, chosen: frozenset[str], old: str, new: str) -> Standing:
    """Bring the name along in the texts of these rules and in the description; 用户 is not said there."""
    if USER in (old, new):
        return standing
    rewrite = _naming(_SAID.get(old, old), _SAID.get(new, new))
    kept = {one.id: one.plan for one in standing.rules if one.id not in chosen}
    return rewording.texts(standing, rewrite).with_rules(kept)


def _naming(old: str, new: str) -> rewording.Rewrite:
    """Return what makes 有人按门铃 into 爸爸按门铃, and 客厅有人 into 客厅有爸爸."""
    behind = re.compile(rf"(?<=[厅室房里台廊库院内上边口]){SOMEBODY}")

    def rewrite(text: str) -> str:
        if old == SOMEBODY and new not in (old, ANYONE):
            text = behind.sub(f"有{new}", text)
        return text.replace(old, new)

    return rewrite


def presence(clause: Clause, standing: Standing, home: Home) -> Read:
    """Read that to be in the picture is enough, whether or not coming and going is seen (H-VIEW-10)."""
    match = _PRESENT.search(clause.to)
    if match is None or not fits(clause.to[: match.start()] + clause.to[match.end() :], standing):
        return None
    plans = {}
    for one in standing.rules:
        query = _present(one, home)
        if query is not None:
            plans[one.id] = replace(one.plan, trigger=replace(one.plan.trigger, query=query))
    if not plans:
        return Unclear("update_no_presence", {"task": standing.description})
    return Step(standing.with_rules(plans), "view", "", wording("updating.view_presence"))


def _present(rule: StandingRule, home: Home) -> str | None:
    """Return the condition that says somebody is there, for one about coming or going."""
    query = rule.plan.trigger.query
    who = _subject(rule, home) or next((word for word in _CARS if query.startswith(word)), None)
    if who is None:
        return None
    entry, body = _entry(query[len(who) :])
    if entry is not None and not entry.uncovered:
        return None  # something that is done, not a coming or going
    room = next((word for word in rooms() if word in query), wording("updating.any_room"))
    written = f"{who}{body.replace(ROOM, room) or wording('updating.desc_present')}"
    return f"{written}；{_NO_FAMILY}" if who == STRANGER else written


def _entry(body: str) -> tuple[Entry | None, str]:
    """Return the entry of the dictionary that a condition was written from, and its words for being there.

    The words are empty where they are about another sort of subject, such as a car.
    """
    for entry in entries().values():
        own = (entry.condition.body, *([entry.uncovered] if entry.uncovered else []))
        if any(_began(body, words) for words in own):
            return entry, entry.uncovered
        if any(_began(body, variant.condition.body) for variant in entry.variants):
            return entry, ""
    return None, ""


def _began(body: str, words: str) -> bool:
    """Whether a condition begins with the words of the dictionary, whatever the room in them became."""
    return re.match(".{1,12}".join(map(re.escape, words.split(ROOM))), body) is not None


def _known(home: Home) -> str:
    names = [called(person, home) for person in home.persons][:8]
    return "、".join((*names, ANYONE))
