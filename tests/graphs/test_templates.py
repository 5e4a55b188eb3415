"""A type of node by itself: what there is to fill in is what the catalogue and the document's templates have."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from tests.graphs.document_templates import TEXTS

from zhixing.graphs.catalogue import node_types, props_of
from zhixing.graphs.checks.structure import check_structure
from zhixing.graphs.reading import rule_from
from zhixing.graphs.rule import Node
from zhixing.graphs.templates import known_type, uses_of
from zhixing.kernel.errors import NotFound

FILLED: dict[str, Any] = {
    "$ID": "it", "$URN": "urn:miot-spec-v2:device:light:0000A001:sample-x1:1", "$DID": "lamp", "$SIID": 2, "$PIID": 1,
    "$EIID": 1, "$AIID": 1, "$DTYPE": "boolean", "$OPERATOR": "=", "$V1": True, "$VALUE": True, "$SCOPE": "global",
    "$VARTYPE": "number", "$HOUR": 7, "$MINUTE": 0, "$SECOND": 0, "$LATITUDE": 31.2, "$LONGITUDE": 121.5,
    "$ISSUNSET": True, "$ELEMENTS": [{"type": "const", "value": "1"}], "$ARGUMENTS": [{"piid": 1, "dtype": "number",
    "scope": "global", "id": "n"}],
}  # fmt: skip
USES = [(name, use) for name, kind in node_types().items() for use in uses_of(kind)]
OUTSIDE = {
    "required_input_unwired",
    "never_fires",
    "orphan_node",
    "dead_end_logic",
    "register_never_reset",
    "nop_empty",
}
"""What is only said of a node because it stands alone."""
UNWIRED = {"cond_no_trigger", "cond_no_condition", "loop_never_stops", "only_n_never_reset", "status_last_no_input"}
UNSHOWN = {"duration_display_mismatch", "status_last_missing_display", "time_range_zero_length"}
"""What a person has still to choose: a time range that is not empty, and what is made up for when it is written."""


def filled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: filled(each) for key, each in value.items()}
    if isinstance(value, list):
        return [filled(each) for each in value]
    return FILLED[value] if isinstance(value, str) and value.startswith("$") else value


@pytest.mark.parametrize(("name", "use"), USES, ids=[f"{name} {use.name}" for name, use in USES])
def test_a_node_that_is_filled_in_is_right_but_for_its_wires(name: str, use: Any) -> None:
    """G-1.6."""
    node = filled(use.template)
    if "varType" in node["props"]:
        node["props"]["v1"] = 1
    if node["props"].get("dtype") == "boolean" and "id" in node["props"]:
        node["props"]["dtype"] = "number" if name != "deviceOutput" else "boolean"
    given = rule_from({"id": "1710000000000", "nodes": [node], "cfg": {"id": "1710000000000", "enable": True}})
    assert {each.code for each in check_structure(given)} <= OUTSIDE | UNWIRED | UNSHOWN
    assert set(props_of(Node.of(node))) == set(use.props)


def test_it_has_the_pins_and_props_of_the_documents_templates() -> None:
    """G-1.6."""
    for title, text in TEXTS.items():
        wanted = json.loads(re.sub(r"\$[A-Z0-9_]+(?=[,}\]])", "1", text))
        uses = list(uses_of(known_type(wanted["type"])))
        found = next(each for each in uses if set(wanted["props"]) <= set(each.props))
        assert set(found.template["inputs"]) == set(wanted["inputs"]), title
        assert set(found.template["outputs"]) <= set(wanted["outputs"]), title
        assert ("urn" in found.template["cfg"]) is ("urn" in wanted["cfg"]), title


def test_a_type_that_there_is_not_is_not_found() -> None:
    with pytest.raises(NotFound):
        known_type("teleport")
