"""Whose message a time stands in, and when it was sent (document 004 §1).

A relative day in somebody else's words counts from the day of that message. The words say whose they are where they
can (老师说, 各位同学); else the model may. A date over messages is theirs alone: the nearest one above counts, and only
when the model claims it, it stands alone on its line, and it is not to come.
"""

from __future__ import annotations

import re
from datetime import date

from zhixing.kernel.moments import zone as find_zone
from zhixing.language.cues import Cue, find_cues
from zhixing.language.timex import CalendarDate, Span
from zhixing.notices.dates import Settled, settle_date
from zhixing.notices.ground import Ground
from zhixing.notices.model import NodeKind, Source, Submission
from zhixing.notices.protocol import WireItem

_STATUS_BAR = re.compile(r"[ \n]*[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?[ 0-9A-Za-z%./+|-]*(?=\n|\Z)")


class Messages:
    """The messages of one source."""

    def __init__(self, ground: Ground, submission: Submission) -> None:
        self.ground = ground
        self.source = submission.source
        self.headings = ground.separators()
        self.marked = Cue.QUOTE in find_cues(ground.plain)
        self.submitted = submission.submitted_at.astimezone(find_zone(submission.zone)).date()

    def is_status_bar(self, index: int) -> bool:
        """Whether a time is the clock of the device: a bare clock that is all of the first line of an image."""
        bar = _STATUS_BAR.match(self.ground.plain)
        return self.source is Source.IMAGE and bar is not None and self.ground.times[index].said.span[1] <= bar.end()

    def of(self, item: WireItem) -> Message:
        """Return the message that an item is taken from."""
        return Message(self, item.speaker, self._heading(item.sent_on or ""))

    def _heading(self, words: str) -> int | None:
        """Return the time over the messages that `words` claim, if it may be one."""
        for span in self.ground.places(words):
            touched = self.ground.touched(span)
            if len(touched) == 1 and touched[0] in self.headings:
                said = self.ground.times[touched[0]].said.span
                if span[0] <= said[0] and said[1] <= span[1]:
                    return touched[0]
        return None

    def day_of(self, heading: int) -> date | None:
        """Return the day that a date over messages names, unless it contradicts itself or is to come."""
        said = self.ground.times[heading].said
        if not isinstance(said.date, CalendarDate) or said.date.year_offset is not None:
            return None
        found = settle_date(said.date, reference=self.submitted, submitted=self.submitted, year=None)
        if not isinstance(found, Settled) or said.weekday not in (None, found.day.isoweekday()):
            return None
        return found.day if found.day <= self.submitted else None


class Message:
    """What is claimed of the message of one item."""

    def __init__(self, messages: Messages, speaker: str | None, heading: int | None) -> None:
        self._messages = messages
        self._speaker = speaker
        self._heading = heading

    def is_heading(self, index: int) -> bool:
        """Whether a time is the date of messages and none of the matter: claimed as such, or past and on an image.

        Nor is the clock in the status bar of a screenshot, should a model have copied it (§1).
        """
        if index == self._heading or self._messages.is_status_bar(index):
            return True
        on_image = self._messages.source is Source.IMAGE and index in self._messages.headings
        return on_image and self._messages.day_of(index) is not None

    def sent_on(self, span: Span) -> date | None:
        """Return the day of the message in which `span` stands, if the claimed date is the nearest above it."""
        times = self._messages.ground.times
        above = [index for index in self._messages.headings if times[index].said.span[1] <= span[0]]
        return self._messages.day_of(above[-1]) if above and above[-1] == self._heading else None

    def quotes(self, span: Span, kind: NodeKind) -> bool:
        """Whether somebody else said the time at `span`."""
        if not self._messages.source.speaks_now or self._speaker == "other":
            return True
        voice = self._messages.ground.voice
        if voice is None:
            # Quotation marks alone may be those of a film; who speaks is then for the model to see.
            return self._speaker is None and self._messages.marked
        # 今晚8点提醒我：老师说… is the user's own wish before the other voice begins.
        return not (kind is NodeKind.REMINDER and span[1] <= voice)
