"""A model as a bot: one question with instructions of its own, and its words are the answer.

The text of an errand is what the bot is to do: it goes to the model as it is. What others have written stands inside it
as quotations, and the system text says how to take those. Asking a model changes nothing outside, so whatever goes
wrong may be asked again.
"""

from __future__ import annotations

from zhixing.kernel.wording import wording
from zhixing.world.bots.hearing import failed, plain, said
from zhixing.world.bots.port import Errand, NotSent, Said
from zhixing.world.models.failures import ModelFailure, ModelRefused, ModelUnavailable, Why
from zhixing.world.models.fence import fence
from zhixing.world.models.port import Model, Prompt, Text
from zhixing.world.models.usage import Prices

MOST_TOKENS = 8_192
"""Tokens of an answer: a plan of many tasks is long."""
_NOT_REACHED = frozenset({Why.HOST_UNKNOWN, Why.UNREACHABLE, Why.TLS_FAILED, Why.BUSY})


class ModelBot:
    """Asks `model` as the bot called `name`, whose owner has written `instructions`."""

    def __init__(self, model: Model, name: str, instructions: str = "", *, prices: Prices | None = None) -> None:
        self._model = model
        self._system = wording("bots.model_prompt", "zh", name=fence(name))
        if instructions.strip():
            self._system += "\n\n" + plain(instructions.strip())
        self._prices = prices

    def ask(self, errand: Errand) -> Said:
        """Ask; see `Bot`. What fails is called `model_unavailable`, `model_refused` or `model_garbled`, and why."""
        text = plain(errand.text)
        if not text.strip():
            return failed("errand_empty")
        prompt = Prompt(self._system, (Text(text),), max_tokens=MOST_TOKENS, seconds=errand.seconds)
        try:
            reply = self._model.ask(prompt)
        except ModelFailure as failure:
            if failure.why in _NOT_REACHED:
                raise NotSent(f"model_{failure.why}") from None
            return failed(f"{_kind(failure)}:{failure.why}")
        cost = self._prices.cost(reply.tokens) / 1_000_000 if self._prices else 0.0
        return said(reply.text, tokens=reply.tokens.read + reply.tokens.written, cost=cost)


def _kind(failure: ModelFailure) -> str:
    match failure:
        case ModelUnavailable():
            return "model_unavailable"
        case ModelRefused():
            return "model_refused"
        case _:
            return "model_garbled"
