"""What works, what is missing, and how to get it. Looks only: makes no folder, applies no migration, tells nobody.

The one thing it sends is a tiny question to the configured model, because nothing else shows that the model answers.

A check is a function from what it looks at to findings; `examine` gives each what it needs. Texts are in the section
`doctor` of the catalogue: `says` and `fix` lines are found by the finding's name and what was found.
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote, urlsplit

from zhixing.graphs.specs.folder import read_home as read_specs
from zhixing.household.watching.deciding import over_today
from zhixing.household.watching.model import Spent
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, Unavailable, ZhixingError
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import Language, wording
from zhixing.settings import (
    Configuration,
    HomeZone,
    Source,
    check_binding,
    config_file,
    home_zone,
    load,
    read_token,
    token_file,
)
from zhixing.settings.endpoint import build_model
from zhixing.settings.homeassistant import facts_of, home_assistant_of
from zhixing.settings.model import Channel, Documents, Gateway, HomeAssistant, Model, Mqtt, Server, Settings
from zhixing.settings.mqtt import broker_of
from zhixing.settings.vision import giver_of, terms_of, watched_cameras
from zhixing.store.connection import Store
from zhixing.store.migrations import pending
from zhixing.world.channels.apprise import Apprise
from zhixing.world.channels.webhook import Webhook
from zhixing.world.devices.keeping import MemoryKeeper
from zhixing.world.homeassistant.link import Patience as HomePatience
from zhixing.world.homeassistant.notifying import notify_services
from zhixing.world.hub.opening import reaches_hub
from zhixing.world.models import counting
from zhixing.world.models.chat import Patience
from zhixing.world.models.failures import ModelFailure
from zhixing.world.models.port import Prompt, Text
from zhixing.world.models.shape import Shape
from zhixing.world.models.usage import Tally
from zhixing.world.mqtt.channel import MqttChannel
from zhixing.world.mqtt.probing import probe
from zhixing.world.sandbox.port import Mode, Sandbox
from zhixing.world.sandbox.probing import Unready, Wanted
from zhixing.world.sandbox.probing import probe as try_sandbox

OLDEST_PYTHON = (3, 11)
LEAST_FREE = 200 * 1024 * 1024
"""Bytes of disk below which a home is called full: a write-ahead log and a backup must fit."""
HEALTH = "/api/v1/health"
"""Answers without a token, with JSON whose `name` is `zhixing`."""
_PATIENCE = 2.0
HOMEASSISTANT_PATIENCE = HomePatience(connect=5.0, answer=5.0)
_MEGABYTE = 1024 * 1024
_LATELY = 30
"""Days over which the cost of asking models is added up."""
_TINY = Prompt(
    system="你在接受连通检查。",
    parts=(Text('回答 {"ok": true}'),),
    shape=Shape(
        "check",
        {
            "type": "object",
            "properties": {"ok": {"type": "boolean"}},
            "required": ["ok"],
            "additionalProperties": False,
        },
    ),
    max_tokens=1_024,
    seconds=20.0,
)
"""What the model is asked: little, with room for the thoughts that some count in."""


class State(StrEnum):
    """How it is with one thing."""

    OK = "ok"
    MISSING = "missing"
    """Not there; what can be done without it is done."""
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. `how_to_fix` is empty when nothing needs doing."""

    name: str
    state: State
    says: str
    how_to_fix: str = ""

    def label(self, language: Language = "zh") -> str:
        """Return the name as a user reads it."""
        return wording(f"doctor.label_{self.name}", language)


class Answer(StrEnum):
    """Who answers on a port."""

    OURS = "ours"
    NOBODY = "nobody"
    STRANGER = "stranger"


OpenStore = Callable[[str], Store]
Ask = Callable[[str, int], Answer]
Tried = Callable[[Clock, Wanted], Sandbox | Unready]


def ask_port(host: str, port: int) -> Answer:
    """Ask whoever listens on `host` and `port` whether it is us."""
    connection = http.client.HTTPConnection(host.strip("[]"), port, timeout=_PATIENCE)
    with closing(connection):
        try:
            connection.connect()
        except OSError:
            return Answer.NOBODY
        try:
            connection.request("GET", HEALTH)
            body = json.loads(connection.getresponse().read(_MEGABYTE))
        except (OSError, http.client.HTTPException, ValueError):
            return Answer.STRANGER
    return Answer.OURS if isinstance(body, dict) and body.get("name") == "zhixing" else Answer.STRANGER


