"""The home as the checks of a plan see it. Pure."""

from __future__ import annotations

from zhixing.household.assembling.draft import Draft
from zhixing.household.checks.model import Context, Person
from zhixing.household.composing.model import Site


def context_of(site: Site, draft: Draft) -> Context:
    """Return the context of a plan for `draft`; words from a camera lock it only where they name no other place."""
    home = site.home
    locked = draft.source is not None and draft.source.evidence == "H-SRC-01"
    tasks = dict.fromkeys(site.taken, "active") | {
        task.id: "active" if task.active else "paused" for task in home.tasks
    }
    return Context(
        now=home.now,
        zone=home.zone.key,
        persons=tuple(Person(one.name, one.role) for one in home.persons),
        cameras=tuple(dict.fromkeys([*(eye.did for eye in home.eyes), *home.sources])),
        devices={device.did: device.kind for device in home.devices},
        locked=home.sources if locked else (),
        tasks=tasks,
    )
