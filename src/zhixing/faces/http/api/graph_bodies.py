"""What programs send about rule graphs. Rules, cards and lines of scripts are JSON of their own, checked further in."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StrictFloat, StrictInt, StrictStr

from zhixing.faces.http.api.bodies import Body
from zhixing.graphs.drafts.model import MOST_IN_BATCH
from zhixing.graphs.explaining.coverage import MOST_SCRIPTS
from zhixing.graphs.hubs.new_variables import MOST_NEW
from zhixing.graphs.logs import MOST_LINES as MOST_LOGGED
from zhixing.graphs.reading import MOST_NODES
from zhixing.graphs.simulating.reading import MOST_LINES

_ID = 64
_TEXT = 200
Members = dict[str, Any]
Lines = Annotated[list[Members], Field(max_length=MOST_LINES + 1)]


class CheckedGraph(Body):
    """A rule to be looked at."""

    graph: Members = Field(description="The rule: `id`, `nodes`, `cfg`.")
    profile: Literal["editor", "strict"] = Field(default="editor", description="How strict.")
    capabilities: bool = Field(default=False, description="Ask the devices and variables of the hub, too.")


class AskedGraph(Body):
    """A rule that is asked about."""

    graph: Members | None = Field(default=None, description="The rule: `id`, `nodes`, `cfg`.")
    id: str | None = Field(
        default=None,
        max_length=_ID,
        description="Or that of a rule of the hub. What a `setup` does not say is then as the hub has it now.",
    )


class SimulatedGraph(AskedGraph):
    """A rule, and what happens around it."""

    script: Lines = Field(description="The lines of a script: `setup` in the first one, then `at_ms` and what happens.")


class ExplainedGraph(SimulatedGraph):
    """A card of a rule that is to be explained."""

    node: str = Field(max_length=_TEXT, description="Id of the card.")
    pin: str | None = Field(default=None, max_length=_TEXT, description="Only this output of it.")
    firing: int | None = Field(default=None, description="Which time that it fired, from 1. Not given: the last.")
    after_ms: int = Field(default=0, description="Only what came from this instant on counts.")


class SupposedGraph(SimulatedGraph):
    """A rule, and what is supposed to happen besides."""

    at_ms: int = Field(description="When, from the start.")
    event: Members = Field(description="As a line of a script has it, without `at_ms`; of a device also bare.")


class CoveredGraph(AskedGraph):
    """A rule, and scripts that try it."""

    scripts: list[Lines] = Field(min_length=1, max_length=MOST_SCRIPTS)


class ReplayedGraph(AskedGraph):
    """A rule, and a log that it is held against."""

    log: list[str] | None = Field(
        default=None, max_length=MOST_LOGGED, description="Lines as the hub writes them. Not given: its log as it is."
    )
    script: Lines = Field(
        default=[], description="Its `setup` says what devices and variables held when the log began."
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