def examine(
    home: Path, env: Mapping[str, str], open_store: OpenStore, clock: Clock, ask: Ask = ask_port
) -> list[Finding]:
    """Look at everything. What cannot be looked at because the settings are wrong is left out."""
    findings = [*check_python(sys.version_info[:3]), *check_zone_data(), *check_home(home)]
    try:
        configuration = load(home, env)
    except ZhixingError as error:
        findings.append(_broken("settings", "wrong", error=error))
        findings.extend(check_token(home, env))
        return findings
    settings = configuration.settings
    return [
        *findings,
        *check_settings(configuration),
        *check_zone(home_zone(settings.zone, env)),
        *check_store(configuration.store_url, open_store),
        *check_driver(configuration.store_url),
        *check_token(home, env),
        *check_server(settings.server, home, env, ask),
        *check_channels(configuration, clock),
        *check_mqtt(settings.mqtt, clock),
        *check_homeassistant(settings.homeassistant, clock),
        *check_gateway(settings.gateway),
        *check_sandbox(settings.documents, clock),
        *check_model(settings.model, clock),
        *check_vision(settings, configuration.store_url, open_store, clock, home_zone(settings.zone, env)),
        *check_usage(configuration.store_url, open_store, clock, home_zone(settings.zone, env)),
    ]


def check_python(version: tuple[int, ...]) -> Iterator[Finding]:
    """Say whether Python is recent enough."""
    text = ".".join(map(str, version))
    yield _ok("python", version=text) if version >= OLDEST_PYTHON else _broken("python", "old", version=text)


def check_zone_data(system: Path = Path("/usr/share/zoneinfo/tzdata.zi")) -> Iterator[Finding]:
    """Say whether the time zone rules of this machine are as new as those that came with us.

    Python reads the machine's own rules when there are any.
    """
    ours = _release(metadata.version("tzdata"))
    try:
        with system.open(encoding="ascii") as opened:
            theirs = opened.readline().removeprefix("# version").strip()
    except (OSError, UnicodeDecodeError):
        yield _ok("tzdata", version=ours)
        return
    if theirs < ours:
        yield _missing("tzdata", "old", version=theirs, newer=ours)
    else:
        yield _ok("tzdata", version=theirs)


def _release(version: str) -> str:
    """Return the name that the rules themselves have: `2026f` for the package version `2026.6`."""
    year, _, number = version.partition(".")
    return year + chr(ord("a") - 1 + int(number.split(".")[0])) if number else version


