"""calendar: the address at which a phone calendar can follow this home."""

from __future__ import annotations

import socket

from zhixing.faces.cli.options import AtDesk, Json
from zhixing.kernel.wording import wording
from zhixing.settings import calendar_token, ensure_token, home_folder, is_loopback, load

_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - it is not bound here


def calendar(*, as_json: Json = False, desk: AtDesk) -> None:
    """Print the address of the calendar feed."""
    home = home_folder(desk.env)
    server = load(home, desk.env).settings.server
    host = server.host.strip("[]")
    name = socket.gethostname() if host in _EVERYWHERE else f"[{host}]" if ":" in host else host
    url = f"http://{name}:{server.port}/calendar/{calendar_token(ensure_token(home, desk.env))}.ics"
    lines = [url, wording("cli.calendar_secret")]
    if is_loopback(host):
        lines.append(wording("cli.calendar_loopback"))
    desk.answer({"url": url}, lines, as_json=as_json)
