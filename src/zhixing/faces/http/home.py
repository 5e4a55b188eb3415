"""What the endpoints reach for: the home they serve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from fastapi import Depends, Request, UploadFile

from zhixing.app import App
from zhixing.household.sight import find_camera
from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.notices.model import Submission
from zhixing.notices.notice import Notice
from zhixing.notices.pictures import LARGEST_PICTURE, Picture, is_media_type, read_picture
from zhixing.say import Said, say, show
from zhixing.settings import Limits


@dataclass(frozen=True, slots=True)
class Home:
    """One home and the bounds on what comes in to it."""

    app: App
    limits: Limits

    def say(self, submission: Submission, *, who: str, key: str | None, cameras: Sequence[str] = ()) -> Said:
        """Say something, unless it is too long for this home; `cameras` are those of the room it came from."""
        self.check_length(submission.text)
        sources = [find_camera(self.app.hub, camera).did for camera in cameras]
        return say(self.app.ways, submission, who=who, key=key, sources=sources)

    def show(self, submission: Submission, picture: Picture, *, who: str, key: str | None) -> Notice:
        """Give a picture, unless the words beside it are longer than the owner of this home allows."""
        self.check_length(submission.text)
        return show(self.app.notices, submission, picture, who=who, key=key)

    def check_length(self, text: str) -> None:
        """Raise `TooLarge` for text that is longer than the owner of this home allows."""
        if len(text) > self.limits.text_chars:
            raise TooLarge("text_long", limit=self.limits.text_chars)


async def _home(request: Request) -> Home:
    found: Home = request.app.state.home
    return found


AtHome = Annotated[Home, Depends(_home)]


def read_upload(file: UploadFile) -> Picture:
    """Read a picture that was sent; a type that browsers give out of ignorance is passed over.

    Raises like `read_picture`.
    """
    declared = file.content_type or ""
    return read_picture(file.file.read(LARGEST_PICTURE + 1), declared if is_media_type(declared) else None)


def read_date(text: str) -> date:
    """Read an ISO date. Raises `BadInput`."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise BadInput("date_unreadable", text=text[:64]) from error
