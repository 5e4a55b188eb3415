"""The list of several tasks, and the choice out of it (taskloop §1.4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from zhixing.goals.recognising.answering import replied
from zhixing.goals.recognising.asked import Asked
from zhixing.goals.recognising.describing import Sketch, described
from zhixing.goals.recognising.model import LONGEST_TEXT, MOST_TASKS, Draft, Select
from zhixing.goals.recognising.pending import CIRCLED, pending_block
from zhixing.goals.recognising.picking import letters_in, nearest, ordinal_in
from zhixing.goals.recognising.texts import clauses_of, line, plain
from zhixing.goals.recognising.workflows import command
from zhixing.kernel.wording import wording

_FEW = 3
"""More tasks than this: it is asked whether one is missing."""


def select_card(summaries: Sequence[str]) -> Select:
    """Return the list; more than five are left for another message, and that is said."""
    said = [wording("goal_cards.select_complete")] if len(summaries) > _FEW else []
    said += [wording("goal_cards.select_more")] if len(summaries) > MOST_TASKS else []
    prompt = "\n".join((*said, wording("goal_cards.select")))
    return Select(tuple(summaries[:MOST_TASKS]), prompt)


def chosen(card: Select, text: str) -> tuple[int, str]:
    """Return the place, from 0, of the task that a reply chooses, and what else it says; -1 where it chooses none."""
    said = plain(text[:LONGEST_TEXT])
    first, *_ = clauses_of(said) or [""]
    rest = said[said.find(first) + len(first) :].strip(" 。，,；;\n")
    letters, behind = letters_in(first)
    if place := ordinal_in(first, len(card.summaries)):
        return place - 1, rest
    if len(letters) == 1 and not behind and ord(letters) - ord("A") < len(card.summaries):
        return ord(letters) - ord("A"), rest
    if any(sign in first for sign in CIRCLED) or re.fullmatch(r"\s*\d+\s*", first):
        return -1, ""
    return nearest(first, card.summaries), rest


def sketches_of(card: Select, said: str) -> tuple[list[Sketch], str | None]:
    """Return the tasks of a list as they were said in `said`, the message it was made from, and their workflow."""
    given = command(said)
    found = {each.draft.goal: each for each in described(given.text).sketches} if given else {}
    plainly = [Sketch(Draft(goal=each), each) for each in card.summaries]
    return [found.get(each.draft.goal, each) for each in plainly], given.workflow_id if given else None


def begun(card: Select, said: str, place: int, rest: str) -> tuple[Draft, tuple[str, ...], tuple[str, ...]]:
    """Return the draft of the chosen task, the blocks for the others, and the words that are not understood."""
    sketches, workflow = sketches_of(card, said)
    draft = replace(sketches[place].draft, workflow_id=workflow)
    blocks = tuple(
        pending_block(n, card.summaries[n - 1], line(each.source))
        for n, each in enumerate(sketches, 1)
        if n - 1 != place
    )
    no_questions: tuple[Asked, ...] = ()
    reply = replied(draft, no_questions, rest) if rest else None
    return (reply.draft if reply else draft), blocks, reply.doubtful if reply else ()
