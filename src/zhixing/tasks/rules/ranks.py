"""The rules of one condition, ranked by what can make them act: so that a verdict asks only those that can. Pure."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort

from zhixing.tasks.rules.machine import NEAR, Phase, State, Terms
from zhixing.tasks.rules.truth import Truth


class Member:
    """A rule of a watch."""

    __slots__ = ("due", "enabled", "id", "number", "state", "terms")

    def __init__(self, rule_id: str, number: int, terms: Terms, state: State, *, enabled: bool) -> None:
        self.id = rule_id
        self.number = number
        self.terms = terms
        self.state = state
        self.enabled = enabled
        self.due: int | None = None


class Ranks:
    """Rules that are enabled; each is in one place.

    `prompt` are idle and fire as soon as the condition holds. `idle` wait for a duration, the shortest first, and all
    count from when the condition began to hold. `busy` are all others: inside an episode, or counting from later on.
    """

    __slots__ = ("busy", "idle", "prompt")

    def __init__(self) -> None:
        self.prompt: dict[str, Member] = {}
        self.idle: list[tuple[int, int, Member]] = []
        self.busy: dict[str, Member] = {}

    def place(self, member: Member, truth: Truth) -> None:
        """Put a rule where it belongs."""
        state = member.state
        if state.phase is not Phase.IDLE or (truth.last is True and state.count_from > truth.held_since):
            if member.id not in self.busy:
                self.displace(member)
                self.busy[member.id] = member
        elif member.terms.duration == 0:
            if member.id not in self.prompt:
                self.displace(member)
                self.prompt[member.id] = member
        else:
            self.displace(member)
            insort(self.idle, (member.terms.duration, member.number, member))

    def displace(self, member: Member) -> None:
        """Take a rule out, wherever it is."""
        if self.busy.pop(member.id, None) is not None or self.prompt.pop(member.id, None) is not None:
            return
        place = bisect_left(self.idle, (member.terms.duration, member.number), key=_place_of)
        if place < len(self.idle) and self.idle[place][2] is member:
            del self.idle[place]

    def counting(self) -> list[Member]:
        """Return the idle rules that count how long the condition holds."""
        late = [member for member in self.busy.values() if member.state.phase is Phase.IDLE]
        return [member for _, _, member in self.idle] + late

    def nearly(self, held: int) -> list[Member]:
        """Return those for which `held` may have been nearly enough."""
        near = self.idle[: bisect_right(self.idle, held / NEAR, key=_duration_of)]
        late = [member for member in self.busy.values() if member.state.phase is Phase.IDLE]
        return [member for _, _, member in near] + late


def _duration_of(entry: tuple[int, int, Member]) -> int:
    return entry[0]


def _place_of(entry: tuple[int, int, Member]) -> tuple[int, int]:
    return entry[0], entry[1]
