"""How a call is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from zhixing.kernel.errors import ZhixingError


def refusal(act: Callable[..., object], *given: object, **named: object) -> str:
    """Return the key of the error that `act` raises; its text is one line with all its values."""
    with pytest.raises(ZhixingError) as caught:
        act(*given, **named)
    said = str(caught.value)
    assert said
    assert not {"\n", "{", "}"} & set(said)
    return caught.value.key
