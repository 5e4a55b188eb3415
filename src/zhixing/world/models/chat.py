"""A model behind any endpoint that speaks OpenAI's chat completions.

What passes (no network, 5xx, 429) is tried again with growing pauses, not before the server says, and only while the
prompt's time lasts. What needs a person (key, money, a wrong name, a refused request) is told at once. Servers that
know less than the whole protocol are asked in the dialect they understand (see `dialect`).
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from zhixing.kernel.clock import Clock
from zhixing.world.bounded import Deadline
from zhixing.world.models.dialect import Dialect, simpler
from zhixing.world.models.endpoint import Endpoint
from zhixing.world.models.exchange import Objection, Said, converse
from zhixing.world.models.failures import ModelFailure, ModelGarbled, ModelRefused, ModelUnavailable, Why
from zhixing.world.models.port import Check, Prompt, Reply, anything
from zhixing.world.models.usage import Outcome, Prices, Spent, Tokens
from zhixing.world.models.wire import Trouble, request

_REFUSALS_OF_WORDS = {"400", "422", "500", "501"}
"""Statuses under which servers say that they do not know a parameter."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How often something that passes is tried, and the pauses in seconds: the first, doubled up to the longest."""

    tries: int = 4
    first: float = 1.0
    longest: float = 20.0

    def pause(self, failures: int) -> float:
        """Return the seconds to wait after so many failures."""
        return min(self.first * 2.0 ** (failures - 1), self.longest)


def _ignored(_spent: Spent) -> None:
    pass


class ChatModel:
    """Asks at `base_url` with `key`, if there is one.

    `text` and `vision` are the names of the models; without `vision` images are refused. `prices` are by name.
    `on_usage` is called for every request, on the asking thread, before the reply is handed over; what it raises
    passes through.
    """

    def __init__(
        self,
        base_url: str,
        text: str,
        clock: Clock,
        *,
        key: str = "",
        vision: str = "",
        prices: Mapping[str, Prices] | None = None,
        on_usage: Callable[[Spent], None] = _ignored,
        patience: Patience | None = None,
    ) -> None:
        self._endpoint = Endpoint(base_url, key, clock)
        self._text = text
        self._vision = vision
        self._clock = clock
        self._prices = prices or {}
        self._on_usage = on_usage
        self._patience = patience or Patience()
        self._dialects: dict[str, Dialect] = {}

    def __repr__(self) -> str:
        return f"ChatModel({self._text!r}, vision={self._vision!r})"

    @property
    def sees(self) -> bool:
        """Whether a model for images is configured."""
        return bool(self._vision)

    def ask(self, prompt: Prompt, check: Check = anything) -> Reply:
        """Ask the model for this kind of prompt."""
        if prompt.is_visual and not self.sees:
            raise ModelRefused(Why.NO_VISION)
        model = self._vision if prompt.is_visual else self._text
        start = self._clock.monotonic()
        deadline = Deadline(self._clock, prompt.seconds)
        settled = converse(prompt, check, partial(self._say, prompt, model, deadline), partial(self._told, model))
        elapsed = timedelta(seconds=self._clock.monotonic() - start)
        return Reply(settled.text, settled.value, model, settled.tokens, elapsed, settled.was_repaired)

    def _say(self, prompt: Prompt, model: str, deadline: Deadline, objection: Objection | None) -> Said:
        dialect = self._dialects.get(model, Dialect())
        failures = 0
        while True:
            body = json.dumps(request(prompt, model, dialect, objection), ensure_ascii=False)
            heard = self._endpoint.post(body.encode("utf-8", "replace"), deadline)
            if isinstance(heard, Said):
                self._dialects[model] = dialect
                return heard
            self._spent(model, heard.tokens, Outcome.FAILED)
            other = _other_dialect(dialect, heard, prompt)
            if other is not None:
                dialect = other
                continue
            failures += 1
            pause = self._patience.pause(failures)
            if heard.after is not None:
                pause = max(pause, heard.after.total_seconds())
            if not heard.passes or failures >= self._patience.tries or pause >= deadline.seconds():
                raise _failure(heard)
            self._wait(pause)

    def _wait(self, seconds: float) -> None:
        pause, never = Deadline(self._clock, seconds), threading.Event()
        while (left := pause.seconds()) > 0:
            self._clock.wait(never, left)

    def _told(self, model: str, said: Said, outcome: Outcome) -> None:
        self._spent(model, said.tokens, outcome)

    def _spent(self, model: str, tokens: Tokens, outcome: Outcome) -> None:
        prices = self._prices.get(model)
        cost = prices.cost(tokens) if prices else None
        self._on_usage(Spent(model, self._clock.now(), outcome, tokens, cost))


def _other_dialect(dialect: Dialect, trouble: Trouble, prompt: Prompt) -> Dialect | None:
    if trouble.why not in {Why.REQUEST, Why.SERVER_FAILED} or trouble.detail not in _REFUSALS_OF_WORDS:
        return None
    return simpler(dialect, trouble.said, effort=prompt.wanted_effort, has_shape=prompt.shape is not None)


def _failure(trouble: Trouble) -> ModelFailure:
    if trouble.why is Why.TOO_BIG:
        return ModelGarbled(trouble.why)
    if trouble.passes:
        return ModelUnavailable(trouble.why, trouble.detail, trouble.after)
    return ModelRefused(trouble.why, trouble.detail)
