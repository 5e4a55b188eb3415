"""Home Assistant, and what it tells."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr, StringConstraints, field_validator, model_validator
from pydantic_core import PydanticCustomError

from zhixing.delivery.model import INBOX
from zhixing.settings.model.fields import FactName, Group, web_address
from zhixing.world.homeassistant.facts import MOMENTS
from zhixing.world.perception.reading import LONGEST_QUERY, LONGEST_SOURCE

EntityName = Annotated[str, StringConstraints(pattern=r"^([a-z_]+\.[a-z0-9_]+)?$", max_length=LONGEST_SOURCE)]


class HomeAssistantFact(Group):
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


class HomeAssistant(Group):
    """Home Assistant as the hub of the home. With an address it takes the place of the virtual home."""

    url: Annotated[str, AfterValidator(web_address)] = Field(
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
