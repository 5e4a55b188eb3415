"""One condition with all rules that watch it: who has to decide, and when. No I/O, no clock.

Rules that only wait are kept by their duration, so that a verdict costs the same whether one rule or a thousand watch
it; only those that can change are asked. Everything that pends is met in order of its instant, before a verdict of that
instant or a later one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from enum import Enum
from typing import NamedTuple, TypeVar

import msgspec

from zhixing.tasks.rules.hearing import SECOND, Heard, Lapse, after_lapse, after_outage, hear, next_lapse, same
from zhixing.tasks.rules.machine import (
    Decision,
    Effect,
    Happening,
    Phase,
    State,
    Terms,
    Why,
    begin,
    break_off,
    decide,
    stop,
)
from zhixing.tasks.rules.model import Agreement
from zhixing.tasks.rules.ranks import Member, Ranks
from zhixing.tasks.rules.truth import (
    NEVER_JUDGED,
    NOBODY,
    Condition,
    Truth,
    View,
    breaks_at,
    broken,
    follow,
    look,
    look_alone,
)
from zhixing.world.perception.verdict import Value

KNOWN_EVENTS = 64
"""Names of momentary events remembered of a source."""
OLD = 30 * SECOND
"""An event told of later than this is no trigger."""
COARSE = 30 * SECOND
"""What nobody waits for is met on a grid of this width, so that many such instants cost one look."""
LONGEST_SAID = 200
"""Characters kept of what a source said."""


_OF_HEARD = ("since", "heard", "unknown_since", "false_from", "doubted", "true_from", "fresh")
_OF_TRUTH = ("unknown_since", "held_since", "left_at", "judged")
# An episode keeps its name, so that its end is told of the same one.
_OF_STATE = ("left_at", "count_from", "entered", "target_at")


class Kept(msgspec.Struct, frozen=True, array_like=True):
    """What is kept of a condition."""

    heard: dict[str, Heard] = {}
    truth: Truth = NEVER_JUDGED
    now: int = 0
    source: str = ""
    said: str = ""


class Outcome(Enum):
    """What a verdict did."""

    STALE = 1
    SAME = 2
    """It changed nothing but when its source was last heard."""
    CHANGED = 3


class Happened(NamedTuple):
    """An effect, and the rule it is of."""

    rule_id: str
    effect: Effect


class Watch:
    """A condition, what is known of it, and its rules.

    `effects` and `moved` (rules whose state changed) are for the owner to take out. `cameras` are those in use; None:
    not known yet, then the sources heard so far stand in for them.
    """

    __slots__ = (
        "_alone", "_cameras", "_expiry", "_ranks", "_soon", "_tolerance", "_view", "condition", "effects", "heard",
        "id", "members", "moved", "now", "said", "source", "truth", "wake",
    )  # fmt: skip

    def __init__(self, identity: str, condition: Condition, kept: Kept, cameras: Collection[str] | None) -> None:
        self.id = identity
        self.condition = condition
        self.heard = dict(kept.heard)
        self.truth = kept.truth
        self.now = kept.now
        self.source = kept.source
        self.said = kept.said
        self.members: dict[str, Member] = {}
        self.effects: list[Happened] = []
        self.moved: dict[str, Member] = {}
        self.wake: int | None = 0
        """When to look again at the latest, as of the last `look_ahead`; None: there is no need."""
        self._soon: int | None = 0
        """Nothing pends before this instant; None: nothing pends."""
        self._tolerance = condition.tolerance * SECOND
        self._expiry = None if condition.expiry is None else condition.expiry * SECOND
        self._cameras = cameras
        self._alone = condition.sources[0] if len(condition.sources) == 1 else None
        self._ranks = Ranks()
        self._view = self._look()

    # Rules come and go

    def put(self, member: Member) -> None:
        """Take in a rule with the state it has."""
        self.members[member.id] = member
        if member.enabled:
            self._ranks.place(member, self.truth)
            self._expect(member)
            self._soon = 0

    def remove(self, rule_id: str) -> None:
        """Let go of a rule."""
        self._ranks.displace(self.members.pop(rule_id))
        self.moved.pop(rule_id, None)

    def start(self, member: Member, now: int) -> None:
        """Start a rule that is idle, whether it is new here or was stopped."""
        self.advance(now)
        self.members[member.id] = member
        member.enabled = True
        self._ranks.place(member, self.truth)
        self._apply(member, begin(member.terms, member.state, self.truth, self._view, self.now))
        self._soon = 0

    def stop(self, rule_id: str) -> None:
        """Stop a rule: nothing of it pends any more."""
        member = self.members[rule_id]
        self._ranks.displace(member)
        member.enabled = False
        self._keep(member, stop(member.state))

    def renew(self, rule_id: str, terms: Terms) -> None:
        """Give a rule other terms; its episode and what it counts go on."""
        member = self.members[rule_id]
        self._ranks.displace(member)
        member.terms = terms
        if member.enabled:
            self._ranks.place(member, self.truth)
            self._ask(member)
            self._soon = 0

    def is_inside(self, rule_id: str) -> bool:
        """Return whether an episode of a rule was answered and has not ended."""
        state = self.members[rule_id].state
        return state.phase is Phase.INSIDE or (state.phase is Phase.LEAVING and not state.silent)

    def aim(self, rule_id: str, target_at: int | None) -> None:
        """Say when the target of a rule is reached; only what is under way has one."""
        member = self.members[rule_id]
        if self.is_inside(rule_id) and member.state.target_at != target_at:
            self._keep(member, msgspec.structs.replace(member.state, target_at=target_at))
            self._ask(member)
            self._soon = 0

    # The world goes on

    def take(self, source: str, value: Value, at: int, *, firm: bool, lasting: bool, reason: str) -> Outcome:
        """Take a verdict about how things are."""
        before = self.heard.get(source)
        if before is not None and at < before.heard:
            return Outcome.STALE
        if before is not None and not before.proved:
            return self._catch_up(before, source, value, at, firm=firm, lasting=lasting, reason=reason)
        if self._soon is not None and self._soon <= at:
            self.advance(at)
            before = self.heard.get(source)
        self.now = max(at, self.now)
        after = hear(before, value, at, firm=firm, lasting=lasting)
        self.heard[source] = after
        self._note(source, value, reason)
        if before is not None and same(before, after):
            return Outcome.SAME
        self._follow(at)
        self.look_ahead()
        return Outcome.CHANGED

    def pulse(self, source: str, event: str, at: int, arrived: int, reason: str) -> Outcome:
        """Take a momentary event: it is so, and at once not any more."""
        before = self.heard.get(source)
        if before is not None and (event in before.events or at < before.heard):
            return Outcome.STALE
        self.advance(at)
        known = () if before is None else before.events
        events = (*known, event)[-KNOWN_EVENTS:]
        if arrived - at > OLD:
            self.heard[source] = Heard(False, at, at, stands=True, events=events)
            self._follow(at)
            for member in self._ranks.prompt.values():
                effect = Effect(Happening.NEAR_MISS, at, at, self.now, why=Why.OLD_EVENT, held=arrived - at)
                self.effects.append(Happened(member.id, effect))
            self.look_ahead()
            return Outcome.CHANGED
        self.source, self.said = source, one_line(reason)
        # That it was not so before is part of what an event says; so it is never how things already were.
        for true, instant in ((False, at - 1), (True, at), (False, at)):
            self.heard[source] = Heard(true, instant, at, stands=True, events=events)
            self._follow(instant)
        self.look_ahead()
        return Outcome.CHANGED

    def advance(self, until: int) -> None:
        """Meet everything that pends up to an instant, in order."""
        while self._soon is not None and self._soon <= until:
            due = self._next_due()
            lapse = self._next_lapse()
            if due is not None and due <= until and (lapse is None or due <= lapse[0]):
                self._meet(due)
            elif lapse is not None and lapse[0] <= until:
                self._lapse(*lapse)
            else:
                self.look_ahead()
        self.now = max(self.now, until)

    def use(self, cameras: Collection[str], now: int) -> bool:
        """Say which cameras are in use from now on; return whether that may change anything."""
        if self.condition.sources or self._cameras == cameras:
            return False
        self.advance(now)
        self._cameras = cameras
        self._follow(self.now)
        self._soon = 0
        return True

    def come_back(self, now: int) -> None:
        """Take up what went on before we were away: what is known has to be confirmed before anything follows."""
        outage = False
        for source, heard in self.heard.items():
            self.heard[source], long = after_outage(heard, now, self._expiry, self._tolerance)
            outage = outage or long
        self.now = max(self.now, now)
        self._follow(self.now, outage=outage)
        for member in self._ranks.busy.values():
            self._expect(member)
        self._soon = 0

    def rewind(self, now: int) -> None:
        """Set right what lies in the future because the clock was put back, nobody knows how far: it happens now."""
        self._redate(lambda at: min(at, now))

    def shift(self, span: int) -> None:
        """Set right all instants after the clock was put back by a known span: what counts goes on counting."""
        self._redate(lambda at: at + span)

    def _redate(self, right: Callable[[int], int]) -> None:
        self.heard = {source: _redated(heard, right, _OF_HEARD) for source, heard in self.heard.items()}
        self.truth = _redated(self.truth, right, _OF_TRUTH)
        self.now = right(self.now)
        for member in self.members.values():
            state = _redated(member.state, right, _OF_STATE)
            if state.recent:
                state = msgspec.structs.replace(state, recent=tuple(right(at) for at in state.recent))
            self._keep(member, state)
        self._view = self._look()
        for member in list(self._ranks.busy.values()):
            self._ask(member)
        self._soon = 0

    def look_ahead(self) -> int | None:
        """Find out what pends next; return when to look again. What nobody waits for is left to the next look.

        What is less urgent may be met a little late.
        """
        due = self._next_due()
        lapse = self._next_lapse()
        if lapse is None:
            self._soon = self.wake = due
            return due
        at, what, _ = lapse
        self._soon = at if due is None or at < due else due
        look = self._look_for(what, at)
        if len(self.heard) > 1:
            # The first one may be nothing to wait for, and the next one the end of what holds.
            looks = [look, *(self._look_for(other, later) for later, other, _ in self._lapses())]
            look = min((each for each in looks if each is not None), default=None)
        self.wake = due if look is None or (due is not None and due < look) else look
        return self.wake

    def settle(self) -> None:
        """Look ahead unless that was done since the last change."""
        if self._soon == 0:
            self.look_ahead()

    def kept(self) -> Kept:
        """Return what is to be kept of the condition."""
        return Kept(self.heard, self.truth, self.now, self.source, self.said)

    # Inside

    def _catch_up(
        self, before: Heard, source: str, value: Value, at: int, *, firm: bool, lasting: bool, reason: str
    ) -> Outcome:
        """Take a verdict of a source that was not heard yet of an instant since we are back.

        Up to its instant it is as if we had never been away. Behind that the source may have more to tell of the time
        when we were: nothing is decided because of the clock until it is heard of an instant since.
        """
        now, self.now = self.now, before.heard
        if before.belated:
            self.heard[source] = msgspec.structs.replace(before, proved=True, fresh=0, belated=False)
            self._follow(before.heard)
            self._soon = 0
        self.advance(at)
        after = hear(self.heard[source], value, at, firm=firm, lasting=lasting)
        self.heard[source] = after
        self._note(source, value, reason)
        self._follow(at)
        self.now = max(now, at)
        if at < before.fresh:
            self.heard[source] = msgspec.structs.replace(after, proved=False, fresh=before.fresh, belated=True)
            self._view = self._look()
            for member in self._ranks.busy.values():
                self._expect(member)
        self.look_ahead()
        return Outcome.CHANGED

    def _note(self, source: str, value: Value, reason: str) -> None:
        if value is not Value.UNKNOWN:
            self.source = source
            self.said = one_line(reason) if reason else ""

    def _look_for(self, lapse: Lapse | None, at: int) -> int | None:
        """Return when to look because time does something to a source; None where nothing would come of it."""
        late = -(-at // COARSE) * COARSE
        inside = counting = False
        for member in self._ranks.busy.values():
            match member.state.phase:
                case Phase.LEAVING:
                    return late if lapse is None else at
                case Phase.INSIDE:
                    inside = inside or member.terms.state
                case Phase.IDLE:
                    counting = True
        if lapse is Lapse.DOUBT_HOLDS:
            return at if inside else late
        if lapse is Lapse.SILENCE and inside:
            # What is over later may have been over since then.
            return late
        counting = counting or bool(self._ranks.idle)
        return late if counting and self.truth.last is True and lapse is not Lapse.TRUE_HOLDS else None

    def _scope(self) -> Iterable[Heard | None]:
        heard, sources, cameras = self.heard, self.condition.sources, self._cameras
        if sources:
            return [heard.get(source) for source in sources]
        if cameras is None:
            return list(heard.values())
        if self.condition.agreement is Agreement.ALL:
            return [heard.get(camera) for camera in cameras]
        return [heard[source] for source in heard if source in cameras]

    def _look(self) -> View:
        if self._alone is not None:
            heard = self.heard.get(self._alone)
            return NOBODY if heard is None else look_alone(heard)
        return look(self._scope(), self.condition.agreement)

    def _follow(self, at: int, *, outage: bool = False) -> None:
        """See what the sources say now, and let the rules follow."""
        view = self._look()
        before, seen = self.truth, self._view
        truth = follow(before, view, at, outage=outage)
        if truth is before and view == seen:
            return
        self.truth, self._view = truth, view
        over = truth.last is False and before.last is not False
        if over and before.last and not before.broken:
            self._break_off(before, truth.left_at, Why.HELD)
        if view.value is True:
            for member in list(self._ranks.prompt.values()):
                self._ask(member)
            if view.clear:
                self._fire_idle()
        if self._ranks.busy:
            self._ask_busy(over=over)

    def _ask_busy(self, *, over: bool) -> None:
        for member in list(self._ranks.busy.values()):
            phase, target = member.state.phase, member.state.target_at
            # What is inside and stays so has nothing to decide, unless it waits for its target.
            if self._view.value is False or phase is Phase.LEAVING or phase is Phase.IDLE or target is not None:
                self._ask(member)
            if over and member.enabled and member.state.phase is Phase.IDLE:
                self._ranks.place(member, self.truth)

    def _fire_idle(self) -> None:
        held = self.now - self.truth.held_since
        while self._ranks.idle and self._ranks.idle[0][0] <= held and self._view.value is True:
            self._ask(self._ranks.idle[0][2])

    def _break_off(self, truth: Truth, until: int, why: Why) -> None:
        """Tell of the rules that were counting."""
        ranks = self._ranks
        counting = ranks.nearly(until - truth.held_since) if why is Why.HELD else ranks.counting()
        for member in counting:
            effect = break_off(member.terms, member.state, truth.held_since, until, why=why, now=self.now)
            if effect is not None:
                self.effects.append(Happened(member.id, effect))

    def _next_due(self) -> int | None:
        due: int | None = None
        if self._ranks.idle and self._view.clear and self.truth.last is True:
            due = self.truth.held_since + self._ranks.idle[0][0]
        for member in self._ranks.busy.values():
            if member.due is not None and (due is None or member.due < due):
                due = member.due
        return due

    def _next_lapse(self) -> tuple[int, Lapse | None, str] | None:
        found: tuple[int, Lapse | None, str] | None = None
        # Most conditions have one source.
        for lapse in self._lapses():
            if found is None or lapse[0] < found[0]:
                found = lapse
        return found

    def _lapses(self) -> Iterator[tuple[int, Lapse | None, str]]:
        """Yield what time does next to each source, and to what is tolerated (no lapse of a source)."""
        belated = False
        for source, heard in self.heard.items():
            belated = belated or heard.belated
            lapse = next_lapse(heard, self._expiry)
            if lapse is not None:
                yield (*lapse, source)
        over = breaks_at(self.truth, self._tolerance)
        if over is not None and not belated:
            yield over, None, ""

    def _meet(self, due: int) -> None:
        self.now = max(self.now, due)
        if self._ranks.idle and self._view.clear:
            self._fire_idle()
        for member in list(self._ranks.busy.values()):
            if member.due is not None and member.due <= due:
                self._ask(member)

    def _lapse(self, at: int, lapse: Lapse | None, source: str) -> None:
        self.now = max(self.now, at)
        if lapse is None:
            why = Why.OUTAGE if self.truth.outage else Why.UNKNOWN
            until = self.truth.unknown_since
            if until is not None:
                self._break_off(self.truth, until, why)
            self.truth = broken(self.truth)
            return
        after = after_lapse(self.heard[source], lapse, at)
        if lapse is Lapse.DOUBT_HOLDS and after.unknown_since is not None:
            # It was over before nobody could see any more: first that, then the rest.
            self.heard[source] = msgspec.structs.replace(after, unknown_since=None)
            self._follow(after.since)
        self.heard[source] = after
        self._follow(at)

    def _expect(self, member: Member) -> None:
        """Have a rule decide when its time comes, or at the next look if that has passed."""
        state, effects, due = decide(member.terms, member.state, self.truth, self._view, self.now)
        member.due = due if state is member.state and not effects else self.now

    def _ask(self, member: Member) -> None:
        if member.enabled:
            self._apply(member, decide(member.terms, member.state, self.truth, self._view, self.now))

    def _apply(self, member: Member, decision: Decision) -> None:
        state, effects, due = decision
        member.due = due
        for effect in effects:
            self.effects.append(Happened(member.id, effect))
            if effect.what is Happening.STOPPED:
                self._ranks.displace(member)
                member.enabled = False
        if state is not member.state:
            self._keep(member, state)
        if member.enabled:
            self._ranks.place(member, self.truth)

    def _keep(self, member: Member, state: State) -> None:
        self._ranks.displace(member)
        member.state = state
        self.moved[member.id] = member
        if member.enabled:
            self._ranks.place(member, self.truth)


def one_line(text: str) -> str:
    """Return what a source said, as one bounded line of characters that can be shown: it is text from the world."""
    line = " ".join(text[: 4 * LONGEST_SAID].split())[:LONGEST_SAID]
    return line if line.isprintable() else "".join(each if each.isprintable() else "\ufffd" for each in line)


S = TypeVar("S", Heard, Truth, State)


def _redated(kept: S, right: Callable[[int], int], names: Collection[str]) -> S:
    """Set the instants of those names right; 0 and None are none."""
    found = {name: getattr(kept, name) for name in names}
    return msgspec.structs.replace(kept, **{name: right(at) for name, at in found.items() if at})
