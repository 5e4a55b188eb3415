"""The settings themselves: names, types, bounds, defaults. Nothing here reads a file or a variable.

Descriptions are what docs/settings.md prints. A `SecretStr` is never shown. An empty text means "not set".
"""

from __future__ import annotations

import ipaddress
import re
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    StringConstraints,
    ValidationInfo,
    field_validator,
)
from pydantic_core import PydanticCustomError

from zhixing.delivery.model import INBOX
from zhixing.delivery.policy import read_quiet
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import zone

_HOST_NAME = re.compile(r"(?!-)[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})*\.?")


def _known_zone(name: str) -> str:
    if name:
        try:
            zone(name)
        except BadInput as error:
            raise PydanticCustomError("zone_unknown", "no such zone") from error
    return name


def _reachable_host(host: str) -> str:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError as error:
        if _HOST_NAME.fullmatch(host) is None:
            raise PydanticCustomError("host_wrong", "neither an address nor a host name") from error
    return host


def _web_address(url: str) -> str:
    if url and not _is_web_address(url):
        raise PydanticCustomError("url_wrong", "not an http address")
    return url


def _quiet_hours(text: str) -> str:
    if text:
        try:
            read_quiet(text)
        except ValueError as error:
            raise PydanticCustomError("quiet_wrong", "not two times of day") from error
    return text


def _is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    has_blank = any(character.isspace() for character in url)
    return parts.scheme in ("http", "https") and bool(parts.hostname) and port != 0 and not has_blank


def _database(url: SecretStr) -> SecretStr:
    # What follows is for the database's own driver to judge.
    if url.get_secret_value() and not url.get_secret_value().startswith(("sqlite:///", "postgresql://", "postgres://")):
        raise PydanticCustomError("store_wrong", "not a database address")
    return url


