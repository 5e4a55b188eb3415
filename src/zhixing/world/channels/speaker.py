"""A channel that reads letters out on a speaker of the home.

Nobody hears a letter twice as if it were once: a speaker knows no keys, so the channel is never idempotent.
"""

from __future__ import annotations

from zhixing.kernel.errors import BadInput, Unavailable
from zhixing.world.channels.port import Delivered, Letter, NotSent, Reason, Receipt, Refused, Unknown
from zhixing.world.devices.names import resolve
from zhixing.world.devices.port import ActionSpec, DeviceHub, Done, Failed, Result, Uncertain

LONGEST = 300
"""Characters that are read out: about a minute. The rest is in the inbox."""

CATEGORY = "speaker"
_SPEAK = "action.play-text"
_TRY_LATER = frozenset({"hub_unreachable", "device_refused"})


class Speaker:
    """Reads out on the speaker `did`, or on the first one that is online.

    Which one that is, is looked up for each letter. The hub must not be in a transaction of the caller's thread.
    """

    idempotent = False

    def __init__(self, name: str, hub: DeviceHub, did: str | None = None) -> None:
        self.name = name
        self._hub = hub
        self._did = did

    def __repr__(self) -> str:
        return f"Speaker({self.name!r})"

    def send(self, letter: Letter) -> Receipt:
        """Read `letter` out once: its text, or its title where it has none."""
        try:
            found = self._speakers()
        except Unavailable:
            return NotSent(Reason("speaker_failed"))
        if not found:
            return Refused(Reason("speaker_missing"))
        online = [each for each in found if each[2]]
        if not online:
            return NotSent(Reason("speaker_offline"))
        did, action, _ = online[0]
        return _receipt(self._hub.act(did, action.iid, [spoken(letter)]))

    def _speakers(self) -> list[tuple[str, ActionSpec, bool]]:
        """Return what may be asked to speak: its id, its action, and whether it is online."""
        found = []
        for device in self._hub.devices():
            if device.did != self._did if self._did is not None else device.category != CATEGORY:
                continue
            try:
                action = resolve(self._hub.spec(device.did), _SPEAK)
            except BadInput:
                continue
            if isinstance(action, ActionSpec) and len(action.arguments) == 1:
                found.append((device.did, action, device.online))
        return found


def spoken(letter: Letter) -> str:
    """Return what is read out of a letter, on one line."""
    text = " ".join((letter.text.strip() or letter.title).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _receipt(result: Result) -> Receipt:
    match result:
        case Done():
            return Delivered()
        case Uncertain():
            return Unknown(Reason("speaker_unsure"))
        case Failed(reason="offline"):
            return NotSent(Reason("speaker_offline"))
        case Failed() if result.reason in _TRY_LATER:
            return NotSent(Reason("speaker_failed"))
        case Failed():
            return Refused(Reason("speaker_refused"))
