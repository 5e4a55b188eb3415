"""A channel that tells through a notify service of Home Assistant: a phone with its app, a group, a speaker.

Home Assistant knows no keys, so the channel is never idempotent.
"""

from __future__ import annotations

import msgspec

from zhixing.world.channels.port import Delivered, Letter, NotSent, Reason, Receipt, Refused, Unknown
from zhixing.world.homeassistant.hub import REFUSALS
from zhixing.world.homeassistant.link import Link
from zhixing.world.homeassistant.session import Away, Declined, Unanswered

_SERVICES = msgspec.json.Decoder(dict[str, dict[str, msgspec.Raw]])

LONGEST = 2_000
"""Characters of a message: what a phone shows is less. The rest is in the inbox."""


class Notify:
    """Tells through `notify.<service>`."""

    idempotent = False

    def __init__(self, name: str, link: Link, service: str) -> None:
        self.name = name
        self._link = link
        self._service = service

    def __repr__(self) -> str:
        return f"Notify({self.name!r})"

    def send(self, letter: Letter) -> Receipt:
        """Tell `letter` once: its text, or its title where it has none."""
        text = letter.text.strip() or letter.title
        data = {"title": letter.title[:LONGEST], "message": text[:LONGEST]}
        try:
            self._link.ask("call_service", domain="notify", service=self._service, service_data=data)
        except Away:
            return NotSent(Reason("homeassistant_away"))
        except Declined as error:
            if error.code in REFUSALS:
                return Refused(Reason("homeassistant_refused", self._service))
            return Unknown(Reason("homeassistant_failed", self._service))
        except Unanswered:
            return Unknown(Reason("no_answer"))
        return Delivered()


def notify_services(link: Link) -> frozenset[str]:
    """Return which notify services there are; none where that cannot be told."""
    try:
        return frozenset(_SERVICES.decode(link.ask("get_services")).get("notify", {}))
    except (Away, Declined, Unanswered, msgspec.MsgspecError):
        return frozenset()
