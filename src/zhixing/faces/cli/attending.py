"""ack, snooze: what is done about a message. Neither completes anything."""

from __future__ import annotations

from zhixing.faces import wire
from zhixing.faces.cli.house import House, house
from zhixing.faces.cli.options import AtDesk, Json, Words, message_id, text_of
from zhixing.faces.cli.spoken import instant
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.notices.telling import moment_text
from zhixing.tasks import store as tasks


def ack(message: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Say that a message is seen and dealt with."""
    with house(desk) as home:
        app = home.app
        with app.store.write() as tx:
            done = app.delivery.acknowledge(tx, message_id(message))
            zone = find_zone(tasks.get(tx, done.task_id).zone)
        lines = [wording("cli.acknowledged", id=done.id, task=done.task_id)]
        desk.answer(wire.of_message(done, zone), lines, as_json=as_json)


def snooze(message: str, /, *until: Words, as_json: Json = False, desk: AtDesk) -> None:
    """Have a message told again later, once."""
    words, now = text_of(until, desk), desk.clock.now()
    with house(desk) as home:
        app = home.app
        zone = find_zone(_zone_of(home, message_id(message)))
        moment = instant(words, now, zone)
        with app.store.write() as tx:
            put_off = app.delivery.snooze(tx, message_id(message), moment)
        lines = [wording("cli.snoozed", id=put_off.id, when=moment_text(moment, now.astimezone(zone).date(), zone))]
        desk.answer(wire.of_message(put_off, zone), [*lines, *home.notes()], as_json=as_json)


def _zone_of(home: House, known: str) -> str:
    with home.app.store.read() as tx:
        return tasks.get(tx, home.app.delivery.message(tx, known).task_id).zone
