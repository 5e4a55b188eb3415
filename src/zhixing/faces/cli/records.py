"""records: what a household task has counted, timed or written down."""

from __future__ import annotations

from cyclopts import App

from zhixing.faces import household_wire
from zhixing.faces.cli.house import house
from zhixing.faces.cli.options import AtDesk, Json
from zhixing.faces.cli.pages import INDENT, heading
from zhixing.faces.household_words import entries_of, record_lines

records = App(name="records", help_flags=(), version_flags=())


@records.command(name="show")
def show(task: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Show the record of a task as it is now."""
    with house(desk) as home, home.app.store.read() as tx:
        found = home.task(tx, task)
        record = home.app.records.get(tx, found.id)
    now = desk.clock.now()
    lines = [*record_lines(record, now), *(INDENT + line for line in entries_of(record, now))]
    desk.answer(household_wire.of_record(record), [heading(found), *(INDENT + line for line in lines)], as_json=as_json)
