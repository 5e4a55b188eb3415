"""The port to a model: one question, one reply, or one `ModelFailure`.

Whoever asks gets a reply of the shape asked for, once it has been read strictly and the asker's own check was
satisfied; a reply that is not gets exactly one chance to be repaired. Nothing a model says is believed here or obeyed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import Any, Literal, Protocol

from zhixing.kernel.errors import TooLarge
from zhixing.world.models.shape import Shape
from zhixing.world.models.usage import Tokens

LARGEST_IMAGE = 20 * 1024 * 1024
"""Bytes of one image; more than servers take."""


class Effort(StrEnum):
    """How hard the model is to think, where it can be told."""

    LOW = "low"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class Text:
    """Words of ours, with words of the world only inside a `fence`."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Image:
    """A picture, as it came. Many servers take no HEIC: convert it first."""

    data: bytes = field(repr=False)
    media_type: Literal["image/png", "image/jpeg", "image/webp", "image/heic"]

    def __post_init__(self) -> None:
        if len(self.data) > LARGEST_IMAGE:
            raise TooLarge("image_large", limit=LARGEST_IMAGE)


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question. Its words never appear in its `repr`.

    With an image among the parts the model for images is asked, thinking hard; otherwise the one for text, thinking
    little. `effort` overrides that. `max_tokens` bounds what is written, thoughts included where the server counts them
    in; `seconds` bounds everything together: every try, every pause, the repair.
    """

    system: str = field(repr=False)
    parts: tuple[Text | Image, ...] = field(repr=False)
    shape: Shape | None = None
    effort: Effort | None = None
    max_tokens: int = 4_096
    seconds: float = 60.0

    def __post_init__(self) -> None:
        if not self.parts or self.max_tokens < 1 or self.seconds <= 0:
            raise ValueError("a prompt has parts, and room and time for an answer")

    @property
    def is_visual(self) -> bool:
        """Whether there is something to look at."""
        return any(isinstance(part, Image) for part in self.parts)

    @property
    def wanted_effort(self) -> Effort:
        """How hard to think about it."""
        return self.effort or (Effort.HIGH if self.is_visual else Effort.LOW)


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. `value` is the object when a shape was asked for, and empty otherwise.

    `tokens` and `elapsed` cover everything since the question, an unusable first reply included. `model` is the
    configured name.
    """

    text: str = field(repr=False)
    value: dict[str, Any] = field(repr=False)
    model: str
    tokens: Tokens
    elapsed: timedelta
    was_repaired: bool = False


Check = Callable[[dict[str, Any]], str]
"""The asker's own look at a value of the right shape: what is wrong with it, in a sentence for the model, or ""."""


def anything(_value: dict[str, Any]) -> str:
    """Be content with every value of the right shape."""
    return ""


class Model(Protocol):
    """Somebody to ask. Safe to use from several threads."""

    @property
    def sees(self) -> bool:
        """Whether images can be asked about."""
        ...

    def ask(self, prompt: Prompt, check: Check = anything) -> Reply:
        """Ask, in bounded time. `check` is only called with values of the shape asked for.

        Raises `ModelUnavailable`, `ModelRefused` or `ModelGarbled`.
        """
        ...
