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
    model_validator,
)
from pydantic_core import PydanticCustomError

from zhixing.delivery.model import INBOX
from zhixing.delivery.policy import read_quiet
from zhixing.kernel.errors import BadInput
from zhixing.kernel.moments import zone
from zhixing.world.homeassistant.facts import MOMENTS
from zhixing.world.mqtt.topics import SCHEME, is_topic
from zhixing.world.perception.reading import LONGEST_QUERY, LONGEST_SOURCE

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


def _reachable_host_if_any(host: str) -> str:
    return _reachable_host(host) if host else host


def _web_address(url: str) -> str:
    if url and not _is_web_address(url):
        raise PydanticCustomError("url_wrong", "not an http address")
    return url


def _picture_address(url: SecretStr) -> SecretStr:
    _web_address(url.get_secret_value())
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


FactName = Annotated[str, StringConstraints(pattern=r"^\w[\w-]{0,31}$")]


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
        if info.data.get("kind") == "mqtt":
            if not text.startswith(SCHEME) or not is_topic(text.removeprefix(SCHEME)):
                raise PydanticCustomError("channel_topic_wrong", "not a topic")
        elif info.data.get("kind") == "apprise" or (info.data.get("kind") == "auto" and not _begins_with_http(text)):
            if _APPRISE_ADDRESS.fullmatch(text) is None:
                raise PydanticCustomError("channel_url_wrong", "not an address of Apprise")
        elif not _is_web_address(text):
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


class Documents(_Group):
    """Tasks that a task.md describes: where they are, and what their runs may use up."""

    project: str = Field(
        default="",
        max_length=1024,
        description="Folder of the project whose `.downcity/task` holds tasks that name no project. "
        "Not set: `documents` in the home folder.",
    )
    sandbox: Literal["auto", "bwrap", "none"] = Field(
        default="auto",
        description="What stands between a script and the machine. `auto` and `bwrap`: bubblewrap, and where that "
        "does not work no script runs. `none`: nothing but limits; each run is marked with it.",
    )
    at_once: int = Field(default=4, ge=1, le=12, description="Most runs at a time, of all tasks together.")
    script_timeout: int = Field(
        default=600, ge=1, le=86_400, description="Seconds that a script may take, unless its task says otherwise."
    )
    agent_timeout: int = Field(
        default=3_600, ge=1, le=86_400, description="Seconds that an agent may take, unless its task says otherwise."
    )
    agent_command: str = Field(
        default="",
        max_length=1024,
        description="Command of an agent of your own, such as the command line of a coding agent; it gets the body of "
        "a task on its standard input. Not set: the built-in agent with the model of `[model]`.",
    )
    folder_mb: int = Field(
        default=512, ge=1, le=1_048_576, description="Mebibytes that a run may leave in its folder; with more it fails."
    )
    kept: int = Field(default=200, ge=1, le=10_000, description="Newest runs of a task that are kept.")


def _topic(text: str) -> str:
    if text and not is_topic(text):
        raise PydanticCustomError("topic_wrong", "not a topic")
    return text


Topic = Annotated[str, AfterValidator(_topic)]
SourceName = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_SOURCE)]


class FrigateCamera(_Group):
    """A camera, under the name that Frigate gives it."""

    source: SourceName = Field(description="Camera of the home that it is, as rules name it, such as `cam_entrance`.")


class Frigate(_Group):
    """What the cameras of Frigate say about persons. Without a camera, Frigate is not listened to."""

    prefix: Topic = Field(default="frigate", min_length=1, description="What its topics begin with.")
    absent: str = Field(
        default="画面中无人", max_length=LONGEST_QUERY, description="Condition that holds while it counts nobody."
    )
    present: str = Field(
        default="画面中有人", max_length=LONGEST_QUERY, description="Condition that holds while it counts somebody."
    )
    arrives: str = Field(
        default="有人出现在画面中",
        max_length=LONGEST_QUERY,
        description="Momentary condition: it has begun to see a person. Not the same as one of the other two.",
    )
    cameras: dict[FactName, FrigateCamera] = Field(default_factory=dict)

    @field_validator("arrives")
    @classmethod
    def _momentary(cls, arrives: str, info: ValidationInfo) -> str:
        if arrives and arrives in (info.data.get("absent"), info.data.get("present")):
            raise PydanticCustomError("condition_twice", "a level and an event are no one condition")
        return arrives


