"""serve: the one process of a home that runs its jobs and answers on its port."""

from __future__ import annotations

import shutil
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from fastapi import FastAPI

from zhixing.app import App, opened
from zhixing.documents.watching import Watching
from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.house import zone_line
from zhixing.faces.cli.lock import serve_lock
from zhixing.faces.cli.log import log_file, logging_to
from zhixing.faces.cli.options import AtDesk, within
from zhixing.faces.http import Server, create_app, listen
from zhixing.faces.mqtt.bridge import Bridge, bridge_of
from zhixing.faces.web.password import Password, password_file
from zhixing.faces.web.settings.ground import Ground
from zhixing.household.watching.poller import Poller
from zhixing.kernel.errors import Unavailable, ZhixingError
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.settings import (
    HomeZone,
    check_binding,
    ensure_token,
    home_folder,
    home_zone,
    load,
    read_token,
    token_file,
)
from zhixing.settings.access import TOKEN_VARIABLE
from zhixing.settings.homeassistant import watcher_of
from zhixing.settings.place import make_home
from zhixing.settings.vision import poller_of
from zhixing.world.devices.joined import part
from zhixing.world.homeassistant.watching import Watcher
from zhixing.world.mqtt.devices import MqttDevices

Host = Annotated[str | None, Parameter(name="--host")]
Port = Annotated[int | None, Parameter(name="--port")]

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class _Announced(Server):
    """A server that says when it answers."""

    def __init__(self, api: FastAPI, announce: Callable[[], None]) -> None:
        super().__init__(api)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start answering, then say so."""
        await super().startup(sockets)
        self._announce()


def serve(*, host: Host = None, port: Port = None, desk: AtDesk) -> None:
    """Serve the home until SIGINT or SIGTERM."""
    home = home_folder(desk.env)
    configuration = load(home, desk.env)
    zone = home_zone(configuration.settings.zone, desk.env)
    host = configuration.settings.server.host if host is None else host
    port = configuration.settings.server.port if port is None else within("--port", port, 0, 65_535)
    known = read_token(home, desk.env)
    check_binding(host, known, home)
    make_home(home)
    with (
        serve_lock(home, desk.clock) as lock,
        closing(listen(host, port)) as listening,
        logging_to(home),
        opened(configuration, desk.clock, zone, home, desk.env) as app,
    ):
        # It hears everything from the first connection on.
        watcher = watcher_of(
            configuration.settings.homeassistant,
            app.hub,
            desk.clock,
            take=app.rules.ingest,
            asked=lambda: _asked(app),
        )
        token = ensure_token(home, desk.env)
        url = _url(host, listening)
        lock.tell(url)
        lines = _greeting(url, home, zone, desk, first=known is None, fault=app.goals.terms.fault())
        password = Password(password_file(home))
        api = create_app(
            app,
            token,
            limits=configuration.settings.limits,
            host=host,
            password=password,
            ground=Ground(home, desk.env),
        )
        on_topics = part(app.hub, MqttDevices)
        if on_topics is not None:
            on_topics.link.start()
        bridge = bridge_of(configuration.settings.mqtt, app, desk.clock)
        poller = poller_of(
            configuration.settings, app.store, app.rules, app.hub, clock=desk.clock, zone=find_zone(zone.name)
        )
        _run(app, _Announced(api, lambda: _announce(desk, *lines)), listening, bridge, watcher, poller, app.watching)
    _announce(desk, wording("cli.serve_stopped"))


def _announce(desk: Desk, *lines: str) -> None:
    """Say it if anybody listens; a server does its work either way."""
    with suppress(BrokenPipeError, Unavailable):
        desk.say(*lines)


def _run(
    app: App, server: Server, listening: socket.socket, *beside: Bridge | Watcher | Poller | Watching | None
) -> None:
    if app.store.dialect == "sqlite":
        # The lock says that nobody else works on this home's file. On a shared database the leases decide.
        app.engine.reclaim_all()
    app.recover()
    with _stopping(server):
        app.engine.start()
        going = [each for each in beside if each is not None]
        for each in going:
            each.start()
        try:
            server.run(sockets=[listening])
        finally:
            for each in going:
                each.stop()
            app.running.leave()
            app.engine.stop()


def _asked(app: App) -> set[tuple[str, str]]:
    """Return the conditions that rules ask for now, each with a source that they name."""
    with app.store.read() as tx:
        return {(one.query, source) for one in app.rules.asked(tx) for source in one.sources}


@contextmanager
def _stopping(server: Server) -> Iterator[None]:
    """Let a signal end the server, and nothing else: what comes after it still has to be done."""
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def stop(_number: int, _frame: object) -> None:
        server.should_exit = True

    for number in _SIGNALS:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _url(host: str, listening: socket.socket) -> str:
    name = host.strip("[]")
    return f"http://{f'[{name}]' if ':' in name else name}:{listening.getsockname()[1]}"


def _command(desk: Desk) -> str:
    """Return how this program can be called from another window in the same folder."""
    if shutil.which("zhixing", path=desk.env.get("PATH")) is None and Path(desk.called).name == "zhixing":
        return desk.called
    return "zhixing"


def _greeting(
    url: str, home: Path, zone: HomeZone, desk: Desk, *, first: bool, fault: ZhixingError | None
) -> list[str]:
    own = bool(desk.env.get(TOKEN_VARIABLE, "").strip())
    return [
        *([wording("cli.serve_hello", home=home)] if first else []),
        wording("cli.serve_url", url=url),
        wording("cli.serve_token_variable", variable=TOKEN_VARIABLE)
        if own
        else wording("cli.serve_token", file=token_file(home)),
        *(zone.warnings or [zone_line(zone)]),
        *([] if fault is None else [wording("cli.serve_goals", fault=fault)]),
        wording("cli.serve_try", command=_command(desk)),
        wording("cli.serve_stop", log=log_file(home)),
    ]
