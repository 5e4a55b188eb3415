"""A sentence → a request, or nothing: every word of it must have a place in what was understood. Pure."""

from __future__ import annotations

from dataclasses import replace

from zhixing.graphs.building.sketch import Span as Length
from zhixing.graphs.composing.acts import MOST_ACTS, acts
from zhixing.graphs.composing.cursor import Tokens, mention
from zhixing.graphs.composing.facts import MOST_FACTS, Facts, Memory, facts
from zhixing.graphs.composing.lexicon import Kind
from zhixing.graphs.composing.request import (
    Act,
    Being,
    Branch,
    Fact,
    Follow,
    Joint,
    Press,
    Request,
    Rounds,
    Window,
)
from zhixing.graphs.composing.tokens import tokens
from zhixing.graphs.specs.home import Home
from zhixing.language.text import normalise

MOST_BRANCHES = 10
"""Cases of one sentence."""


def read(text: str, home: Home) -> Request | None:
    """Return what a text asks for; None where a word of it was not understood, or it is no rule."""
    plain = normalise(text)
    given = Tokens(plain, tokens(plain, home))
    follow = _follow(given)
    if follow is not None:
        return Request(text, follow=follow)
    return _Reader(given).request(text)


class _Reader:
    """Reads clause by clause; grows by branches."""

    def __init__(self, given: Tokens) -> None:
        self._given = given
        self._memory = Memory()
        self._branches: list[Branch] = []
        self._tail = "acts"
        """Where further orders belong: to `acts` or to `otherwise` of the last branch."""

    def request(self, text: str) -> Request | None:
        """Read all of it."""
        at = 0
        while (at := self._given.past(at, Kind.BREAK, Kind.FILL)) < len(self._given.found):
            after = self._clause(at)
            if after is None or after <= at or not self._ends(after):
                return None
            at = after
        found = tuple(self._branches)
        if len({_without_spans((each.facts, each.windows)) for each in found}) < len(found):
            # 按一下打开，再按关掉: the same twice, with something else to do each time.
            return None
        if not found or len(found) > MOST_BRANCHES or not all(each.acts and each.facts for each in found):
            return None
        if sum(len(each.facts) + len(each.asked) + len(each.windows) for each in found) > MOST_FACTS:
            return None
        if sum(len(each.acts) + len(each.otherwise) for each in found) > MOST_ACTS:
            return None
        return Request(
            text, found, taken=tuple({(each.key, *each.values.values()): each for each in self._memory.taken}.values())
        )

    def _ends(self, at: int) -> bool:
        return self._given.over(self._given.filled(at)) or self._given.is_(
            at, Kind.ELSE, Kind.UNTIL, Kind.MOST, Kind.IF
        )

    def _clause(self, at: int) -> int | None:
        """Read one clause, a case of its own or something more of the last; None where it is neither."""
        given = self._given
        if self._branches:
            at = given.past(at, Kind.NEXT, Kind.AND) if given.is_(at, Kind.NEXT, Kind.AND) else at
            if given.is_(at, Kind.ELSE):
                return self._else(at + 1)
            if given.is_(at, Kind.UNTIL) and self._branches[-1].rounds and (end := self._until(at + 1)) is not None:
                return end
            if given.is_(at, Kind.MOST):
                return self._times(at + 1)
        trial = self._memory.copy()
        read = facts(given, at, trial)
        if read is not None:
            end = self._case(*read, trial)
            if end is not None:
                return end
        return self._more(at) if self._branches else self._reversed(at)

    def _reversed(self, at: int) -> int | None:
        """Read 把灯打开，如果客厅有人: orders first, marked facts behind, and nothing else."""
        trial = self._memory.copy()
        done = acts(self._given, at, trial)
        behind = self._given.past(done[1], Kind.BREAK) if done else 0
        if done is None or behind == done[1] or not self._given.is_(behind, Kind.IF):
            return None
        found = facts(self._given, behind, trial)
        if found is None or self._given.past(found[1], Kind.BREAK) < len(self._given.found):
            return None
        self._memory.take(trial)
        self._add(found[0], done[0], None)
        return found[1]

    def _case(self, found: Facts, at: int, trial: Memory) -> int | None:
        """Take facts as the beginning of a case, if orders follow; a time alone behind orders is when they count."""
        given = self._given
        first = not self._branches
        if not first and not found.found and given.over(at):
            self._branches = [replace(each, windows=(*each.windows, *found.windows)) for each in self._branches]
            self._memory.take(trial)
            return at
        inner = at + 1 if given.is_comma(at) and (first or found.marked) else at
        then = given.is_(inner, Kind.THEN) or given.word(at, Kind.FILL) == "也"
        if found.weak and not (then or found.marked or first):
            return None
        inner = given.past(inner, Kind.THEN, Kind.FILL)
        every, inner = self._every(inner)
        done = acts(given, inner, trial)
        if done is None or not (found.found or found.windows):
            return None
        self._memory.take(trial)
        self._add(found, done[0], every)
        return done[1]

    def _add(self, found: Facts, done: tuple[Act, ...], every: Length | None) -> None:
        joint: Joint = "any" if found.joint == "any" else "all"
        last = self._branches[-1] if self._branches else None
        rounds = Rounds(every) if every is not None else None
        if last is not None and found.marked and self._overrides(found, last) and not (last.asked or last.otherwise):
            self._branches[-1] = replace(
                last, asked=found.found, windows=(*last.windows, *found.windows), acts=done, otherwise=last.acts
            )
            return
        self._branches.append(Branch(found.found, joint, found.windows, (), done, (), rounds))
        self._tail = "acts"

    @staticmethod
    def _overrides(found: Facts, last: Branch) -> bool:
        """Whether facts are asked at the moment of the last case: 如果灯已经开着, or a state behind a press."""
        states = all(isinstance(each, Being) and each.hold is None for each in found.found)
        pressed = any(isinstance(each, Press) for each in last.facts)
        return bool(found.found) and states and (found.already or pressed)

    def _every(self, at: int) -> tuple[Length | None, int]:
        if not self._given.is_(at, Kind.EACH):
            return None, at
        length = self._given.length(at + 1)
        return (length, self._given.filled(at + 2)) if length else (None, at)

    def _else(self, at: int) -> int | None:
        at = self._given.past(at, Kind.THEN, Kind.FILL, Kind.BREAK)
        done = acts(self._given, at, self._memory)
        last = self._branches[-1]
        if done is None or last.otherwise or last.rounds:
            return None
        self._branches[-1] = replace(last, otherwise=done[0])
        self._tail = "otherwise"
        return done[1]

    def _until(self, at: int) -> int | None:
        found = facts(self._given, at, self._memory)
        last = self._branches[-1]
        if found is None or last.rounds is None or len(found[0].found) != 1 or found[0].windows:
            return None
        self._branches[-1] = replace(last, rounds=replace(last.rounds, until=found[0].found[0]))
        return self._given.past(found[1], Kind.END, Kind.FILL)

    def _times(self, at: int) -> int | None:
        at = self._given.past(self._given.filled(at), Kind.SAY)
        times, last = self._given.value(at, Kind.TIMES), self._branches[-1]
        if not isinstance(times, int) or last.rounds is None:
            return None
        self._branches[-1] = replace(last, rounds=replace(last.rounds, times=times))
        return at + 1

    def _more(self, at: int) -> int | None:
        """Take orders as more of the last case."""
        done = acts(self._given, at, self._memory)
        if done is None:
            return None
        last = self._branches[-1]
        if self._tail == "otherwise":
            self._branches[-1] = replace(last, otherwise=(*last.otherwise, *done[0]))
        else:
            self._branches[-1] = replace(last, acts=(*last.acts, *done[0]))
        return done[1]