class MqttFact(_Group):
    """One condition that a topic of a sensor tells, under a name of your choice."""

    topic: Topic = Field(min_length=1, description="Topic of the sensor, such as `zigbee2mqtt/大门`; no wildcards.")
    field: str = Field(
        default="",
        max_length=200,
        description="Where the value stands in the JSON of a message, such as `contact` or `climate.temperature`. "
        "Not set: the message is the value.",
    )
    equals: str = Field(default="", max_length=256, description="It holds while the value is this, such as `false`.")
    above: float | None = Field(
        default=None, ge=-1_000_000, le=1_000_000, description="It holds while the value is above this."
    )
    below: float | None = Field(
        default=None,
        ge=-1_000_000,
        le=1_000_000,
        description="It holds while the value is below this; with `above`, between.",
    )
    condition: str = Field(
        min_length=1, max_length=LONGEST_QUERY, description="Condition of rules that this is, such as `大门开着`."
    )
    source: SourceName = Field(description="Source that says so, as rules name it.")
    time: str = Field(
        default="",
        max_length=200,
        description="Where the instant of the measurement stands: ISO with an offset, or seconds or milliseconds since "
        "1970. Not set: when the message came.",
    )
    expires: int = Field(
        default=0,
        ge=0,
        le=604_800,
        description="Seconds after which nothing is known any more unless it is told again. 0: it stands.",
    )
    availability: Topic = Field(
        default="", description="Topic that says whether the sensor is there: `online` or `offline`. Not set: none."
    )

    @model_validator(mode="after")
    def _compares(self) -> MqttFact:
        bounded = self.above is not None or self.below is not None
        if bool(self.equals) == bounded:
            raise PydanticCustomError("fact_wrong", "either equals, or above or below")
        return self


class MqttDevice(_Group):
    """A device of the home that lives on topics, under an id of your choice: of zigbee2mqtt, Tasmota, ESPHome."""

    kind: Literal["light", "plug", "switch", "fan", "humidifier", "curtain"] = Field(
        description="What it is: `light`, `plug`, `switch`, `fan`, `humidifier` or `curtain`."
    )
    name: str = Field(default="", max_length=64, description="What people call it. Not set: its id.")
    room: str = Field(default="", max_length=64, description="Where it is, such as `客厅`.")
    state_topic: Topic = Field(min_length=1, description="Topic on which it says how it is; best retained.")
    state_field: str = Field(
        default="",
        max_length=200,
        description="Where on or off stands in the JSON of the state, such as `state`. Not set: the message is it.",
    )
    command_topic: Topic = Field(min_length=1, description="Topic of commands, such as `zigbee2mqtt/lamp/set`.")
    command_field: str = Field(
        default="",
        max_length=200,
        description="Where on or off stands in the JSON of a command, such as `state`. Not set: the message is it.",
    )
    payload_on: str = Field(
        default="", max_length=256, description="What turns it on. Not set: `ON`, of a curtain `OPEN`."
    )
    payload_off: str = Field(
        default="", max_length=256, description="What turns it off. Not set: `OFF`, of a curtain `CLOSE`."
    )
    payload_stop: str = Field(
        default="", max_length=256, description="What stops a curtain. Not set: it cannot be stopped."
    )
    state_on: str = Field(
        default="", max_length=256, description="State of what is on or open. Not set: as `payload_on`."
    )
    state_off: str = Field(
        default="", max_length=256, description="State of what is off or closed. Not set: as `payload_off`."
    )
    level_topic: Topic = Field(
        default="",
        description="Topic on which a light says its brightness, or a curtain its position. Not set: it has none.",
    )
    level_field: str = Field(
        default="", max_length=200, description="Where that stands in the JSON. Not set: the message is it."
    )
    level_set_topic: Topic = Field(default="", description="Topic that sets it. Not set: `command_topic`.")
    level_set_field: str = Field(
        default="", max_length=200, description="Where it stands in the JSON of a command. Not set: the message is it."
    )
    level_max: int = Field(
        default=100, ge=100, le=65535, description="What full brightness or an open curtain is; of zigbee2mqtt 254."
    )
    availability_topic: Topic = Field(
        default="", description="Topic that says whether it is there: `online` or `offline`. Not set: none."
    )
    transition: int = Field(default=2, ge=0, le=120, description="Seconds it may take until a command shows.")

    @model_validator(mode="after")
    def _told_apart(self) -> MqttDevice:
        if self.level_topic and self.kind not in {"light", "curtain"}:
            raise PydanticCustomError("device_level", "only a light and a curtain have a level")
        if self.on_off[0] == self.on_off[1] or self.shown[0] == self.shown[1]:
            raise PydanticCustomError("device_same", "on and off are the same")
        return self

    @property
    def on_off(self) -> tuple[str, str]:
        """What turns it on and off."""
        usual = ("OPEN", "CLOSE") if self.kind == "curtain" else ("ON", "OFF")
        return self.payload_on or usual[0], self.payload_off or usual[1]

    @property
    def shown(self) -> tuple[str, str]:
        """What its state says when it is on and off."""
        on, off = self.on_off
        return self.state_on or on, self.state_off or off


