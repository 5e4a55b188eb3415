"""What a person reads before anything is saved: when, where the result goes, the body, tips and the question."""

from __future__ import annotations

from datetime import datetime

from zhixing.documents.drafting.composing import Draft, when_in_words
from zhixing.documents.model import Deliver, Manual, Once
from zhixing.kernel.questions import Option, Question
from zhixing.kernel.wording import Language, wording
from zhixing.tasks.schedule.next import upcoming

NEXT_RUNS = 3
ENABLED, PAUSED, DROPPED = "A", "B", "C"
"""What the options of the question store."""


def shown(draft: Draft, language: Language = "zh") -> list[str]:
    """Return the lines, in order. The body keeps its line breaks: it is one entry."""
    definition = draft.definition
    lines = [
        _say("shown_title", language, title=definition.title, kind=_say(f"kind_{definition.kind.value}", language)),
        _say("shown_when", language, when=when_in_words(draft.recognised, draft.zone, language)),
        _coming(draft, language),
    ]
    if definition.expires_at is not None:
        lines.append(_say("shown_until", language, at=_local(definition.expires_at, draft)))
    if definition.deliver is Deliver.NONE:
        lines.append(_say("shown_kept", language))
    else:
        lines.append(_say("shown_sent", language, session=definition.session_id))
    lines += [_say("shown_body", language), definition.body.strip()]
    lines += [_say("shown_warning", language, warning=warning) for warning in draft.warnings]
    lines += [_say("shown_tip", language, tip=tip) for tip in draft.tips]
    return [*lines, _say("shown_question", language)]


def question(subject: str, revision: int, language: Language = "zh") -> Question:
    """Return the question about the draft `subject`, as it stands at `revision`."""
    options = (
        Option(ENABLED, _say("option_enabled", language)),
        Option(PAUSED, _say("option_paused", language)),
        Option(DROPPED, _say("option_dropped", language)),
    )
    return Question("document_draft", _say("shown_question", language), options, subject, revision)


def next_runs(draft: Draft) -> list[datetime]:
    """Return the next instants at which it runs, in the zone of the draft; none where it is run by hand."""
    when = draft.definition.when
    if isinstance(when, Manual):
        return []
    found = upcoming(when.at if isinstance(when, Once) else when, draft.zone, draft.now, NEXT_RUNS)
    end = draft.definition.expires_at
    return [one.astimezone(draft.zone) for one in found if end is None or one < end]


def _coming(draft: Draft, language: Language) -> str:
    coming = next_runs(draft)
    if not coming:
        return _say("shown_no_next", language)
    return _say(
        "shown_next", language, times=_say("list_separator", language).join(_local(one, draft) for one in coming)
    )


def _local(at: datetime, draft: Draft) -> str:
    return at.astimezone(draft.zone).strftime("%Y-%m-%d %H:%M %z")


def _say(key: str, language: Language, **values: object) -> str:
    return wording(f"drafting.{key}", language, **values)
