"""What programs send about rule graphs. Rules, cards and lines of scripts are JSON of their own, checked further in."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, StrictFloat, StrictInt, StrictStr

from zhixing.faces.http.api.bodies import Body
from zhixing.graphs.drafts.model import MOST_IN_BATCH
from zhixing.graphs.hubs.new_variables import MOST_NEW
from zhixing.graphs.reading import MOST_NODES
from zhixing.graphs.simulating.reading import MOST_LINES

_ID = 64
_TEXT = 200
Members = dict[str, Any]


class CheckedGraph(Body):
    """A rule to be looked at."""

    graph: Members = Field(description="The rule: `id`, `nodes`, `cfg`.")
    profile: Literal["editor", "strict"] = Field(default="editor", description="How strict.")
    capabilities: bool = Field(default=False, description="Ask the devices and variables of the hub, too.")


class SimulatedGraph(Body):
    """A rule, and what happens around it."""

    graph: Members = Field(description="The rule: `id`, `nodes`, `cfg`.")
    script: list[Members] = Field(
        max_length=MOST_LINES + 1,
        description="The lines of a script: `setup` in the first one, then `at_ms` and what happens.",
    )


class WantedGraph(Body):
    """A rule as it is to be."""

    graph: Members = Field(description="The rule: `id`, `nodes`, `cfg`. Settings and places it does not name stay.")
    token: str | None = Field(
        default=None, max_length=_ID, description="That of a plan: refused (409) when either side has changed since."
    )


class NewGraph(Body):
    """A rule to be made. In nodes and variables the scope `rule` stands for its own."""

    name: str = Field(max_length=_TEXT)
    nodes: list[Members] = Field(max_length=MOST_NODES)
    variables: list[Members] = Field(default=[], max_length=MOST_NEW, description="`id`, `type`, `value`, `name`.")
    enable: bool = True
    id: str = Field(
        default="", max_length=_ID, description="Only to repeat a request that named an id because nobody answered."
    )


class ChangedGraph(Body):
    """What of a rule is to change; what is not given stays."""

    name: str | None = Field(default=None, max_length=_TEXT)
    nodes: list[Members] | None = Field(default=None, max_length=MOST_NODES, description="All cards from now on.")
    enable: bool | None = None


class WantedSwitch(Body):
    """On or off."""

    enable: bool


class WantedHub(Body):
    """A real hub."""

    passcode: str = Field(max_length=_ID, description="The 6 digits of the Mi Home app, used up by connecting.")
    gateway_url: str | None = Field(default=None, max_length=_TEXT, description="Not given: that of the settings.")


class NewVariable(Body):
    """A variable to be made."""

    id: str = Field(max_length=_TEXT, description="Letters and digits.")
    type: str = Field(max_length=_ID, description="`number` or `string`.")
    value: StrictInt | StrictFloat | StrictStr
    name: str = Field(default="", max_length=_TEXT, description="What the editor shows. Not given: the id.")
    scope: str = Field(max_length=_ID, description="`global`, or `R` and the id of a rule.")


class OtherVariable(Body):
    """Another value or name of a variable."""

    value: StrictInt | StrictFloat | StrictStr | None = None
    name: str | None = Field(default=None, max_length=_TEXT)


class NewDraft(Body):
    """A rule that is going to be sent in batches."""

    name: str = Field(max_length=_TEXT)
    variables: list[Members] = Field(default=[], max_length=MOST_NEW, description="`id`, `type`, `value`, `name`.")
    enable: bool = True


class Batch(Body):
    """Cards for a draft."""

    nodes: list[Members] = Field(max_length=MOST_IN_BATCH)


class DraftEdit(Body):
    """Cards to exchange or add, and ids of cards to take away."""

    upsert: list[Members] = Field(default=[], max_length=MOST_IN_BATCH)
    remove_ids: list[str] = Field(default=[], max_length=MOST_IN_BATCH)