class Mqtt(_Group):
    """The MQTT broker of the home. Without a host there is none."""

    host: Annotated[str, AfterValidator(_reachable_host_if_any)] = Field(
        default="", description="Address of the broker. Not set: MQTT is not used."
    )
    port: int = Field(default=1883, ge=1, le=65535, description="Its port; with `tls` usually 8883.")
    user: str = Field(default="", max_length=200, description="Who we are to it. Not set: nobody.")
    password: SecretStr = Field(default=SecretStr(""), description="And how it knows.")
    tls: bool = Field(default=False, description="Speak to it encrypted.")
    ca_file: str = Field(
        default="",
        max_length=1024,
        description="PEM file of the authority that signed its certificate. Not set: those this machine trusts.",
    )
    prefix: Topic = Field(
        default="zhixing", min_length=1, max_length=100, description="What our own topics begin with."
    )
    frigate: Frigate = Frigate()
    facts: dict[FactName, MqttFact] = Field(default_factory=dict)
    devices: dict[FactName, MqttDevice] = Field(default_factory=dict)


EntityName = Annotated[str, StringConstraints(pattern=r"^([a-z_]+\.[a-z0-9_]+)?$", max_length=LONGEST_SOURCE)]


class HomeAssistantFact(_Group):
    """One condition that Home Assistant tells, under a name of your choice: a state, or something that happens."""

    condition: str = Field(
        min_length=1, max_length=LONGEST_QUERY, description="Condition of rules that this is, such as `大门开着`."
    )
    entity: EntityName = Field(default="", description="Entity that tells it, such as `binary_sensor.door`.")
    state: str = Field(
        default="",
        max_length=400,
        description="It holds while the state is one of these, with commas between them, such as `on`. Of an `event` "
        "entity: which of its types count; not set: all.",
    )
    above: float | None = Field(default=None, ge=-1e12, le=1e12, description="It holds while the state is above this.")
    below: float | None = Field(
        default=None, ge=-1e12, le=1e12, description="It holds while the state is below this; with `above`, between."
    )
    attribute: str = Field(
        default="", max_length=100, description="Attribute that counts instead of the state. Not set: the state."
    )
    event: str = Field(
        default="", max_length=100, description="Event of the bus that it is instead of an entity, such as `zha_event`."
    )
    data: str = Field(
        default="",
        max_length=400,
        description="What that event has to say, such as `command=on, device_ieee=00:11`. Not set: anything.",
    )

    @model_validator(mode="after")
    def _tells(self) -> HomeAssistantFact:
        bounded = self.above is not None or self.below is not None
        if self.event:
            wrong = bool(self.entity or self.state or self.attribute or bounded)
        elif self.entity.partition(".")[0] in MOMENTS:
            wrong = bool(self.attribute or self.data or bounded)
        else:
            wrong = not self.entity or bool(self.data) or bool(self.state.strip(" ,")) == bounded
        if wrong or (self.data and not all("=" in part for part in self.data.split(","))):
            raise PydanticCustomError("homeassistant_fact_wrong", "either of an entity or of an event")
        return self


