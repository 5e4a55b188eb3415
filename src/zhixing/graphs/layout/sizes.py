"""How large the card of a node type is.

The document gives all nodes one size (528 × 164). The hub's own editor draws each type in a size of its own, some of
them wider than the document's columns, so boxes of one size would overlap there (`CARDS`, the editor's sizes).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple


class Size(NamedTuple):
    """Pixels."""

    width: int
    height: int


class Sizes(StrEnum):
    """Which sizes to lay out with."""

    EDITOR = "editor"
    """Those of the hub's editor, by type."""
    UNIFORM = "uniform"
    """The document's, for all types."""


UNIFORM = Size(528, 164)
"""Of every type in the document, and here of a type that the editor does not know."""

CARDS: Mapping[str, Size] = MappingProxyType(
    {
        "deviceInput": Size(584, 206),
        "deviceGet": Size(700, 240),
        "deviceOutput": Size(684, 204),
        "deviceInputSetVar": Size(554, 206),
        "deviceGetSetVar": Size(566, 200),
        "alarmClock": Size(512, 152),
        "timeRange": Size(524, 152),
        "delay": Size(320, 120),
        "statusLast": Size(340, 140),
        "condition": Size(320, 140),
        "loop": Size(510, 160),
        "onlyNTimes": Size(382, 160),
        "counter": Size(328, 160),
        "signalOr": Size(340, 180),
        "logicOr": Size(240, 120),
        "logicAnd": Size(240, 120),
        "logicNot": Size(240, 120),
        "onLoad": Size(200, 120),
        "eventSequence": Size(524, 180),
        "register": Size(340, 140),
        "modeSwitch": Size(280, 160),
        "varChange": Size(532, 160),
        "varGet": Size(532, 200),
        "varSetNumber": Size(740, 220),
        "varSetString": Size(712, 220),
        "nop": Size(320, 60),
    }
)
"""What the editor draws while a card is edited, its larger state."""


def size_of(node_type: str, sizes: Sizes = Sizes.EDITOR) -> Size:
    """Return the size of a type's card."""
    return UNIFORM if sizes is Sizes.UNIFORM else CARDS.get(node_type, UNIFORM)
