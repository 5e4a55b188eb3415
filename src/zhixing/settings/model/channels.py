"""Ways of telling somebody something."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SecretStr, StringConstraints, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from zhixing.delivery.model import INBOX
from zhixing.settings.model.fields import Group, is_web_address, quiet_hours
from zhixing.world.mqtt.topics import SCHEME, is_topic

_APPRISE_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S+")


class Channel(Group):
    """One way to tell somebody something, under a name of your choice. The inbox has everything at once in any case."""

    kind: Literal["auto", "webhook", "apprise", "mqtt"] = Field(
        default="auto",
        description="`webhook` posts JSON to an http address; `apprise` tells one of its services (extra `notify`); "
        "`mqtt` publishes JSON at the broker of `[mqtt]`. "
        "`auto`: a webhook where the address begins with http, else Apprise.",
    )
    url: SecretStr = Field(
        description="Where a message goes: `https://HOST/PATH`, an address of Apprise such as `ntfy://HOST/TOPIC`, or "
        "`mqtt:///TOPIC`.",
        min_length=1,
    )
    secret: SecretStr = Field(
        default=SecretStr(""), description="Key that signs each message of a webhook. Not set: unsigned."
    )
    idempotent: bool = Field(
        default=False,
        description="The receiver of a webhook or a topic drops a message it has seen; then a send whose fate is "
        "unknown is repeated.",
    )
    quiet: Annotated[str, AfterValidator(quiet_hours)] = Field(
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
        if info.data.get("kind") == "mqtt":
            if not text.startswith(SCHEME) or not is_topic(text.removeprefix(SCHEME)):
                raise PydanticCustomError("channel_topic_wrong", "not a topic")
        elif info.data.get("kind") == "apprise" or (info.data.get("kind") == "auto" and not _begins_with_http(text)):
            if _APPRISE_ADDRESS.fullmatch(text) is None:
                raise PydanticCustomError("channel_url_wrong", "not an address of Apprise")
        elif not is_web_address(text):
            raise PydanticCustomError("url_wrong", "not an http address")
        return url

    @property
    def goes_through(self) -> Literal["webhook", "apprise", "mqtt"]:
        """What `auto` comes to."""
        if self.kind != "auto":
            return self.kind
        return "webhook" if _begins_with_http(self.url.get_secret_value()) else "apprise"


def _begins_with_http(url: str) -> bool:
    return url.lower().startswith(("http:", "https:"))


def _free_name(name: str) -> str:
    if name == INBOX:
        raise PydanticCustomError("name_taken", "the inbox needs no setting")
    return name


ChannelName = Annotated[str, StringConstraints(pattern=r"^\w[\w-]{0,31}$"), AfterValidator(_free_name)]
