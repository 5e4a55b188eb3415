"""A hub in memory: the port without a wire, and what can go wrong between the two."""

from __future__ import annotations

import copy
import threading
from collections.abc import Mapping
from typing import Final

from zhixing.kernel.errors import Unavailable
from zhixing.world.hub.faults import Fault, Faults
from zhixing.world.hub.port import CALL_SECONDS, HubRefused, Json, Method, Unconfirmed
from zhixing.world.hub.state import Refusal, State

MOST_CALLS: Final = 10_000
"""Calls that are remembered; earlier ones are forgotten."""

_NOT_CARRIED_OUT = frozenset({Fault.CALL_LOST, Fault.CLOSED_BEFORE})
_ENDS = frozenset({Fault.CLOSED_BEFORE, Fault.CLOSED_AFTER})


class MemoryHub:
    """A hub that holds `state`; implements `Hub`.

    `calls` are the calls that left so far, in order, to see that none was repeated. A fault of a connection that ends
    makes every further call fail until `reconnect`.
    """

    def __init__(self, state: State | None = None) -> None:
        self.state = State() if state is None else state
        self.calls: list[tuple[Method, Mapping[str, Json]]] = []
        self._faults = Faults()
        self._lock = threading.Lock()
        self._over = False

    def inject(self, fault: Fault, method: Method | None = None) -> None:
        """Have one call go wrong: the next of `method`, or the next of all. Several are used up in their order.

        What is carried out and not heard of raises `Unconfirmed`; the faults of a wire do that here too.
        """
        self._faults.add(fault, method)

    def reconnect(self) -> None:
        """Connect again after the connection ended."""
        with self._lock:
            self._over = False

    def call(self, method: Method, params: Mapping[str, Json], *, seconds: float = CALL_SECONDS) -> Json:  # noqa: ARG002
        """Call a method; see `Hub.call`. Nothing takes time here."""
        with self._lock:
            fault = None if self._over else self._faults.take(method)
            if self._over or fault is Fault.UNREACHABLE:
                raise Unavailable("hub_away")
            self._over = fault in _ENDS
            self.calls.append((method, copy.deepcopy(dict(params))))
            del self.calls[:-MOST_CALLS]
            answer = None if fault in _NOT_CARRIED_OUT else self.state.answer(method, params)
        if fault is not None:
            raise Unconfirmed("hub_unconfirmed", method=method.value)
        if isinstance(answer, Refusal):
            raise HubRefused("hub_refused", text=answer.text)
        return answer
