"""The latest verdicts and device events in one stream, the latest first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from zhixing.faces.rule_words import single_line
from zhixing.faces.web.home.judging import KINDS, Said
from zhixing.faces.web.home.naming import Text, called, value_text
from zhixing.kernel.wording import Language
from zhixing.world.devices.joined import part
from zhixing.world.devices.keeping import Happening
from zhixing.world.devices.port import DeviceHub
from zhixing.world.devices.virtual import VirtualHome

MOST = 40
"""Lines."""
FLAGS = ("use", "online")

Line = tuple[str, str, str, str]
"""When, what, about it, and the kind of its badge."""


def stream_of(hub: DeviceHub, said: Sequence[Said], zone: ZoneInfo, language: Language, text: Text) -> tuple[Line, ...]:
    """Return what happened last. Asks the virtual home, so never inside a transaction; real hubs keep no log here."""
    home = part(hub, VirtualHome)
    lines = [(one.at, _verdict(one, zone, text)) for one in said]
    if home is not None:
        teller = _Teller(home, zone, language, text)
        lines += [(one.at, teller.line(one)) for one in home.happenings(MOST)]
    lines.sort(key=lambda line: line[0], reverse=True)
    return tuple(line for _, line in lines[:MOST])


class _Teller:
    def __init__(self, home: VirtualHome, zone: ZoneInfo, language: Language, text: Text) -> None:
        self._zone = zone
        self._language: Language = language
        self._text = text
        self._names = {one.did: one.name for one in home.plan.devices}
        self._names |= {one.did: one.name for one in home.plan.cameras}
        self._events = {(one.did, each.iid): each.name for one in home.plan.devices for each in one.kind.events()}
        self._specs = {(one.did, spec.iid): spec for one in home.plan.devices for spec in home.spec(one.did).properties}
        self._acts = {
            (one.did, spec.iid): spec.name for one in home.plan.devices for spec in home.spec(one.did).actions
        }

    def line(self, one: Happening) -> Line:
        """Say one thing that happened."""
        place, text = (one.did, one.iid), self._text
        what = single_line(self._names.get(one.did, one.did))
        spec = self._specs.get(place)
        if one.iid in FLAGS:
            about = text(f"web_home.flag_{one.iid}_{'on' if one.value else 'off'}")
        elif spec is not None:
            value = value_text(spec, one.value, text)
            about = text("web_home.became", prop=called(spec.name, self._language), value=value)
        else:
            name = self._events.get(place) or self._acts.get(place) or one.iid
            given = text("web_home.and").join(value_text(None, value, text) for value in one.values)
            about = text("web_home.did", what=called(name, self._language), given=given).rstrip()
        by = text(f"web_home.by_{one.by.value}")
        return _clock(one.at, self._zone), what, f"{about} · {by}", ""


def _verdict(one: Said, zone: ZoneInfo, text: Text) -> Line:
    value = text(f"web_home.judged_{one.value}")
    about = text("web_home.verdict_line", query=single_line(one.query), value=value)
    return _clock(one.at, zone), one.source, about, KINDS[one.value]


def _clock(at: datetime, zone: ZoneInfo) -> str:
    return f"{at.astimezone(zone):%m-%d %H:%M:%S}"
