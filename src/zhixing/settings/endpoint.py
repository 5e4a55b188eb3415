"""The model that the settings name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zhixing.kernel.clock import Clock
from zhixing.settings.model import Model
from zhixing.world.models.chat import ChatModel, Patience
from zhixing.world.models.usage import Prices, Spent


def _ignored(_spent: Spent) -> None:
    pass


def build_model(
    wanted: Model,
    clock: Clock,
    *,
    prices: Mapping[str, Prices] | None = None,
    on_usage: Callable[[Spent], None] = _ignored,
    patience: Patience | None = None,
) -> ChatModel | None:
    """Make it; None when none is configured. Asks nothing yet."""
    if not wanted.is_configured:
        return None
    return ChatModel(
        wanted.base_url,
        wanted.text,
        clock,
        key=wanted.key.get_secret_value(),
        vision=wanted.vision,
        prices=prices,
        on_usage=on_usage,
        patience=patience,
    )
