"""A server reduced to what has to survive: store, engine and outbox, telling of many occurrences that are due.

    sender.py DATABASE RECEIVER COUNT alone|together

Tells each occurrence through one plain and one keyed channel, goes on with whatever an earlier run left, and ends when
every message is settled. "alone" takes back at once what a killed run held; "together" with others on the same
database, a run has to wait for the leases of the dead to end. Each settled message leaves
one row in `chaos_settled`, whose key would not bear a second.
"""

from __future__ import annotations

import sys
import threading
from datetime import timedelta

from zhixing.delivery.model import Message
from zhixing.delivery.operations import Delivery
from zhixing.engine.embedded import EmbeddedEngine
from zhixing.kernel.clock import SystemClock
from zhixing.store.connection import Tx
from zhixing.store.migrations import migrate
from zhixing.store.opening import open_store
from zhixing.world.channels.webhook import Webhook

LANES = 2
BATCH = 5


def settled(tx: Tx, message: Message) -> None:
    """Write down that a message was settled."""
    tx.execute("INSERT INTO chaos_settled (message) VALUES (?)", (message.id,))


def main(database: str, receiver: str, count: int, company: str) -> None:
    """Tell everything and wait until it is told."""
    clock = SystemClock()
    store = open_store(database)
    migrate(store, clock)
    with store.write() as tx:
        tx.execute("CREATE TABLE IF NOT EXISTS chaos_settled (message TEXT PRIMARY KEY)")
    engine = EmbeddedEngine(store, clock, owner="chaos", lease=timedelta(seconds=2))
    channels = {
        f"{kind}-{lane}": Webhook(
            f"{kind}-{lane}", f"{receiver}/{kind}/{lane}", clock, idempotent=kind == "keyed", seconds=5
        )
        for kind in ("plain", "keyed")
        for lane in range(LANES)
    }
    delivery = Delivery(engine, clock, channels, settled)
    if company == "alone":
        engine.reclaim_all()
    engine.start()
    for first in range(0, count, BATCH):
        with store.write() as tx:
            for number in range(first, min(first + BATCH, count)):
                delivery.tell(
                    tx,
                    task_id=f"t{number % 7}",
                    occurrence_id=f"o{number}",
                    title="交表",
                    text="现在",
                    due_at=clock.now(),
                    channels=[f"plain-{number % LANES}", f"keyed-{number % LANES}"],
                )
    never = threading.Event()
    while True:
        with store.read() as tx:
            if tx.row("SELECT 1 FROM messages WHERE settled_at IS NULL LIMIT 1") is None:
                break
        never.wait(0.05)
    engine.stop()
    store.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])
