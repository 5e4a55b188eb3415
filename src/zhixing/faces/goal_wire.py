"""Goals as JSON, under the names of the collaboration API (taskloop §2.3–2.7). Pure.

The number of a run is the millisecond in which its goal was handed in: there is one run a goal.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from zhixing.goals.bots.profiles import Availability, Catalog, Profile
from zhixing.goals.loop.projecting import spec_json
from zhixing.goals.loop.values import product_status
from zhixing.goals.running.listing import Relayed
from zhixing.goals.running.rows import Listed
from zhixing.kernel.moments import from_micros, iso

Wire = dict[str, Any]


def of_accepted(record: Listed) -> Wire:
    """Write that a goal was taken: it can be looked at from now on, and nothing more is promised."""
    return {
        "task_id": record.info.task_id,
        "success": True,
        "run_id": record.created_at,
        "status": product_status(record.status).value,
        "message": None,
        "extend_props": {},
    }


def of_dashboard(board: Mapping[str, Any], record: Listed) -> Wire:
    """Write a goal as `goals.loop.projecting` shows it, with its run and what was sent with it."""
    return {
        "run_id": record.created_at,
        **board,
        "execution_graph": None,
        "execution_config": dict(record.config),
    }


def of_record(record: Listed, zone: ZoneInfo, catalog: Catalog) -> Wire:
    """Write a goal in a list; nobody here knows users by name, so that they are called by their ids."""
    info = record.info
    owner = catalog.find(info.owner_bot_id)
    return {
        "id": record.created_at,
        "task_id": info.task_id,
        "source_type": info.source_type,
        "owner_user_id": info.owner_user_id,
        "owner_user_name": info.owner_user_id,
        "owner_bot_id": info.owner_bot_id,
        "owner_bot_name": info.owner_bot_id if owner is None else owner.name,
        "execution_config": dict(record.config),
        "task_spec": spec_json(info.spec, info.task_id),
        "status": record.status.value,
        "bbs_mode": record.bbs_mode,
        "gmt_create": _moment(record.created_at, zone),
        "gmt_modified": _moment(record.changed_at, zone),
    }


def of_relayed(relayed: Relayed) -> Wire:
    """Write a node on which a bot of the board works or worked."""
    node, head = relayed.node, relayed.graph.head
    return {
        "task_id": head.info.task_id,
        "node_id": node.id,
        "title": node.spec.title or node.spec.objective,
        "status": product_status(node.status).value,
        "assignee": node.run.assignee,
        "bbs_owner": head.relay.owner,
        "bbs_mode": head.relay.mode,
        "bbs_relay_count": head.relay.count,
        "start_time": node.run.first_start,
        "end_time": node.run.ended_at,
        "gaps": [] if node.run.acceptance is None else list(node.run.acceptance.gaps),
    }


def of_bot(profile: Profile, now: datetime, with_token: Collection[str]) -> Wire:
    """Write what may be known of a bot: nothing of how it is reached, which may hold addresses and instructions."""
    return {
        "bot_id": profile.id,
        "bot_name": profile.name,
        "kind": profile.kind.value,
        "abilities": list(profile.abilities),
        "purpose": profile.purpose,
        "relay": profile.relay,
        "available": profile.availability.at(now),
        "availability": _availability(profile.availability),
        "has_token": profile.id in with_token,
    }


def _availability(given: Availability) -> Wire:
    return {
        "enabled": given.enabled,
        "hours": [f"{each.start:%H:%M}-{each.end:%H:%M}" for each in given.hours],
        "days": list(given.days),
        "zone": given.zone,
        "since": None if given.since is None else given.since.isoformat(),
        "until": None if given.until is None else given.until.isoformat(),
    }


def _moment(millis: int, zone: ZoneInfo) -> str:
    return iso(from_micros(millis * 1000), zone)
