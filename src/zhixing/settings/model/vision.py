"""Cameras that a model looks at."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr, StringConstraints, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from zhixing.settings.model.fields import Group, web_address


def _picture_address(url: SecretStr) -> SecretStr:
    web_address(url.get_secret_value())
    return url


class VisionCamera(Group):
    """Where the pictures of one camera come from, under its id or, with `did`, a name of your choice.

    Either an address or a folder; with neither, the home's own hub is asked.
    """

    did: str = Field(default="", max_length=64, description="Id of the camera in the home. Not set: the NAME.")
    url: Annotated[SecretStr, AfterValidator(_picture_address)] = Field(
        default=SecretStr(""), description="Address at which the camera gives one JPEG, PNG or WebP picture."
    )
    user: str = Field(default="", max_length=200, description="User for that address (basic authentication).")
    password: SecretStr = Field(default=SecretStr(""), description="Password for that address.")
    folder: str = Field(
        default="", max_length=1024, description="Folder in which the camera leaves pictures; the newest counts."
    )

    @field_validator("folder")
    @classmethod
    def _one_of_both(cls, folder: str, info: ValidationInfo) -> str:
        url = info.data.get("url")
        if folder and url is not None and url.get_secret_value():
            raise PydanticCustomError("camera_twice", "an address and a folder")
        return folder


VisionCameraName = Annotated[str, StringConstraints(pattern=r"^\w[\w-]{0,63}$")]


class Vision(Group):
    """How often cameras are looked at, and what that may cost. The model is `model.vision`; without one nobody looks.

    Only cameras named here and in use are looked at, and only while a rule watches something there.
    """

    interval: int = Field(default=10, ge=2, le=3600, description="Seconds between two looks of one camera at least.")
    hold: int = Field(
        default=60,
        ge=0,
        le=3600,
        description="Seconds for which what was judged of a picture goes for the very same picture without asking.",
    )
    oldest: int = Field(
        default=300, ge=5, le=86_400, description="Seconds after which a picture says nothing of how things are."
    )
    per_hour: int = Field(default=1_200, ge=0, le=100_000, description="Most questions within an hour. 0: no limit.")
    per_day: int = Field(
        default=20_000,
        ge=0,
        le=1_000_000,
        description="Most calls of the model for images in a day of the home zone, whoever asks. 0: no limit.",
    )
    cost_per_day: float = Field(
        default=0.0,
        ge=0,
        le=1_000_000,
        description="What these calls may cost in a day, by `model.prices`. 0: no limit.",
    )
    at_once: int = Field(default=1, ge=1, le=8, description="Cameras that are looked at, and asked about, at a time.")
    cameras: dict[VisionCameraName, VisionCamera] = Field(default_factory=dict)
