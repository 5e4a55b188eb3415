"""A sentence about a task that exists → what is to be different about it, or why that is not clear. Pure."""

from __future__ import annotations

from collections.abc import Callable

from zhixing.household.assembling.request import Home
from zhixing.household.updating import amounts, lives, people, places, telling, times
from zhixing.household.updating.clauses import LONGEST_TEXT, MOST_WISHES, bound, cleaned, several, whole
from zhixing.household.updating.model import Change, Clause, Read, Standing, Step, Unclear
from zhixing.kernel.wording import wording

_READERS: tuple[Callable[[Clause, Standing, Home], Read], ...] = (
    telling.name,
    telling.content,
    lives.ends,
    lives.quiet,
    telling.stays,
    people.presence,
    amounts.window,
    amounts.gap,
    amounts.count,
    amounts.span,
    times.clock,
    places.device,
    places.source,
    people.subject,
    telling.channel,
)
"""In this order: the first that reads a wish has it. Each must account for every word of it."""


def read_change(text: str, standing: Standing, home: Home) -> Change | Unclear:
    """Return what `text` makes of the task.

    All of it is understood, or nothing is changed: several wishes in one sentence are all carried out, in their order.
    """
    if len(text) > LONGEST_TEXT:
        return Unclear("update_long", {"limit": LONGEST_TEXT})
    text = cleaned(text)
    one = _read(whole(text), standing, home)
    if isinstance(one, Step):
        return _change(standing, (one,))
    clauses = several(text)
    if len(clauses) < 2 and (not clauses or clauses[0].to == whole(text).to):
        return one or Unclear("update_unclear")
    if len(clauses) > MOST_WISHES:
        return Unclear("update_many", {"limit": MOST_WISHES})
    return _together(clauses, standing, home)


def _together(clauses: tuple[Clause, ...], standing: Standing, home: Home) -> Change | Unclear:
    steps: list[Step] = []
    for clause in clauses:
        step = _read(clause, steps[-1].after if steps else standing, home)
        if isinstance(step, Unclear):
            return step
        if step is None:
            if not steps:
                return Unclear("update_unclear")
            return Unclear("update_partly", {"said": (clause.what + clause.to)[:32]})
        if any(step.what == earlier.what for earlier in steps):
            return Unclear("update_twice", {"what": wording(f"updating.what_{step.what}")})
        steps.append(step)
    return _change(standing, tuple(steps))


def _read(clause: Clause, standing: Standing, home: Home) -> Read:
    if not clause.to:
        return None
    if bound(clause.what, standing):
        return Unclear("update_bound")
    for reader in _READERS:
        found = reader(clause, standing, home)
        if found is not None:
            return found
    return None


def _change(before: Standing, steps: tuple[Step, ...]) -> Change:
    """Say all of it in one sentence: what is new, and what was so already."""
    after = before
    news: list[Step] = []
    same: list[Step] = []
    for step in steps:
        (news if step.after != after else same).append(step)
        after = step.after
    told = [step.part for step in news]
    told += [step.same for step in same]
    key = "told" if news else "told_same"
    return Change(before, after, wording(f"updating.{key}", task=before.description, parts="；".join(told)))
