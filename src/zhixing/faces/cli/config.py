"""config: the settings of the home."""

from __future__ import annotations

from cyclopts import App

from zhixing.faces.cli.layout import table
from zhixing.faces.cli.lock import is_served
from zhixing.faces.cli.options import AtDesk, Json, text_of
from zhixing.kernel.wording import wording
from zhixing.settings import Shown, Source, config_file, home_folder, load, put
from zhixing.settings.keys import PREFIX

config = App(name="config", help_flags=(), version_flags=())


@config.command
def show(*, as_json: Json = False, desk: AtDesk) -> None:
    """Print every setting, its value, and where it comes from."""
    configuration = load(home_folder(desk.env), desk.env)
    rows = configuration.shown()
    if as_json:
        desk.give(
            {
                "file": str(config_file(configuration.home)),
                "settings": [_wire(row) for row in rows],
            }
        )
        return
    desk.say(*table([[row.key, wording(f"cli.from_{row.source.value}"), _value(row)] for row in rows], desk.width))
    if configuration.strangers:
        desk.say(wording("cli.config_strangers", variables="、".join(configuration.strangers)))


@config.command(name="set")
def set_(key: str, value: str, /, *, as_json: Json = False, desk: AtDesk) -> None:
    """Change one setting in the file; an empty value takes it out, `-` reads it from standard input."""
    home = home_folder(desk.env)
    name = ".".join(part.strip() for part in key.split("."))
    text = text_of((value,), desk).strip("\r\n")
    put(home, name, text)
    found = next((row for row in load(home, desk.env).shown() if row.key == name), None)
    if as_json:
        desk.give(None if found is None else _wire(found))
        return
    if found is None or not text:
        desk.say(wording("cli.config_taken_out", key=name))
    else:
        desk.say(wording("cli.config_set", key=name, value=_value(found)))
    if found is not None and found.source is Source.ENV:
        desk.say(wording("cli.config_overridden", variable=PREFIX + name.replace(".", "_").upper()))
    elif is_served(home):
        desk.say(wording("cli.config_restart"))


@config.command
def path(*, as_json: Json = False, desk: AtDesk) -> None:
    """Print where the settings are written."""
    file = config_file(home_folder(desk.env))
    desk.answer({"file": str(file)}, [str(file)], as_json=as_json)


def _wire(row: Shown) -> dict[str, str | float | bool | None]:
    return {"key": row.key, "value": row.value, "source": row.source.value}


def _value(row: Shown) -> str:
    if row.value is None or row.value == "":
        return wording("cli.config_not_set")
    return str(row.value).lower() if isinstance(row.value, bool) else str(row.value)
