"""channel: trying a way to tell somebody something."""

from __future__ import annotations

from cyclopts import App

from zhixing.faces.cli.house import house
from zhixing.faces.cli.options import AtDesk, Json

ARRIVED, NOT_ARRIVED = 0, 2

channel = App(name="channel", help_flags=(), version_flags=())


@channel.command(name="test")
def send_test(name: str, /, *, as_json: Json = False, desk: AtDesk) -> int:
    """Send a message marked as a test, and say what became of it."""
    with house(desk) as home:
        trial = home.app.delivery.test(name.strip())
    desk.answer({"channel": name.strip(), "arrived": trial.arrived, "says": trial.says}, [trial.says], as_json=as_json)
    return ARRIVED if trial.arrived else NOT_ARRIVED
