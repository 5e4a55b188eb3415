"""What the page of settings shows. Secrets are never among it: of them only whether they are set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from platform import python_version

from zhixing.doctor import Finding, State
from zhixing.faces.web.settings.ground import Ground
from zhixing.kernel.wording import Language, wording
from zhixing.settings import Configuration, Shown, Source, config_file, token_file
from zhixing.settings.access import TOKEN_VARIABLE
from zhixing.settings.keys import PREFIX

PLAIN = (
    "zone",
    "household.speaker",
    "household.phone",
    "gateway.address",
    "documents.at_once",
    "documents.script_timeout",
    "documents.agent_timeout",
    "documents.kept",
    "vision.interval",
    "vision.per_hour",
    "vision.per_day",
    "vision.cost_per_day",
    "limits.text_chars",
    "limits.body_bytes",
)
"""What is changed one by one on the page.

What decides where this program keeps things, who can reach it, and which commands it runs is changed at the machine.
"""
MODEL = ("base_url", "key", "text", "vision")
CHANNEL = ("url", "secret", "quiet", "per_hour")
MOST_CHANNELS = 50
_KINDS = {State.OK: "good", State.MISSING: "warm", State.BROKEN: "bad"}


@dataclass(frozen=True, slots=True)
class Line:
    """A setting: its value as it may be seen, and the variable that decides it where one does."""

    key: str
    label: str
    value: str
    variable: str


@dataclass(frozen=True, slots=True)
class ShownChannel:
    """A way of telling. `lines` are by the last part of their names; `fixed` where a variable decides any of them."""

    name: str
    kind: str
    url: str
    signed: bool
    quiet: str
    per_hour: str
    fixed: bool


@dataclass(frozen=True, slots=True)
class Health:
    """One line of the report."""

    label: str
    kind: str
    says: str
    fix: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is, and what is there."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Sight:
    """All of the page."""

    channels: tuple[ShownChannel, ...]
    model: dict[str, Line]
    has_key: bool
    plain: tuple[Line, ...]
    everything: tuple[tuple[str, str, str], ...]
    places: tuple[Place, ...]
    health: tuple[Health, ...]
    strangers: tuple[str, ...]


def look(ground: Ground, language: Language, findings: Sequence[Finding] = ()) -> Sight:
    """Read the settings and word them. Raises what `load` raises."""
    configuration = ground.load()
    rows = {row.key: row for row in configuration.shown()}
    return Sight(
        tuple(_channel(rows, name) for name in list(configuration.settings.channels)[:MOST_CHANNELS]),
        {name: _line(rows, f"model.{name}", language) for name in MODEL if name != "key"},
        has_key=rows["model.key"].value is not None,
        plain=tuple(_line(rows, name, language) for name in PLAIN),
        everything=tuple(_row(row, language) for row in rows.values()),
        places=_places(ground, configuration, language),
        health=tuple(_health(each, language) for each in findings),
        strangers=configuration.strangers,
    )


def _line(rows: dict[str, Shown], key: str, language: Language) -> Line:
    row = rows[key]
    label = wording(f"web_settings.key_{key.replace('.', '_')}", language)
    return Line(key, label, _value(row), _variable(row))


def _channel(rows: dict[str, Shown], name: str) -> ShownChannel:
    own = {part: rows[f"channels.{name}.{part}"] for part in ("kind", *CHANNEL)}
    return ShownChannel(
        name,
        _value(own["kind"]),
        _value(own["url"]),
        own["secret"].value is not None,
        _value(own["quiet"]),
        _value(own["per_hour"]),
        any(_variable(row) for row in own.values()),
    )


def _row(row: Shown, language: Language) -> tuple[str, str, str]:
    value = _value(row) or wording("web_settings.not_set", language)
    return row.key, value, wording(f"web_settings.from_{row.source.value}", language)


def _value(row: Shown) -> str:
    if row.value is None:
        return ""
    return str(row.value).lower() if isinstance(row.value, bool) else str(row.value)


def _variable(row: Shown) -> str:
    return PREFIX + row.key.replace(".", "_").upper() if row.source is Source.ENV else ""


def _places(ground: Ground, configuration: Configuration, language: Language) -> tuple[Place, ...]:
    own = ground.env.get(TOKEN_VARIABLE, "").strip()
    store = next(row for row in configuration.shown() if row.key == "store.url")
    given = {
        "home": str(ground.home),
        "file": str(config_file(ground.home)),
        "store": _value(store),
        "token": TOKEN_VARIABLE if own else str(token_file(ground.home)),
        "version": metadata.version("zhixing"),
        "python": python_version(),
    }
    return tuple(Place(wording(f"web_settings.place_{name}", language), value) for name, value in given.items())


def _health(found: Finding, language: Language) -> Health:
    return Health(found.label(language), _KINDS[found.state], found.says, found.how_to_fix)
