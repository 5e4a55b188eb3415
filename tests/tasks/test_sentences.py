"""Rows of sentences: kept, changed, found again and paged through, whatever a way adds to them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum

import pytest

from zhixing.kernel.errors import BadInput, NotFound
from zhixing.tasks.sentences import LARGEST_PAGE, Sentences

AT = datetime(2026, 3, 1, 8, 0, 0, 5, tzinfo=UTC)


class State(StrEnum):
    OPEN = "open"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Wish:
    id: str
    text: str
    who: str
    zone: str
    said_at: datetime
    state: State = State.OPEN
    note: str = ""


WISHES = Sentences(
    "wishes",
    prefix="w",
    counter="wish",
    unknown="draft_unknown",
    states=State,
    columns=("state", "note"),
    written=lambda row: (row.state.value, row.note),
    read=lambda fixed, own: Wish(*fixed, State(own[0]), own[1]),
)


@pytest.fixture
def tx(store):
    with store.write() as tx:
        tx.execute(
            "CREATE TABLE wishes (number BIGINT PRIMARY KEY, text TEXT, who TEXT, zone TEXT, said_at BIGINT,"
            " state TEXT, note TEXT, key TEXT)"
        )
        yield tx
        tx.execute("DROP TABLE wishes")


def said(tx, text: str = "a lamp", key: str | None = None, **members) -> Wish:
    return WISHES.insert(tx, Wish(WISHES.new_id(tx), text, "u", "Asia/Shanghai", AT, **members), key)


def test_what_is_kept_is_found_again_by_its_id_and_its_key(tx):
    kept = said(tx, key="k", note="soon")
    assert (kept.id, kept.said_at) == ("w1", AT)
    assert WISHES.get(tx, "w1") == kept == WISHES.find_by_key(tx, "k")
    assert WISHES.find_by_key(tx, "other") is None


def test_what_changed_is_written_down_of_that_one_alone(tx):
    one, other = said(tx), said(tx)
    after = WISHES.save(tx, replace(one, state=State.OVER, note="done"))
    assert WISHES.get(tx, "w1") == after
    assert WISHES.get(tx, "w2") == other


@pytest.mark.parametrize("written", ["w2", "w", "x1", "1", "w-1", "w1 ", "w" + "9" * 30, "w１", "", "'; DROP"])
def test_an_id_that_is_not_there_is_told(tx, written):
    said(tx)
    with pytest.raises(NotFound) as told:
        WISHES.get(tx, written)
    assert told.value.key == "draft_unknown"


def test_pages_go_from_the_newest_back_and_only_through_the_states_that_are_wanted(tx):
    for number in range(1, 6):
        said(tx, state=State.OVER if number % 2 else State.OPEN)
    assert [each.id for each in WISHES.page(tx, limit=2)] == ["w5", "w4"]
    assert [each.id for each in WISHES.page(tx, limit=2, before="w4")] == ["w3", "w2"]
    assert [each.id for each in WISHES.page(tx, states=[State.OPEN])] == ["w4", "w2"]
    assert len(WISHES.page(tx, limit=0)) == 1
    assert [each.id for each in WISHES.every(tx, "state = ?", ("over",))] == ["w1", "w3", "w5"]


def test_a_page_has_an_end_and_a_cursor_must_be_an_id(tx):
    for _ in range(LARGEST_PAGE + 1):
        said(tx)
    assert len(WISHES.page(tx, limit=10**9)) == LARGEST_PAGE
    with pytest.raises(BadInput) as told:
        WISHES.page(tx, before="yesterday")
    assert told.value.key == "cursor_unreadable"
