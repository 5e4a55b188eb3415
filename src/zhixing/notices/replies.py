"""From a model's reply to the decision about a submission (document 004 §2): pure, like `understand`.

The reply is kept as it came and read again with every answer; nothing that was decided before is kept beside it. A
submission whose reply names several matters, or one that only the user can settle, is asked about once, and nothing is
built by default (§1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from zhixing.notices.answers import picked
from zhixing.notices.asking import item_selection
from zhixing.notices.model import Answer, Candidate, Entry, Outcome, Submission, Understanding
from zhixing.notices.protocol import PROTOCOL, Rejected, Reply, downgrade, read_reply
from zhixing.notices.titles import LONGEST_TITLE, title_of
from zhixing.notices.understand import LONGEST_TEXT, decide, understand
from zhixing.notices.verify import verify


def read_candidates(
    submission: Submission, reply: object, client_protocol: int = PROTOCOL
) -> tuple[Candidate, ...] | Rejected:
    """Return what may be believed of `reply`: JSON text or what was decoded from it."""
    read: Reply | Rejected
    if client_protocol < PROTOCOL and isinstance(reply, dict):
        read = read_reply(downgrade(reply, client_protocol))
    else:
        read = read_reply(reply)
    return read if isinstance(read, Rejected) else verify(read, submission, client_protocol)


def understand_reply(
    submission: Submission,
    reply: object,
    now: datetime,
    answers: Sequence[Answer] = (),
    *,
    item: int | None = None,
    subject: str = "",
    revision: int = 0,
    client_protocol: int = PROTOCOL,
) -> Understanding:
    """Decide what becomes of `submission`, given a model's reply and the answers so far, at `now`.

    `item` is one of several matters that the user chose to keep, each of which is then a notice of its own; without it
    the first one chosen is decided. A reply that is not to be believed leads to `REJECTED`: the caller lets the model
    repair it once and then keeps the submission for another try.
    """
    if submission.entry is Entry.NOTE or len(submission.text) > LONGEST_TEXT:
        return understand(submission, now, answers)
    found = read_candidates(submission, reply, client_protocol)
    if isinstance(found, Rejected):
        return Understanding(Outcome.REJECTED, "reply_unverified", title_of(submission.text.strip()))
    chosen = chosen_items(found, answers) if item is None else (item,)
    if chosen is None:
        asked = item_selection(_labels(found), subject, revision)
        title = title_of("、".join(candidate.title for candidate in found))
        return Understanding(Outcome.NEEDS_CONFIRMATION, asked.kind, title, question=asked)
    if not chosen:
        return Understanding(Outcome.NO_REMINDER, "none_kept", title_of(submission.text.strip()))
    return decide(found[chosen[0]], submission, now, answers, subject=subject, revision=revision)


def chosen_items(found: Sequence[Candidate], answers: Sequence[Answer]) -> tuple[int, ...] | None:
    """Return which matters are to be kept, in their order: the only one there is, or those the user chose.

    None where he has to be asked: there are several, or a doubt that only he can settle. An answer that names none of
    them is no answer.
    """
    given = next((answer.value for answer in reversed(answers) if answer.kind == "item_selection"), None)
    words = picked(given) if given is not None else None
    if words == "all":
        return tuple(range(len(found)))
    if words == "0":
        return ()
    numbers = [int(number) - 1 for number in words.split(",")] if words else []
    kept = tuple(number for number in numbers if number < len(found))
    if kept:
        return kept
    return (0,) if len(found) == 1 and not found[0].doubts else None


def _labels(found: Sequence[Candidate]) -> list[str]:
    """Return the titles, those that occur twice with their first time."""
    times = Counter(candidate.title for candidate in found)
    labels = []
    for number, candidate in enumerate(found, 1):
        expression = candidate.nodes[0].expression[:LONGEST_TITLE] if candidate.nodes else str(number)
        labels.append(candidate.title if times[candidate.title] == 1 else f"{candidate.title}（{expression}）")
    return labels
