"""The MQTT broker, and what is on its topics."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SecretStr, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticCustomError

from zhixing.settings.model.fields import FactName, Group, SourceName, Topic, reachable_host_if_any
from zhixing.world.perception.reading import LONGEST_QUERY


class FrigateCamera(Group):
    """A camera, under the name that Frigate gives it."""

    source: SourceName = Field(description="Camera of the home that it is, as rules name it, such as `cam_entrance`.")


class Frigate(Group):
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


class MqttFact(Group):
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


class MqttDevice(Group):
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


class Mqtt(Group):
    """The MQTT broker of the home. Without a host there is none."""

    host: Annotated[str, AfterValidator(reachable_host_if_any)] = Field(
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
