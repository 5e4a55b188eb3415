"""Words for a device → the devices of the home that they may mean and that can do what is wanted. Pure.

One is taken, all are when all were asked for; several are a question. A room that was not said may be that of the rest
of the sentence; that is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from zhixing.graphs.building.sketch import Thing
from zhixing.graphs.composing.lexicon import lexicon
from zhixing.graphs.composing.request import Mention, Taken
from zhixing.graphs.specs.home import Device, Home
from zhixing.kernel.questions import MAX_OPTIONS, Option, Question
from zhixing.kernel.wording import wording

MOST_FOUND = 20
"""Devices that one word may mean together."""


class _Way(Protocol):
    @property
    def part(self) -> str: ...
    @property
    def label(self) -> str: ...


W = TypeVar("W", bound=_Way)
Ways = Callable[[Thing], Iterable[W]]


@dataclass(frozen=True, slots=True)
class Candidate(Generic[W]):
    """A device, or one key of it, and how it does what is wanted."""

    device: Device
    way: W
    rank: int

    @property
    def id(self) -> str:
        """What an answer names: the did, with the key behind it where it has several."""
        return f"{self.device.did}#{self.way.part}" if self.way.part else self.device.did

    @property
    def label(self) -> str:
        """What people call it."""
        named = called(self.device)
        return f"{named} {self.way.label}" if self.way.label else named


class Unsettled(Exception):
    """Something has to be asked first."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.prompt)
        self.question = question


def called(device: Device) -> str:
    """Return what people call a device, with its room where the name does not say it."""
    return device.name if not device.room or device.room in device.name else f"{device.room}{device.name}"


def asking(kind: str, subject: str, options: Sequence[Option] = (), **values: object) -> Unsettled:
    """Return a question of section `composing_graphs`; `subject` is the key of its answer."""
    prompt = wording(f"composing_graphs.ask_{kind}", "zh", **values)
    if len(options) > MAX_OPTIONS:
        prompt += wording("composing_graphs.ask_more", "zh")
    return Unsettled(Question(kind, prompt, tuple(options[:MAX_OPTIONS]), subject, 0))


def subject_of(mention: Mention, role: str) -> str:
    """Return the key of an answer: the same words mean the same device, whether it is watched or told."""
    return f"{_SHARED.get(role, role)}:{mention.words}"


_SHARED = dict.fromkeys(("power", "doer", "master", "follower"), "device")


