"""All settings together. Nothing here reads a file or a variable."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr
from pydantic_core import PydanticCustomError

from zhixing.settings.model.channels import Channel, ChannelName
from zhixing.settings.model.fields import Group, known_zone, reachable_host
from zhixing.settings.model.homeassistant import HomeAssistant
from zhixing.settings.model.models import Model
from zhixing.settings.model.mqtt import Mqtt
from zhixing.settings.model.vision import Vision
from zhixing.settings.model.ways import Documents, Gateway, Goals, Household


def _database(url: SecretStr) -> SecretStr:
    # What follows is for the database's own driver to judge.
    if url.get_secret_value() and not url.get_secret_value().startswith(("sqlite:///", "postgresql://", "postgres://")):
        raise PydanticCustomError("store_wrong", "not a database address")
    return url


class Store(Group):
    """Where everything is kept."""

    url: Annotated[SecretStr, AfterValidator(_database)] = Field(
        default=SecretStr(""),
        description="`sqlite:///ABSOLUTE/PATH` or `postgresql://USER:PASSWORD@HOST/NAME`. "
        "Not set: the file `zhixing.db` in the home folder.",
    )


class Server(Group):
    """Where the HTTP server listens. Its token is kept in the file `token` of the home folder, never in here."""

    host: Annotated[str, AfterValidator(reachable_host)] = Field(
        default="127.0.0.1", description="Address to listen on. Anything but loopback needs a token first."
    )
    port: int = Field(default=8420, ge=1, le=65535, description="Port to listen on.")


class Limits(Group):
    """Bounds on what comes in. What passes one is refused with a line that names it."""

    body_bytes: int = Field(default=1_048_576, ge=1024, le=104_857_600, description="Largest HTTP body, in bytes.")
    text_chars: int = Field(default=20_000, ge=100, le=20_000, description="Longest text of an entry, in characters.")


class Settings(Group):
    """All of them."""

    zone: Annotated[str, AfterValidator(known_zone)] = Field(
        default="",
        description="IANA name of the home time zone. Not set: `TZ`, then the machine's zone, then `Asia/Shanghai`.",
    )
    store: Store = Store()
    server: Server = Server()
    channels: dict[ChannelName, Channel] = Field(default_factory=dict)
    model: Model = Model()
    household: Household = Household()
    documents: Documents = Documents()
    vision: Vision = Vision()
    mqtt: Mqtt = Mqtt()
    homeassistant: HomeAssistant = HomeAssistant()
    gateway: Gateway = Gateway()
    goals: Goals = Goals()
    limits: Limits = Limits()