class _Group(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Store(_Group):
    """Where everything is kept."""

    url: Annotated[SecretStr, AfterValidator(_database)] = Field(
        default=SecretStr(""),
        description="`sqlite:///ABSOLUTE/PATH` or `postgresql://USER:PASSWORD@HOST/NAME`. "
        "Not set: the file `zhixing.db` in the home folder.",
    )


class Server(_Group):
    """Where the HTTP server listens. Its token is kept in the file `token` of the home folder, never in here."""

    host: Annotated[str, AfterValidator(_reachable_host)] = Field(
        default="127.0.0.1", description="Address to listen on. Anything but loopback needs a token first."
    )
    port: int = Field(default=8420, ge=1, le=65535, description="Port to listen on.")


_APPRISE_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S+")


class Channel(_Group):
    """One way to tell somebody something, under a name of your choice. The inbox has everything at once in any case."""

    kind: Literal["auto", "webhook", "apprise"] = Field(
        default="auto",
        description="`webhook` posts JSON to an http address; `apprise` tells one of its services (extra `notify`). "
        "`auto`: a webhook where the address begins with http, else Apprise.",
    )
    url: SecretStr = Field(
        description="Where a message goes: `https://HOST/PATH`, or an address of Apprise such as `ntfy://HOST/TOPIC`.",
        min_length=1,
    )
    secret: SecretStr = Field(
        default=SecretStr(""), description="Key that signs each message of a webhook. Not set: unsigned."
    )
    idempotent: bool = Field(
        default=False,
        description="The receiver of a webhook drops a message it has seen; then a send whose fate is unknown is "
        "repeated.",
    )
    quiet: Annotated[str, AfterValidator(_quiet_hours)] = Field(
        default="",
        description="Hours of the home zone in which nothing is sent, such as `22:00-07:00`; messages wait for their "
        "end, except at instants that the user named. Not set: none.",
    )
    per_hour: int = Field(
        default=0,
        ge=0,
        le=3600,
        description="Most messages within an hour; what is more waits and goes out together as one. 0: no limit.",
    )

    @field_validator("url")
    @classmethod
    def _address_of_its_kind(cls, url: SecretStr, info: ValidationInfo) -> SecretStr:
        text = url.get_secret_value()
        if info.data.get("kind") == "apprise" or (info.data.get("kind") == "auto" and not _begins_with_http(text)):
            if _APPRISE_ADDRESS.fullmatch(text) is None:
                raise PydanticCustomError("channel_url_wrong", "not an address of Apprise")
        elif not _is_web_address(text):
            raise PydanticCustomError("url_wrong", "not an http address")
        return url

    @property
    def goes_through(self) -> Literal["webhook", "apprise"]:
        """What `auto` comes to."""
        if self.kind != "auto":
            return self.kind
        return "webhook" if _begins_with_http(self.url.get_secret_value()) else "apprise"


def _begins_with_http(url: str) -> bool:
    return url.lower().startswith(("http:", "https:"))


class Price(_Group):
    """What a model costs, under the name it is asked by, in any currency; only for what `zhixing usage` adds up."""

    input: float = Field(default=0.0, ge=0, le=1_000_000, description="Price of a million tokens read.")
    output: float = Field(default=0.0, ge=0, le=1_000_000, description="Price of a million tokens written.")
    cached: float | None = Field(
        default=None,
        ge=0,
        le=1_000_000,
        description="Price of a million tokens read that the server already knew. Not set: as `input`.",
    )


ModelName = Annotated[str, StringConstraints(min_length=1, max_length=100)]


class Model(_Group):
    """The model that reads what the local rules cannot. Without one, such input is kept and waits."""

    base_url: Annotated[str, AfterValidator(_web_address)] = Field(
        default="", description="Address of an OpenAI-compatible endpoint."
    )
    key: SecretStr = Field(default=SecretStr(""), description="Its key.")
    text: str = Field(default="", description="Name of the model for text.")
    vision: str = Field(default="", description="Name of the model for images.")
    prices: dict[ModelName, Price] = Field(default_factory=dict)

    @property
    def is_configured(self) -> bool:
        """Whether there is a model to ask about text."""
        return bool(self.base_url and self.text)


class Limits(_Group):
    """Bounds on what comes in. What passes one is refused with a line that names it."""

    body_bytes: int = Field(default=1_048_576, ge=1024, le=104_857_600, description="Largest HTTP body, in bytes.")
    text_chars: int = Field(default=20_000, ge=100, le=20_000, description="Longest text of an entry, in characters.")


class Household(_Group):
    """The devices of the home, and which ways of telling the three channels of household tasks stand for."""

    home_file: str = Field(
        default="",
        max_length=1024,
        description="YAML file of the virtual home. Not set: `home.yaml` in the home folder if there is one, "
        "else the home that comes with the program.",
    )
    speaker: str = Field(
        default="",
        max_length=64,
        description="Device id of the speaker behind 音箱播报. Not set: the first one that is online.",
    )
    phone: str = Field(
        default="",
        max_length=400,
        description="Names of the channels behind 手机推送, with commas between them. Not set: all channels.",
    )

    @property
    def phone_channels(self) -> tuple[str, ...]:
        """The names in `phone`."""
        return tuple(name for part in self.phone.split(",") if (name := part.strip()))


def _free_name(name: str) -> str:
    if name == INBOX:
        raise PydanticCustomError("name_taken", "the inbox needs no setting")
    return name


ChannelName = Annotated[str, StringConstraints(pattern=r"^\w[\w-]{0,31}$"), AfterValidator(_free_name)]


class Settings(_Group):
    """All of them."""

    zone: Annotated[str, AfterValidator(_known_zone)] = Field(
        default="",
        description="IANA name of the home time zone. Not set: `TZ`, then the machine's zone, then `Asia/Shanghai`.",
    )
    store: Store = Store()
    server: Server = Server()
    channels: dict[ChannelName, Channel] = Field(default_factory=dict)
    model: Model = Model()
    household: Household = Household()
    limits: Limits = Limits()