class Finder:
    """Looks for devices; keeps what it took for granted in `taken`."""

    def __init__(self, home: Home, answers: Mapping[str, str]) -> None:
        self._home = home
        self._answers = answers
        self._words = lexicon()
        self.taken: list[Taken] = []
        self._things = {
            device.did: (device, Thing(device.did, spec))
            for device in (home.devices or {}).values()
            if device.usable and (spec := home.spec_of(device.did)) is not None
        }

    def answer(self, subject: str) -> str:
        """Return what was answered to a question, "" for nothing."""
        return self._answers.get(subject, "")

    def room_of(self, did: str) -> str:
        """Return the room of a device."""
        found = self._home.device(did)
        return found.room if found else ""

    def label_of(self, did: str) -> str:
        """Return what people call a device."""
        found = self._home.device(did)
        return did if found is None else called(found)

    def kind_of(self, did: str) -> str:
        """Return the kind of a device, "" where it is not known."""
        found = self._things.get(did)
        return found[1].spec.kind if found else ""

    def find(self, mention: Mention, ways: Ways[W], role: str, rooms: Sequence[str] = ()) -> tuple[Candidate[W], ...]:
        """Return the devices that are meant, in the order of the home. Raises `Unsettled`.

        `rooms` are those that the rest of the sentence is about.
        """
        subject = subject_of(mention, role)
        answered = self.answer(subject)
        if answered:
            chosen = [
                each for each in self._able(ways, self._things) if answered in {each.id, each.label, each.device.did}
            ]
            if len(chosen) == 1:
                return tuple(chosen)
        found = self._meant(mention, ways)
        words = mention.words or wording(f"composing_graphs.role_{role}", "zh")
        if not found:
            able = self._able(ways, self._things)
            raise asking("missing" if able else "nothing", subject, _options(self._kindred(mention, able)), words=words)
        if mention.every:
            return self._several(found)
        if mention.count > 1:
            if len(found) != mention.count:
                raise asking("count", subject, count=len(found), said=mention.count, words=words)
            return self._several(found)
        return (self._one(mention, found, subject, rooms, words),)

    def _able(self, ways: Ways[W], dids: Iterable[str]) -> list[Candidate[W]]:
        things = (self._things[each] for each in dids)
        return [Candidate(device, way, getattr(way, "rank", 0)) for device, thing in things for way in ways(thing)]

    def _one(
        self, mention: Mention, found: Sequence[Candidate[W]], subject: str, rooms: Sequence[str], words: str
    ) -> Candidate[W]:
        if len(found) == 1:
            return found[0]
        exact = [each for each in found if each.device.name == mention.words]
        near = exact or found
        placed = mention.room or mention.names or mention.pieces
        if not placed and not exact:
            here = [each for each in found if any(self._words.same_room(room, each.device.room) for room in rooms)]
            near = here or found
        best = min(each.rank for each in near)
        firsts = [each for each in near if each.rank == best]
        if len(firsts) > 1:
            rest = [each for each in found if each not in firsts]
            raise asking("which", subject, _options([*firsts, *rest]), words=words)
        if len(near) < len(found) and not exact:
            self.taken.append(Taken("taken_room", {"words": words, "device": firsts[0].label}))
        elif len(near) > 1:
            self.taken.append(Taken("taken_rank", {"words": words, "device": firsts[0].label}))
        return firsts[0]

    def _kindred(self, mention: Mention, able: Sequence[Candidate[W]]) -> list[Candidate[W]]:
        """Return those first that are of the kind that was named."""
        things = self._words.things.get(mention.thing)
        specs = things.specs if things else frozenset[str]()
        return sorted(able, key=lambda each: self.kind_of(each.device.did) not in specs)

    def _several(self, found: Sequence[Candidate[W]]) -> tuple[Candidate[W], ...]:
        """Return each device once: of several ways the first, of keys all."""
        if len(found) > MOST_FOUND:
            raise asking("many", "many", limit=MOST_FOUND)
        return tuple(found)

    def _meant(self, mention: Mention, ways: Ways[W]) -> list[Candidate[W]]:
        """Return what a mention may mean and can do it: by its name, else by room, parts of the name and kind.

        Of a kind are also those with its word in their name, as a plug that a lamp hangs on, if there are no others.
        """
        if mention.names:
            inside = [
                did for did in mention.names if not mention.room or self._in(mention.room, self._home.device(did))
            ]
            specs = self._words.things[mention.thing].specs if mention.thing else None
            fitting = [did for did in inside or mention.names if specs is None or self.kind_of(did) in specs]
            return self._keyed(mention, ways, fitting)
        placed = [did for did, (device, _) in self._things.items() if self._placed(mention, device)]
        if not mention.thing:
            return self._keyed(mention, ways, placed)
        things = self._words.things[mention.thing]
        kind = [
            each for each in placed if self.kind_of(each) in things.specs and things.has in self._things[each][0].name
        ]
        found = self._keyed(mention, ways, kind)
        return found or self._keyed(
            mention, ways, [each for each in placed if mention.thing in self._things[each][0].name]
        )

    def _keyed(self, mention: Mention, ways: Ways[W], dids: Iterable[str]) -> list[Candidate[W]]:
        able = self._able(ways, [each for each in dids if each in self._things])
        return [each for each in able if not mention.key or each.way.label.startswith(mention.key)]

    def _placed(self, mention: Mention, device: Device) -> bool:
        if mention.room and not self._in(mention.room, device):
            return False
        return all(piece in device.name or piece in device.room for piece in mention.pieces)

    def _in(self, said: str, device: Device | None) -> bool:
        if device is None:
            return False
        return self._words.same_room(said, device.room) or said in device.name or said in device.room


def _options(found: Sequence[Candidate[W]]) -> list[Option]:
    return [Option(each.id, each.label) for each in found]