def _follow(given: Tokens) -> Follow | None:
    """Read 书房台灯跟着书房开关走, 两盏灯同步: nothing else may stand there."""
    first = mention(given, 0)
    if first is None:
        return None
    at = given.filled(first[1])
    measure = given.word(at, Kind.MEASURE)
    at = given.filled(at + 1) if measure else at
    # 跟 may be 跟着 or 和; 同步 behind says which.
    both = given.is_(at, Kind.AND)
    second = mention(given, at + 1) if given.is_(at, Kind.FOLLOW, Kind.AND) else None
    if second is None:
        return None
    at = given.filled(second[1])
    again = given.word(at, Kind.MEASURE)
    at = given.filled(at + 1) if again else at
    synced = False
    while given.is_(at, Kind.SYNC, Kind.FOLLOW_END, Kind.FILL):
        synced = synced or given.is_(at, Kind.SYNC)
        at += 1
    if given.past(at, Kind.BREAK) < len(given.found) or (both and not synced):
        return None
    return Follow(given.span(0, at), first[0], second[0], both, measure or again)


def _without_spans(given: tuple[tuple[Fact, ...], tuple[Window, ...]]) -> str:
    """Return what facts say, wherever they stand."""
    facts_, windows = given
    return repr(
        (tuple(replace(each, span=(0, 0)) for each in facts_), tuple(replace(each, span=(0, 0)) for each in windows))
    )
