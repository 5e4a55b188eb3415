"""The window on what is ready next: bounded, in order, and no pending job is ever without a slot that leads to it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from zhixing.engine.agenda import Agenda
from zhixing.engine.ledger import Slot
from zhixing.engine.model import Share
from zhixing.engine.shares import Places

NAMES = {"ring"}


def slot(ready: int, key: str | None = None, lane: str | None = None, name: str = "ring") -> Slot:
    return Slot(ready, ready, key or f"{ready}", lane, name)


def read(agenda: Agenda, table: list[Slot]) -> None:
    """Do what the engine does when the window runs low."""
    while agenda.wanting:
        rest = sorted(entry for entry in table if agenda.horizon is None or entry > agenda.horizon)
        agenda.extend(rest[: agenda.page], NAMES)


def test_what_is_ready_comes_out_in_order_and_nothing_else():
    agenda = Agenda(8)
    agenda.extend([slot(1), slot(3), slot(5)], NAMES)
    agenda.add([slot(4), slot(2)])
    assert agenda.next() == 1
    assert agenda.take(now=4, room=3) == [slot(1), slot(2), slot(3)]
    assert agenda.take(now=4, room=3) == [slot(4)]
    assert agenda.next() == 5


def test_jobs_beyond_what_was_read_are_left_to_the_ledger():
    agenda = Agenda(4)
    agenda.extend([slot(1), slot(2), slot(2, "b"), slot(2, "c")], NAMES)
    agenda.add([slot(3), slot(1, "new")])
    assert agenda.take(now=9, room=9) == [slot(1), slot(1, "new"), slot(2), slot(2, "b"), slot(2, "c")]
    assert agenda.wanting


def test_a_flood_of_new_jobs_does_not_fill_the_memory():
    agenda = Agenda(4)
    agenda.extend([], NAMES)
    table = [slot(n) for n in range(100)]
    agenda.add(table)
    assert agenda.take(now=99, room=99) == table[:4]
    read(agenda, table)
    assert agenda.take(now=99, room=4) == table[4:8]


def test_of_a_lane_one_is_taken_and_the_others_wait_for_it():
    agenda = Agenda(8)
    agenda.extend([slot(1, lane="家"), slot(2, lane="家"), slot(3, lane="家"), slot(4)], NAMES)
    assert agenda.take(now=9, room=9) == [slot(1, lane="家"), slot(4)]
    agenda.occupy("家")
    agenda.vacate("家")
    assert agenda.take(now=9, room=9) == [slot(2, lane="家")]
    agenda.occupy("家")
    agenda.vacate("家")
    assert agenda.take(now=9, room=9) == [slot(2, lane="家")], "one slot stands for the lane until it is empty"
    agenda.empty("家")
    agenda.vacate("家")
    assert agenda.take(now=9, room=9) == []


def test_names_without_a_handler_take_no_room():
    agenda = Agenda(4)
    table = [slot(n, name="unknown") for n in range(50)] + [slot(60)]
    read(agenda, table)
    assert agenda.next() == 60


@settings(max_examples=300, deadline=None)
@given(
    table=st.lists(st.tuples(st.integers(0, 30), st.sampled_from([None, None, "甲", "乙"])), max_size=60),
    late=st.lists(st.tuples(st.integers(0, 30), st.sampled_from([None, "甲"])), max_size=20),
    room=st.integers(1, 5),
)
def test_every_pending_job_is_reached(table, late, room):
    """Whatever is in the ledger or comes later, and however it is taken, everything is done, lanes in order."""
    pending = {f"{n}": Slot(ready, n, f"{n}", lane, "ring") for n, (ready, lane) in enumerate(table)}
    coming = [Slot(ready, 1000 + n, f"late {n}", lane, "ring") for n, (ready, lane) in enumerate(late)]
    agenda, done = Agenda(4), []

    def head(lane: str) -> Slot | None:
        return min((entry for entry in pending.values() if entry.lane == lane), default=None)

    while True:
        if coming:
            new = coming.pop()
            pending[new.key] = new
            agenda.add([new])
        read(agenda, list(pending.values()))
        taken = agenda.take(now=30, room=room)
        for hint in taken:
            found = pending.get(hint.key) if hint.lane is None else head(hint.lane)
            if found is not None:
                done.append(pending.pop(found.key))
                if found.lane is not None:
                    agenda.occupy(found.lane)
                    agenda.vacate(found.lane)
            elif hint.lane is not None:
                agenda.empty(hint.lane)
        if not taken and not coming and not agenda.wanting:
            break
    assert pending == {}
    assert len(done) == len(table) + len(late)


SHARES = {"ask": Share("bots", 2), "send": Share("bots", 2), "model": Share("models", 1)}


def test_what_waits_for_a_place_lets_others_pass_and_comes_when_there_is_one():
    agenda, full, free = Agenda(8), Places(SHARES, ["ask", "send"]), Places(SHARES, ["ask"])
    first, other = slot(1, name="ask"), slot(3, name="send")
    agenda.extend([first, slot(2), other], {"ask", "send", "ring"})
    assert agenda.take(9, 9, full) == [slot(2)]
    assert agenda.next() is None
    assert agenda.take(9, 9, free) == [first]
    assert agenda.take(9, 9, Places(SHARES, ["ask", "send"])) == []
    assert agenda.take(9, 9, Places(SHARES, [])) == [other]


def test_a_line_that_lost_its_end_is_read_anew_before_it_is_empty():
    agenda, full = Agenda(4), Places(SHARES, ["model"])
    table = [slot(n, name="model") for n in range(50)]
    agenda.extend([], {"model"})
    for entry in table:
        agenda.add([entry])
        assert agenda.take(99, 9, full) == []
    assert not agenda.worn
    assert [agenda.take(99, 9, Places(SHARES, [])) for _ in range(4)] == [[entry] for entry in table[:4]]
    assert agenda.worn
    agenda.forget()
    assert not agenda.worn
    assert agenda.wanting


class Running:
    """A ledger and what was started of it, which runs on for a while; it answers an agenda as the real ones do."""

    def __init__(self, table: list[Slot]) -> None:
        self.pending = {entry.key: entry for entry in table}
        self.running: list[Slot] = []
        self.agenda = Agenda(4)

    @property
    def places(self) -> Places:
        return Places(SHARES, [each.name for each in self.running])

    def end(self, count: int) -> None:
        for ended in self.running[:count]:
            if ended.lane is not None:
                self.agenda.vacate(ended.lane)
        del self.running[:count]

    def read(self) -> None:
        if self.agenda.worn:
            self.agenda.forget()
        while self.agenda.wanting:
            horizon = self.agenda.horizon
            rest = sorted(entry for entry in self.pending.values() if horizon is None or entry > horizon)
            self.agenda.extend(rest[: self.agenda.page], {"ring", *SHARES})

    def start(self, room: int) -> None:
        before = len(self.running)
        for hint in self.agenda.take(30, room, self.places):
            self.try_to_start(hint, self.places)
        for each in self.running[before:]:
            if each.lane is not None:
                self.agenda.occupy(each.lane)

    def try_to_start(self, hint: Slot, places: Places) -> None:
        lane = [entry for entry in self.pending.values() if entry.lane == hint.lane]
        found = self.pending.get(hint.key) if hint.lane is None else min(lane, default=None)
        share = None if found is None else places.share_of(found.name)
        if found is None or any(each.lane == hint.lane is not None for each in self.running):
            if hint.lane is not None:
                self.agenda.empty(hint.lane)
        elif share is not None and not places.is_free(share):
            self.agenda.hold_up(hint, found, share)
        else:
            self.running.append(self.pending.pop(found.key))


@settings(max_examples=300, deadline=None)
@given(
    table=st.lists(
        st.tuples(
            st.integers(0, 9),
            st.sampled_from([None, None, "甲", "乙"]),
            st.sampled_from(["ring", "ask", "send", "model"]),
        ),
        max_size=60,
    ),
    room=st.integers(1, 5),
    ends=st.lists(st.integers(0, 5), min_size=1, max_size=30),
    cancels=st.lists(st.integers(0, 60), max_size=10),
)
def test_with_shares_every_job_is_reached_and_no_share_or_lane_has_too_many(table, room, ends, cancels):
    world = Running([Slot(ready, n, f"{n}", lane, name) for n, (ready, lane, name) in enumerate(table)])
    for step in range(1000):
        world.end(ends[step % len(ends)] + (step > 100))
        if step < len(cancels) and world.pending.pop(f"{cancels[step]}", None):
            world.agenda.look_again()
        world.read()
        world.start(room)
        lanes = [each.lane for each in world.running if each.lane is not None]
        assert len(lanes) == len(set(lanes))
        assert sum(each.name in {"ask", "send"} for each in world.running) <= 2
        assert sum(each.name == "model" for each in world.running) <= 1
        if not world.pending and not world.running:
            break
    assert world.pending == {}