class HomeAssistant(_Group):
    """Home Assistant as the hub of the home. With an address it takes the place of the virtual home."""

    url: Annotated[str, AfterValidator(_web_address)] = Field(
        default="", description="Its address, such as `http://homeassistant.local:8123`. Not set: it is not used."
    )
    token: SecretStr = Field(
        default=SecretStr(""), description="Long-lived access token of one of its users, best an administrator."
    )
    speech: EntityName = Field(
        default="", description="Entity that turns text into speech, such as `tts.home`. Not set: the first there is."
    )
    notify: str = Field(
        default="",
        max_length=400,
        pattern=r"^[a-z0-9_., ]*$",
        description="Its notify services that become channels, with commas between them, such as `mobile_app_phone`.",
    )
    facts: dict[FactName, HomeAssistantFact] = Field(default_factory=dict)

    @field_validator("notify")
    @classmethod
    def _free_names(cls, notify: str) -> str:
        if any(part.strip() == INBOX for part in notify.split(",")):
            raise PydanticCustomError("name_taken", "the inbox needs no setting")
        return notify

    @property
    def notify_services(self) -> tuple[str, ...]:
        """The names in `notify`."""
        names = (part.strip().removeprefix("notify.") for part in self.notify.split(","))
        return tuple(dict.fromkeys(name for name in names if name))


class Gateway(_Group):
    """The smart-home hub that runs rule graphs. Without an address it is the virtual one, over the virtual home."""

    address: str = Field(
        default="",
        max_length=300,
        description="Address of a real hub, as its page is opened: `http://192.168.1.2`. Not set: the virtual one.",
    )
    specs: str = Field(
        default="",
        max_length=1024,
        description="Folder with the specifications of the devices of a real hub. Not set: those that come along.",
    )


class VisionCamera(_Group):
    """Where the pictures of one camera come from, under its id or, with `did`, a name of your choice.

    Either an address or a folder; with neither, the home's own hub is asked.
    """

    did: str = Field(default="", max_length=64, description="Id of the camera in the home. Not set: the NAME.")
    url: Annotated[SecretStr, AfterValidator(_picture_address)] = Field(
        default=SecretStr(""), description="Address at which the camera gives one JPEG, PNG or WebP picture."
    )
    user: str = Field(default="", max_length=200, description="User for that address (basic authentication).")
    password: SecretStr = Field(default=SecretStr(""), description="Password for that address.")
    folder: str = Field(
        default="", max_length=1024, description="Folder in which the camera leaves pictures; the newest counts."
    )

    @field_validator("folder")
    @classmethod
    def _one_of_both(cls, folder: str, info: ValidationInfo) -> str:
        url = info.data.get("url")
        if folder and url is not None and url.get_secret_value():
            raise PydanticCustomError("camera_twice", "an address and a folder")
        return folder


VisionCameraName = Annotated[str, StringConstraints(pattern=r"^\w[\w-]{0,63}$")]


class Vision(_Group):
    """How often cameras are looked at, and what that may cost. The model is `model.vision`; without one nobody looks.

    Only cameras named here and in use are looked at, and only while a rule watches something there.
    """

    interval: int = Field(default=10, ge=2, le=3600, description="Seconds between two looks of one camera at least.")
    hold: int = Field(
        default=60,
        ge=0,
        le=3600,
        description="Seconds for which what was judged of a picture goes for the very same picture without asking.",
    )
    oldest: int = Field(
        default=300, ge=5, le=86_400, description="Seconds after which a picture says nothing of how things are."
    )
    per_hour: int = Field(default=1_200, ge=0, le=100_000, description="Most questions within an hour. 0: no limit.")
    per_day: int = Field(
        default=20_000,
        ge=0,
        le=1_000_000,
        description="Most calls of the model for images in a day of the home zone, whoever asks. 0: no limit.",
    )
    cost_per_day: float = Field(
        default=0.0,
        ge=0,
        le=1_000_000,
        description="What these calls may cost in a day, by `model.prices`. 0: no limit.",
    )
    at_once: int = Field(default=1, ge=1, le=8, description="Cameras that are looked at, and asked about, at a time.")
    cameras: dict[VisionCameraName, VisionCamera] = Field(default_factory=dict)


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
    documents: Documents = Documents()
    vision: Vision = Vision()
    mqtt: Mqtt = Mqtt()
    homeassistant: HomeAssistant = HomeAssistant()
    gateway: Gateway = Gateway()
    limits: Limits = Limits()