def check_home(home: Path, least_free: int = LEAST_FREE) -> Iterator[Finding]:
    """Say whether the home folder is there, can be written, and has room."""
    there = next(folder for folder in (home, *home.parents) if _is_there(folder))
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        yield _broken("home", "denied", home=home)
        return
    free = shutil.disk_usage(there).free
    if free < least_free:
        yield _broken("home", "full", home=home, free=free // _MEGABYTE)
    elif there != home:
        yield _missing("home", "new", home=home)
    else:
        yield _ok("home", home=home, free=free // _MEGABYTE)


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a folder above it may not be entered, or the name is too long
        return False


def check_settings(configuration: Configuration) -> Iterator[Finding]:
    """Say whether all settings were understood, and only their owner can read the secrets among them."""
    file = config_file(configuration.home)
    secret_in_file = any(row.value == "******" and row.source is Source.FILE for row in configuration.shown())
    if configuration.strangers:
        yield _missing("settings", "strangers", variables="、".join(configuration.strangers))
    elif secret_in_file and _others_can_read(file):
        yield _broken("settings", "open", file=file)
    elif file.exists():
        yield _ok("settings", file=file)
    else:
        yield Finding("settings", State.OK, wording("doctor.settings_none", file=file))


def _others_can_read(file: Path) -> bool:
    return bool(file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def check_zone(zone: HomeZone) -> Iterator[Finding]:
    """Say whether the home zone is known or only assumed."""
    if zone.warnings:
        yield _missing("zone", "warned", zone=zone.name, warnings="".join(zone.warnings))
    else:
        yield _ok("zone", zone=zone.name, source=wording(f"doctor.zone_from_{zone.source.value.lower()}"))


def check_store(url: str, open_store: OpenStore) -> Iterator[Finding]:
    """Say whether the database opens and has the schema of this program."""
    if url.startswith("sqlite:"):
        file = Path(unquote(urlsplit(url).path))
        if not _is_there(file):
            # Opening would make it.
            yield _missing("store", "new", file=file)
            return
    try:
        with closing(open_store(url)) as store:
            waiting = pending(store)
    except ZhixingError as error:
        yield _broken("store", "shut", error=error)
        return
    if waiting:
        yield _missing("store", "behind", count=len(waiting))
    else:
        yield _ok("store", dialect="SQLite" if url.startswith("sqlite:") else "PostgreSQL")


def check_driver(url: str) -> Iterator[Finding]:
    """Say whether the driver for PostgreSQL is installed. Only a home that uses it needs it."""
    try:
        version = metadata.version("psycopg")
    except metadata.PackageNotFoundError:
        yield _missing("psycopg", "none") if url.startswith("sqlite:") else _broken("psycopg", "needed")
        return
    yield _ok("psycopg", version=version)


def check_token(home: Path, env: Mapping[str, str]) -> Iterator[Finding]:
    """Say whether there is a token, and only its owner can read it."""
    file = token_file(home)
    try:
        token = read_token(home, env)
    except ZhixingError as error:
        yield _broken("token", "wrong", error=error, file=file)
        return
    if token is None:
        yield _missing("token", "none", file=file)
    elif file.exists() and _others_can_read(file):
        yield _broken("token", "open", file=file)
    else:
        yield _ok("token")


def check_server(server: Server, home: Path, env: Mapping[str, str], ask: Ask) -> Iterator[Finding]:
    """Say whether the server is running; if not, whether it may and its port is free."""
    place = {"host": server.host, "port": server.port}
    answer = ask(_reached_at(server.host), server.port)
    if answer is Answer.OURS:
        yield _ok("server", **place)
    elif answer is Answer.STRANGER:
        yield _broken("server", "taken", **place)
    else:
        try:
            check_binding(server.host, read_token(home, env), home)
        except ZhixingError as error:
            yield _broken("server", "refused", error=error)
        else:
            yield _missing("server", "down", **place)


def _reached_at(host: str) -> str:
    """Return where to ask: a server that listens everywhere is asked on loopback."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host.strip("[]"), host)  # noqa: S104 - it is not bound here


def check_channels(configuration: Configuration, clock: Clock) -> Iterator[Finding]:
    """Say whether somebody can be told outside the inbox. Addresses are read, nothing is sent."""
    channels = configuration.settings.channels
    if not channels:
        yield _missing("channels", "none")
    for name, channel in channels.items():
        try:
            _read_address(name, channel, configuration.settings.mqtt, clock)
        except BadInput as error:
            yield _broken("channels", "wrong", error=error, channel=name)
        except Unavailable as error:
            yield _broken("channels", "absent", error=error)
        else:
            yield _ok("channels", channel=name)


def _read_address(name: str, channel: Channel, mqtt: Mqtt, clock: Clock) -> None:
    url = channel.url.get_secret_value()
    if channel.goes_through == "apprise":
        Apprise(name, url, clock).service()
    elif channel.goes_through == "mqtt":
        MqttChannel(name, url, broker_of(mqtt), clock)
    else:
        Webhook(name, url, clock)


def check_mqtt(wanted: Mqtt, clock: Clock) -> Iterator[Finding]:
    """Say whether the MQTT broker lets us in. Nothing is published."""
    broker = broker_of(wanted)
    if broker is None:
        yield _missing("mqtt", "none")
    elif (trouble := probe(broker, clock)) is not None:
        yield _broken("mqtt", "wrong", error=trouble.text())
    else:
        yield _ok("mqtt", host=broker.host, port=broker.port)


def check_sandbox(wanted: Documents, clock: Clock, tried: Tried = try_sandbox) -> Iterator[Finding]:
    """Say what stands between a script and the machine, by running a command behind it."""
    found = tried(clock, Wanted(wanted.sandbox))
    if isinstance(found, Unready):
        yield _missing("sandbox", "none", why=found.reason)
    elif found.mode is Mode.NONE:
        yield _missing("sandbox", "open")
    else:
        yield _ok("sandbox", mode=found.mode.value)


def check_homeassistant(wanted: HomeAssistant, clock: Clock) -> Iterator[Finding]:
    """Say whether Home Assistant lets us in, and knows what the settings name. Nothing in the home is touched."""
    try:
        hub = home_assistant_of(wanted, clock, MemoryKeeper(clock), patience=HOMEASSISTANT_PATIENCE)
    except BadInput as error:
        yield _broken("homeassistant", "wrong", error=error)
        return
    if hub is None:
        yield _missing("homeassistant", "none")
        return
    with closing(hub):
        if not hub.link.ready():
            yield _broken("homeassistant", "wrong", error=hub.link.trouble())
            return
        devices = hub.devices()
        unknown = {fact.entity for fact in facts_of(wanted) if fact.entity and hub.picture.state(fact.entity) is None}
        unknown |= {f"notify.{name}" for name in set(wanted.notify_services) - notify_services(hub.link)}
        counts = {"version": hub.link.version, "devices": len(devices), "cameras": len(hub.cameras())}
    if unknown:
        yield _missing("homeassistant", "unknown", **counts, unknown="、".join(sorted(unknown)))
    else:
        yield _ok("homeassistant", **counts)


def check_gateway(wanted: Gateway) -> Iterator[Finding]:
    """Say whether there is something at the address of the hub; nobody pairs with it, which would use a passcode up."""
    try:
        if wanted.specs:
            read_specs(Path(wanted.specs).expanduser())
        if not wanted.address:
            yield Finding("gateway", State.OK, wording("doctor.gateway_virtual"))
            return
        reached = reaches_hub(wanted.address, _PATIENCE)
    except ZhixingError as error:
        yield _broken("gateway", "wrong", error=error)
        return
    if reached:
        yield _ok("gateway", address=wanted.address)
    else:
        yield _broken("gateway", "silent", address=wanted.address)


def check_model(model: Model, clock: Clock, question: Prompt = _TINY) -> Iterator[Finding]:
    """Say whether there is a model for what the local rules cannot read, and whether it answers `question`."""
    try:
        asked = build_model(model, clock, patience=Patience(tries=1))
    except BadInput as error:
        yield _broken("model", "wrong", error=error)
        return
    if asked is None:
        if model == Model():
            yield _missing("model", "none")
        else:
            yield _broken("model", "half", absent="model.base_url" if not model.base_url else "model.text")
        return
    try:
        reply = asked.ask(question)
    except ModelFailure as error:
        yield _broken("model", "fails", model=model.text, error=error, advice=error.how_to_fix())
        return
    seconds = f"{reply.elapsed.total_seconds():.1f}"
    yield _ok("model", model=reply.model, seconds=seconds, read=reply.tokens.read, written=reply.tokens.written)


def check_vision(
    settings: Settings, url: str, open_store: OpenStore, clock: Clock, zone: HomeZone
) -> Iterator[Finding]:
    """Say whether somebody looks at cameras, and whether today's budget lets them. No camera is looked at here."""
    vision, cameras = settings.vision, len(watched_cameras(settings.vision))
    if not cameras:
        yield _missing("vision", "none")
        return
    if not (settings.model.is_configured and settings.model.vision):
        yield _broken("vision", "blind", cameras=cameras)
        return
    for name, camera in vision.cameras.items():
        try:
            giver_of(name, camera, clock)
        except BadInput as error:
            yield _broken("vision", "wrong", camera=name, error=error)
        if camera.folder and not os.access(Path(camera.folder).expanduser(), os.R_OK | os.X_OK):
            yield _broken("vision", "folder", camera=name, folder=camera.folder)
    today = _spent_since(url, open_store, clock, zone, days=1, model=settings.model.vision) or counting.total([])
    terms = terms_of(vision)
    why = over_today(terms, Spent(today.calls, today.cost))
    if why is None:
        yield _ok("vision", cameras=cameras, calls=today.calls)
    else:
        yield _missing("vision", "over", cameras=cameras, calls=today.calls, why=wording(f"vision.{why.value}"))


def check_usage(url: str, open_store: OpenStore, clock: Clock, zone: HomeZone) -> Iterator[Finding]:
    """Say what asking models cost lately, if something did; the one question asked here is not counted."""
    spent = _spent_since(url, open_store, clock, zone, days=_LATELY)
    if spent is not None and spent.calls:
        tokens, cost = spent.tokens, spent.cost / 1_000_000
        priced = "-" if spent.unpriced == spent.calls else f"{cost:.4f}"
        counts = {"calls": spent.calls, "failures": spent.failures, "read": tokens.read, "written": tokens.written}
        yield _ok("usage", **counts, cost=priced)


def _spent_since(
    url: str, open_store: OpenStore, clock: Clock, zone: HomeZone, *, days: int, model: str = ""
) -> Tally | None:
    """Return what `model`, or every one, was asked in the last days; None where the database cannot say."""
    if url.startswith("sqlite:") and not _is_there(Path(unquote(urlsplit(url).path))):
        return None
    try:
        with closing(open_store(url)) as store:
            if pending(store):
                return None
            with store.read() as tx:
                rows = counting.since(tx, counting.first_day(clock.now(), days, find_zone(zone.name)))
    except ZhixingError:
        return None  # the finding about the database says so
    return counting.total([row for row in rows if model in ("", row[0].model)])


def _ok(name: str, **values: object) -> Finding:
    return Finding(name, State.OK, wording(f"doctor.{name}_ok", **values))


def _missing(name: str, found: str, **values: object) -> Finding:
    return _told(name, State.MISSING, found, values)


def _broken(name: str, found: str, **values: object) -> Finding:
    return _told(name, State.BROKEN, found, values)


def _told(name: str, state: State, found: str, values: Mapping[str, object]) -> Finding:
    says, fix = (wording(f"doctor.{name}_{found}{end}", **values) for end in ("", "_fix"))
    return Finding(name, state, says, fix)
