"""A rule that is asked about: given whole, or as its id on the hub, around which all is then as the hub has it now."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from zhixing.app import App
from zhixing.graphs.reading import rule_from
from zhixing.graphs.rule import Rule
from zhixing.graphs.simulating.reading import read_script_in
from zhixing.graphs.simulating.script import Script
from zhixing.kernel.errors import BadInput

Members = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """A rule, and what is around it where a script does not say."""

    rule: Rule
    around: Script

    def script(self, lines: Sequence[Members]) -> Script:
        """Read a script. Raises `BadInput` and `TooLarge`."""
        return read_script_in("\n".join(map(json.dumps, lines)), self.around)


def asked(app: App, graph: Members | None, name: str | None) -> Asked:
    """Return what is meant: `graph`, or the rule of the hub with the id `name`. Raises `BadInput` and `NotFound`."""
    rule = rule_meant(app, graph, name)
    if name is None:
        return Asked(rule, Script(start=app.clock.now().astimezone(UTC)))
    return Asked(rule, app.graphs.now(rule))


def rule_meant(app: App, graph: Members | None, name: str | None) -> Rule:
    """Return the rule that is meant, as `asked` does, without a look at what is around it."""
    if graph is not None and name is None:
        return rule_from(graph)
    if graph is None and name is not None:
        return app.graphs.rule(name)
    raise BadInput("gateway_graph_or_id")
