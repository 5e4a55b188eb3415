"""What programs send about document tasks. The fields of a task are called what they are called in its file."""

from __future__ import annotations

from typing import Any

from pydantic import Field, StrictBool, StrictInt

from zhixing.documents.chats import MOST_CHANNELS
from zhixing.documents.fields import MOST_NAMES, MOST_RETRIES
from zhixing.documents.model import Deliver, Kind, Overlap, Standing
from zhixing.documents.yamlblock import Value
from zhixing.faces.document_access import LONGEST_PROJECT, fields_of
from zhixing.faces.http.api.bodies import Body
from zhixing.tasks.schedule.model import Missed

_BESIDE = {"project", "body", "overwrite", "revision"}
"""What is no field of a file."""


class _Fields(Body):
    """Fields that a file need not have; null takes one out, so that its default counts."""

    timezone: str | None = Field(default=None, description="IANA zone. Not given: the home's.")
    missed: Missed | None = Field(default=None, description="What happens to instants that passed meanwhile: `once`.")
    overlap: Overlap | None = Field(default=None, description="While a run is under way: `skip`.")
    timeout: str | None = Field(default=None, description="How long a run may take.", examples=["10m"])
    retries: StrictInt | None = Field(default=None, ge=0, le=MOST_RETRIES, description="Further tries of what failed.")
    env: list[str] | None = Field(
        default=None, max_length=MOST_NAMES, description="Names of variables of the server that a run gets."
    )
    network: StrictBool | None = Field(default=None, description="Not given: an agent has it, a script has not.")
    paths: list[str] | None = Field(
        default=None,
        max_length=MOST_NAMES,
        description="Files and folders of the project that a run may use; `:rw` behind one: and change.",
    )
    agent_command: str | None = Field(
        default=None, alias="agent_command", description="The command of an agent that gets the body instead."
    )
    deliver: Deliver | None = Field(default=None, description="What is sent to the session: `auto`.")
    expires_at: str | None = Field(default=None, description="When the task ends, with an offset.")

    def fields(self) -> dict[str, Value | None]:
        """Return what was given, as fields of a file."""
        given: dict[str, Any] = self.model_dump(by_alias=True, exclude_unset=True, exclude=_BESIDE)
        return fields_of(given)


class NewDocument(_Fields):
    """A task to be made."""

    title: str = Field(description="Unique in its project; exactly the same title is the same task.")
    description: str
    session_id: str = Field(description="The chat that gets the result.")
    when: str = Field(
        default="@manual",
        description="`@manual`, five cron fields, or `time:` with an instant and its offset.",
        examples=["0 9 * * 1-5", "time:2026-10-12T10:00:00+08:00"],
    )
    body: str = Field(
        default="",
        description="The delivery contract of an agent, or a script for bash. Not given: the template, for an agent.",
    )
    kind: Kind = Field(default=Kind.AGENT)
    review: StrictBool = Field(default=False, description="Whether a simulated user looks over the result.")
    status: Standing = Field(default=Standing.ENABLED)
    project: str | None = Field(
        default=None,
        max_length=LONGEST_PROJECT,
        description="Folder of the project, which is there already. Not given: the home's own.",
    )
    overwrite: StrictBool = Field(default=False, description="Give a task of exactly that title the new content.")


class ChangedDocument(_Fields):
    """What is to be different about a task; the rest of its file stays as it is written."""

    title: str = Field(default="", description="Another title; the folder follows.")
    description: str = ""
    session_id: str = Field(default="", description="The chat that gets the result.")
    when: str | None = Field(default=None, description="Null: `@manual`.")
    body: str = Field(default="", description="The whole new body.")
    kind: Kind = Kind.AGENT
    review: StrictBool = False
    status: Standing = Standing.ENABLED
    revision: str | None = Field(default=None, description="That of the file as it was read: refused (409) if changed.")


class WantedText(Body):
    """The whole text of a task.md."""

    text: str = Field(description="Fields between two lines `---`, then the body.")
    revision: str | None = Field(default=None, description="That of the file as it was read: refused (409) if changed.")


class CheckedText(Body):
    """A text that may become a task.md."""

    text: str


class WantedRun(Body):
    """How a task is run."""

    reason: str = Field(default="", description="Why; it is kept with the run.")
    queue: StrictBool = Field(default=False, description="While a run is under way: run afterwards. One waits at most.")
    session_id: str = Field(default="", description="Another chat that gets the result of this run.")


class WantedStatus(Body):
    """Whether a task is scheduled."""

    status: Standing


class ChatMessage(Body):
    """A message for a chat."""

    session_id: str
    text: str
    at: str | None = Field(
        default=None,
        description="When, with an offset; what has passed is now.",
        examples=["2026-10-12T18:30:00+08:00"],
    )


class WantedChannels(Body):
    """What a session is bound to."""

    channels: list[str] = Field(
        max_length=MOST_CHANNELS, description="Names of channels of the settings; none: only the inbox."
    )
