"""The model that the settings name."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from zhixing.kernel.clock import Clock
from zhixing.settings.model import Model, Price
from zhixing.world.models.chat import ChatModel, Patience
from zhixing.world.models.usage import Prices, Spent


def _ignored(_spent: Spent) -> None:
    pass


def _prices(price: Price) -> Prices:
    known = None if price.cached is None else Decimal(str(price.cached))
    return Prices(Decimal(str(price.input)), Decimal(str(price.output)), known)


def prices_of(wanted: Model) -> Prices | None:
    """Return what the model for text costs, None where that is not set."""
    price = wanted.prices.get(wanted.text)
    return None if price is None else _prices(price)


def build_model(
    wanted: Model,
    clock: Clock,
    *,
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
        prices={name: _prices(price) for name, price in wanted.prices.items()},
        on_usage=on_usage,
        patience=patience,
    )
