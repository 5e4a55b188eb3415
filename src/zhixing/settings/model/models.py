"""The model that is asked, and what it costs."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr, StringConstraints

from zhixing.settings.model.fields import Group, web_address


class Price(Group):
    """What a model costs, under the name it is asked by, in any currency; only for what `zhixing usage` adds up."""

    input: float = Field(default=0.0, ge=0, le=1_000_000, description="Price of a million tokens read.")
    output: float = Field(default=0.0, ge=0, le=1_000_000, description="Price of a million tokens written.")
    cached: float | None = Field(
        default=None,
        ge=0,
        le=1_000_000,
        description="Price of a million tokens read that the server already knew. Not set: as `input`.",
    )


ModelName = Annotated[str, StringConstraints(min_length=1, max_length=100)]


class Model(Group):
    """The model that reads what the local rules cannot. Without one, such input is kept and waits."""

    base_url: Annotated[str, AfterValidator(web_address)] = Field(
        default="", description="Address of an OpenAI-compatible endpoint."
    )
    key: SecretStr = Field(default=SecretStr(""), description="Its key.")
    text: str = Field(default="", description="Name of the model for text.")
    vision: str = Field(default="", description="Name of the model for images.")
    prices: dict[ModelName, Price] = Field(default_factory=dict)

    @property
    def is_configured(self) -> bool:
        """Whether there is a model to ask about text."""
        return bool(self.base_url and self.text)
