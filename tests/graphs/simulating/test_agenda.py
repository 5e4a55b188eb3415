"""What is due, in its order and within its bound."""

from __future__ import annotations

from zhixing.graphs.simulating import agenda as module
from zhixing.graphs.simulating.agenda import Agenda, CardTimer, Entry, Learning
from zhixing.graphs.simulating.script import Property

LATE = Learning(Property("lamp", 2, 1), value=True, reports=0)


def timer(node: str) -> CardTimer:
    return CardTimer(node, "delay")


def worked_off(agenda: Agenda) -> list[tuple[int, Entry]]:
    found = []
    while (due := agenda.next_due()) is not None:
        found.append((due, agenda.pop()))
    return found


def test_what_is_due_at_one_time_comes_in_the_order_of_its_appointment() -> None:
    agenda = Agenda()
    for due, name in ((5, "a"), (3, "b"), (5, "c"), (2.5, "d")):
        assert agenda.add(due, timer(name))
    assert worked_off(agenda) == [(3, timer("b")), (3, timer("d")), (5, timer("a")), (5, timer("c"))]


def test_stopped_timers_leave_room_and_never_come_up(monkeypatch) -> None:
    monkeypatch.setattr(module, "MOST_ENTRIES", 10)
    agenda = Agenda()
    for name in "abcdefghi":
        assert agenda.add(100, timer(name))
    for due in range(200, 260):
        agenda.stop("z")
        assert agenda.add(due, timer("z"))
    assert not agenda.add(1, timer("y"))
    agenda.stop("a")
    assert agenda.add(1, timer("y"))
    assert [entry for _, entry in worked_off(agenda)] == [timer(name) for name in "ybcdefghiz"]
    assert agenda.next_due() is None


def test_a_storm_takes_the_timers_that_are_due_and_nothing_else() -> None:
    agenda = Agenda()
    for due, entry in ((1, timer("a")), (1, LATE), (1, timer("b")), (2, timer("a")), (1, timer("a"))):
        agenda.add(due, entry)
    agenda.stop("b")
    agenda.stop_due(1)
    assert list(agenda.running()) == [(2, timer("a"))]
    assert worked_off(agenda) == [(1, LATE), (2, timer("a"))]
