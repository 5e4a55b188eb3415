"""What a person reads about a simulated task. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from zhixing.faces.rule_words import amount, capability, exact_text, held_text, level_text, single_line
from zhixing.household.simulating import Event, What
from zhixing.kernel.wording import section, wording
from zhixing.tasks.occurrence import reason_text

Names = Mapping[str, str]


def event_row(event: Event, names: Names, zone: ZoneInfo) -> list[str]:
    """Return the row of one thing that happened: when, what kind, what exactly."""
    return [exact_text(event.at, zone), wording(f"faces.what_{event.what.value}"), _says(event, names)]


def _says(event: Event, names: Names) -> str:
    data = event.data
    part = names.get(event.part, event.part)
    match event.what:
        case What.RULE | What.JOB:
            return _fired(part, data)
        case What.NEAR_MISS:
            why = _why_missed(str(data.get("why", ""))) + held_text(data.get("held", 0.0), data.get("needed", 0.0))
            return wording("faces.sim_near_miss", part=part, why=why)
        case What.DEVICE:
            return _commanded(data, names)
        case What.RECORD:
            return _recorded(data)
        case What.TARGET:
            return wording("faces.sim_target", target=data.get("target"))
        case What.TOLD:
            state = wording(f"notices.message_{data['state']}")
            return wording("faces.sim_told", channel=data["channel"], text=single_line(data["text"]), state=state)
        case What.WAITS:
            return wording("faces.then").join(single_line(words) for words in data["words"])
        case What.ENDED:
            return wording(f"tasks.status_{data['status']}")


def _fired(part: str, data: Mapping[str, Any]) -> str:
    direction = data.get("direction", "")
    aside = wording(f"faces.direction_{direction}") if direction in ("exit", "target") else ""
    state = wording(f"tasks.occurrence_{data['state']}")
    why = wording("faces.because", why=reason_text(data["reason"])) if data["reason"] else ""
    return wording("faces.sim_fired", part=part, direction=aside, state=state, why=why)


def _commanded(data: Mapping[str, Any], names: Names) -> str:
    wanted = data["wanted"] if isinstance(data["wanted"], list) else [data["wanted"]]
    return wording(
        "faces.step",
        device=names.get(data["did"], data["did"]),
        iid=capability(data["did"], data["iid"], names),
        wanted=wording("faces.and").join(level_text(value) for value in wanted),
        state=wording(f"faces.step_{data['state']}"),
        why=wording("faces.because", why=data["why"]) if data["why"] else "",
    )


def _recorded(data: Mapping[str, Any]) -> str:
    action, current = data.get("action", ""), int(data.get("current", 0))
    if action in ("start", "end", "reach"):
        return wording(f"faces.sim_{action}", amount=amount(current))
    return wording("faces.sim_count", count=current)


def _why_missed(why: str) -> str:
    return section("faces", "zh").get(f"transition_why_{why}") or reason_text(why)
