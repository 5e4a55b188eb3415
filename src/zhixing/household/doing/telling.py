"""Telling what a household task has to say, through the channels that serve its media."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from zhixing.delivery.model import Message, Timing
from zhixing.delivery.operations import Delivery
from zhixing.household.descs import LONGEST_CONTENT, Medium
from zhixing.kernel.moments import zone
from zhixing.kernel.wording import wording
from zhixing.store.connection import Tx
from zhixing.tasks import store as tasks

Channels = Mapping[Medium, tuple[str, ...]]
"""The configured channels that serve a medium. The inbox is where an AI conversation takes place, so it needs none."""


NEWS_PAUSE = timedelta(hours=1)
"""How long after one a rule's next message about a failure may come at the earliest."""


def moment(at: datetime, zone_name: str) -> str:
    """Return an instant as messages say it."""
    local = at.astimezone(zone(zone_name))
    return wording("doing.moment", month=local.month, day=local.day, clock=f"{local:%H:%M}")


class Telling:
    """Puts words into the outbox; the inbox has everything."""

    def __init__(self, delivery: Delivery, channels: Channels) -> None:
        self._delivery = delivery
        self._channels = {medium: tuple(names) for medium, names in channels.items()}

    def reaches(self, media: Iterable[Medium]) -> tuple[str, ...]:
        """Return the channels that serve some media, each once."""
        return tuple(dict.fromkeys(name for medium in media for name in self._channels.get(medium, ())))

    def tell(
        self,
        tx: Tx,
        task_id: str,
        occurrence_id: str,
        text: str,
        media: Iterable[Medium],
        *,
        due_at: datetime,
        timing: Timing,
        again: str = "",
    ) -> list[Message]:
        """Tell something about an occurrence; where nothing serves a medium, the text says so. Return what is new."""
        wanted = tuple(dict.fromkeys(media))
        lacking = [one for one in wanted if one is not Medium.CHAT and not self._channels.get(one)]
        if lacking:
            names = wording("doing.list_separator").join(wording(f"doing.medium_{one.value}") for one in lacking)
            text = wording("doing.channel_lacking", text=text, names=names)
        channels = self.reaches(wanted)
        return self._tell(
            tx, task_id, occurrence_id, text, channels=channels, due_at=due_at, timing=timing, again=again
        )

    def tell_everywhere(
        self, tx: Tx, task_id: str, occurrence_id: str, text: str, *, due_at: datetime, timing: Timing = Timing.NAMED
    ) -> None:
        """Tell something through everything that is configured; by default at an instant that the user named."""
        self._tell(tx, task_id, occurrence_id, text, channels=self.reaches(Medium), due_at=due_at, timing=timing)

    def news(
        self, tx: Tx, task_id: str, occurrence_id: str, text: str, *, due_at: datetime, about: str = "news"
    ) -> None:
        """Put something into the inbox beside what is told of an occurrence, once for each thing `about` it."""
        self._tell(tx, task_id, occurrence_id, text, due_at=due_at, timing=Timing.CHOSEN, again=about)

    def _tell(
        self,
        tx: Tx,
        task_id: str,
        occurrence_id: str,
        text: str,
        *,
        due_at: datetime,
        timing: Timing,
        channels: Iterable[str] = (),
        again: str = "",
    ) -> list[Message]:
        return self._delivery.tell(
            tx,
            task_id=task_id,
            occurrence_id=occurrence_id,
            title=tasks.get(tx, task_id).title,
            text=text[: 2 * LONGEST_CONTENT],
            due_at=due_at,
            channels=channels,
            timing=timing,
            again=again,
        )
