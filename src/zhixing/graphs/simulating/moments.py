"""What a run did, one thing after the other, each with what caused it: the ground on which a run is explained."""

from __future__ import annotations

from typing import Literal

import msgspec

UNCAUSED = -1
"""In place of a cause: nobody knows, or nothing did."""

Kind = Literal["happened", "heard", "carried", "due", "pulsed", "published", "told", "failed", "noted"]
"""`happened` is a line of the script, with its event; `heard` a source that hears a signal; `carried` a wire that
brought a state, or None for a pulse, to `node.pin`; `due` a timer of a card, whose kind is `pin`. The others are what
a card did of it: `pulsed` and `published` at an output (`value` is the state, None without one), `told` with what it
said, `failed` with the `Fail`, `noted` with the code of a notice."""


class Moment(msgspec.Struct, frozen=True, gc=False):
    """One thing; `cause` is the index of an earlier one among all moments of the run. `at_ms` counts from its start."""

    at_ms: int
    cause: int
    kind: Kind
    node: str
    pin: str
    value: object
