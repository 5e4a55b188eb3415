"""What the owner of a house may set: `config.toml` in its home folder, `ZHIXING_*` over it (docs/settings.md)."""

from zhixing.settings.access import calendar_token, check_binding, ensure_token, is_loopback, read_token, token_file
from zhixing.settings.change import put
from zhixing.settings.load import Configuration, Shown, Source, load
from zhixing.settings.model import Channel, Limits, Model, Server, Settings, Store
from zhixing.settings.place import config_file, home_folder, make_home
from zhixing.settings.zones import HomeZone, ZoneSource, home_zone

__all__ = [
    "Channel",
    "Configuration",
    "HomeZone",
    "Limits",
    "Model",
    "Server",
    "Settings",
    "Shown",
    "Source",
    "Store",
    "ZoneSource",
    "calendar_token",
    "check_binding",
    "config_file",
    "ensure_token",
    "home_folder",
    "home_zone",
    "is_loopback",
    "load",
    "make_home",
    "put",
    "read_token",
    "token_file",
]
