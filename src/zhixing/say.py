"""Any sentence → the way it belongs to. So far there is one way: notices."""

from __future__ import annotations

from zhixing.notices.model import Submission
from zhixing.notices.notice import Notice
from zhixing.notices.operations import Notices
from zhixing.notices.pictures import Picture


def say(notices: Notices, submission: Submission, *, who: str, key: str | None = None) -> Notice:
    """Hand `submission` to its way; the same `key` again changes nothing."""
    return notices.submit(submission, who=who, key=key)


def show(notices: Notices, submission: Submission, picture: Picture, *, who: str, key: str | None = None) -> Notice:
    """Hand a picture, with the words beside it, to its way; the same `key` again changes nothing."""
    return notices.submit_picture(submission, picture, who=who, key=key)
