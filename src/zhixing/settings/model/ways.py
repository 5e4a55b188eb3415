"""What the ways of tasks need of their owner: household, documents, rule graphs, goals."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SecretStr

from zhixing.settings.model.fields import FactName, Group, web_address


class Household(Group):
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


class Documents(Group):
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


class Gateway(Group):
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


class BotSecret(Group):
    """What proves to a bot who asks, under the name that its profile gives it."""

    value: SecretStr = Field(description="The secret itself; it is sent as a bearer token.", min_length=1)


class Goals(Group):
    """Goals that bots reach together: who they are, and what a goal may use when it says nothing itself."""

    bots: str = Field(
        default="",
        max_length=1024,
        description="TOML or YAML file of the bots. Not set: `bots.toml` in the home folder if there is one.",
    )
    owner: str = Field(
        default="",
        max_length=200,
        description="Id of the bot that plans and chooses where a goal names none. Not set: the model of `[model]`.",
    )
    scenarios: str = Field(
        default="",
        max_length=4_000,
        description="Scenarios that are played, with commas between them: a shipped one by its name or a folder by its "
        "path. Not set: none.",
    )
    backend: Annotated[str, AfterValidator(web_address)] = Field(
        default="",
        max_length=300,
        description="Address under which bots reach this program. Not set: where `[server]` listens.",
    )
    closing: str = Field(
        default="",
        max_length=1_000,
        description="Last line of what the planning bot is asked, such as `禁止联网搜索`. Not set: none.",
    )
    at_once: int = Field(default=6, ge=1, le=12, description="Bots that are asked at a time, of all goals together.")
    tokens: int | None = Field(
        default=None, ge=0, le=1_000_000_000, description="Most tokens of a goal. Not set: no limit."
    )
    cost: float | None = Field(default=None, ge=0, le=1_000_000, description="Most cost of a goal. Not set: no limit.")
    hours: float | None = Field(
        default=None, ge=0, le=168, description="Hours after which a goal ends with what it has. Not set: no limit."
    )
    secrets: dict[FactName, BotSecret] = Field(default_factory=dict)

    @property
    def scenario_names(self) -> tuple[str, ...]:
        """The names in `scenarios`."""
        return tuple(name for part in self.scenarios.split(",") if (name := part.strip()))
