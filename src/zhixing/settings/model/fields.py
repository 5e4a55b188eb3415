"""What settings are made of: groups, and texts that are checked."""

from __future__ import annotations

import ipaddress
import re
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints
from pydantic_core import PydanticCustomError

from zhixing.delivery.policy import read_quiet
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import zone
from zhixing.world.mqtt.topics import is_topic
from zhixing.world.perception.reading import LONGEST_SOURCE

_HOST_NAME = re.compile(r"(?!-)[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})*\.?")


def known_zone(name: str) -> str:
    """Check the name of a time zone, if there is one."""
    if name:
        try:
            zone(name)
        except BadInput as error:
            raise PydanticCustomError("zone_unknown", "no such zone") from error
    return name


def reachable_host(host: str) -> str:
    """Check an address or the name of a machine."""
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError as error:
        if _HOST_NAME.fullmatch(host) is None:
            raise PydanticCustomError("host_wrong", "neither an address nor a host name") from error
    return host


def reachable_host_if_any(host: str) -> str:
    """Check it unless it is empty."""
    return reachable_host(host) if host else host


def web_address(url: str) -> str:
    """Check an http address, if there is one."""
    if url and not is_web_address(url):
        raise PydanticCustomError("url_wrong", "not an http address")
    return url


def quiet_hours(text: str) -> str:
    """Check two times of day, if there are any."""
    if text:
        try:
            read_quiet(text)
        except ValueError as error:
            raise PydanticCustomError("quiet_wrong", "not two times of day") from error
    return text


def is_web_address(url: str) -> bool:
    """Whether a text is an http address."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    has_blank = any(character.isspace() for character in url)
    return parts.scheme in ("http", "https") and bool(parts.hostname) and port != 0 and not has_blank


class Group(BaseModel):
    """A table of settings; what it does not know is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


FactName = Annotated[str, StringConstraints(pattern=r"^\w[\w-]{0,31}$")]


def _topic(text: str) -> str:
    if text and not is_topic(text):
        raise PydanticCustomError("topic_wrong", "not a topic")
    return text


Topic = Annotated[str, AfterValidator(_topic)]
SourceName = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_SOURCE)]
