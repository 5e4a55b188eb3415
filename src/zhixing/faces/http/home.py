"""What the endpoints reach for: the home they serve."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated

from fastapi import Depends, Request

from zhixing.app import App
from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.notices.model import Submission
from zhixing.notices.notice import Notice
from zhixing.say import say
from zhixing.settings import Limits


@dataclass(frozen=True, slots=True)
class Home:
    """One home and the bounds on what comes in to it."""

    app: App
    limits: Limits

    def say(self, submission: Submission, *, who: str, key: str | None) -> Notice:
        """Say something, unless it is longer than the owner of this home allows."""
        self.check_length(submission.text)
        return say(self.app.notices, submission, who=who, key=key)

    def check_length(self, text: str) -> None:
        """Raise `TooLarge` for text that is longer than the owner of this home allows."""
        if len(text) > self.limits.text_chars:
            raise TooLarge("text_long", limit=self.limits.text_chars)


async def _home(request: Request) -> Home:
    found: Home = request.app.state.home
    return found


AtHome = Annotated[Home, Depends(_home)]


def read_date(text: str) -> date:
    """Read an ISO date. Raises `BadInput`."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise BadInput("date_unreadable", text=text[:64]) from error
