"""The twins of every model: one follows a script, one is a function. Both read strictly and repair as the real one."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

from zhixing.kernel.clock import Clock
from zhixing.world.models.exchange import Objection, Said, converse
from zhixing.world.models.failures import ModelFailure, ModelRefused, Why
from zhixing.world.models.port import Check, Prompt, Reply, anything
from zhixing.world.models.usage import Outcome, Prices, Spent, Tokens

Line = dict[str, Any] | str | Said | ModelFailure
"""What a twin says next: a value, the very words, words with their tokens, or what goes wrong instead."""
_TOKENS = Tokens(read=100, written=20)


def _ignored(_spent: Spent) -> None:
    pass


class FunctionModel:
    """A model that says `answer(prompt)`, also when a repair is asked for.

    `asked` holds every prompt, `complaints` what it was told was wrong with its replies.
    """

    name = "scripted"

    def __init__(
        self,
        answer: Callable[[Prompt], Line],
        clock: Clock,
        *,
        sees: bool = True,
        prices: Prices | None = None,
        on_usage: Callable[[Spent], None] = _ignored,
    ) -> None:
        self.asked: list[Prompt] = []
        self.complaints: list[str] = []
        self._answer = answer
        self._clock = clock
        self._sees = sees
        self._prices = prices
        self._on_usage = on_usage

    @property
    def sees(self) -> bool:
        """Whether images can be asked about."""
        return self._sees

    def ask(self, prompt: Prompt, check: Check = anything) -> Reply:
        """Answer as the function says."""
        self.asked.append(prompt)
        if prompt.is_visual and not self._sees:
            raise ModelRefused(Why.NO_VISION)
        start = self._clock.monotonic()

        def say(objection: Objection | None) -> Said:
            if objection is not None:
                self.complaints.append(objection.complaint)
            line = self._answer(prompt)
            if isinstance(line, ModelFailure):
                self._spent(Tokens(), Outcome.FAILED)
                raise line
            return line if isinstance(line, Said) else Said(_words(line), _TOKENS)

        settled = converse(prompt, check, say, lambda said, outcome: self._spent(said.tokens, outcome))
        elapsed = timedelta(seconds=self._clock.monotonic() - start)
        return Reply(settled.text, settled.value, self.name, settled.tokens, elapsed, settled.was_repaired)

    def _spent(self, tokens: Tokens, outcome: Outcome) -> None:
        cost = self._prices.cost(tokens) if self._prices else None
        self._on_usage(Spent(self.name, self._clock.now(), outcome, tokens, cost))


class ScriptedModel(FunctionModel):
    """A model that says the lines of `script`, one for each call. Asking it once the script is used up is a mistake."""

    def __init__(
        self,
        clock: Clock,
        script: Iterable[Line] = (),
        *,
        sees: bool = True,
        prices: Prices | None = None,
        on_usage: Callable[[Spent], None] = _ignored,
    ) -> None:
        super().__init__(self._next, clock, sees=sees, prices=prices, on_usage=on_usage)
        self._script = deque(script)

    def then(self, *lines: Line) -> None:
        """Add to the end of the script."""
        self._script.extend(lines)

    def _next(self, _prompt: Prompt) -> Line:
        if not self._script:
            raise LookupError("the script of this model is used up")
        return self._script.popleft()


def _words(line: dict[str, Any] | str) -> str:
    return line if isinstance(line, str) else json.dumps(line, ensure_ascii=False)
