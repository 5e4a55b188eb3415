"""What programs get of a hub that runs rule graphs: the JSON that the MCP tools, the HTTP API and commands share.

Names are those of the original tools where they have one (mijia §4.2). What is not known is null, never left out: a
device without a specification has null for what it can do, which is not the same as nothing. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from zoneinfo import ZoneInfo

from zhixing.faces.graph_wire import Wire, of_finding, of_verdict
from zhixing.faces.spec_wire import of_spec
from zhixing.graphs.checks.finding import Verdict
from zhixing.graphs.drafts.model import Change, Draft
from zhixing.graphs.drafts.operations import Committed
from zhixing.graphs.hubs.asking import DevicesFound, UnreadGraph
from zhixing.graphs.hubs.conflicts import Contest
from zhixing.graphs.hubs.creating import Created, Start
from zhixing.graphs.hubs.entries import Entry, VariableConfig
from zhixing.graphs.hubs.hub_log import HubLog
from zhixing.graphs.hubs.outcomes import Outcome
from zhixing.graphs.hubs.updating import Deleted, Updated
from zhixing.graphs.hubs.usage import DevicePlace, DeviceUsage, DeviceUse
from zhixing.graphs.hubs.variables import VariableUsage
from zhixing.graphs.logs import format_line
from zhixing.graphs.operations import Known
from zhixing.graphs.rule import Rule, is_number
from zhixing.graphs.session import Status
from zhixing.graphs.specs.home import Device, Variable
from zhixing.kernel.moments import iso
from zhixing.kernel.wording import wording


def of_status(status: Status) -> Wire:
    """Write which hub is spoken to: `virtual` or its address."""
    return {"hub": status.hub, "connected": status.connected}


# Devices


def of_device(device: Device) -> Wire:
    """Write a line of the list of devices."""
    return {
        "did": device.did,
        "name": device.name,
        "room": device.room,
        "urn": device.urn,
        "online": device.online,
        "pushAvailable": device.pushes,
        "specV2Access": device.usable,
    }


def of_found(dids: Iterable[str], found: DevicesFound, known: Iterable[Known]) -> Wire:
    """Write devices that were asked for by did, in that order; one that is not there is not called offline."""
    by_did = {each.device.did: each for each in known}
    asked = list(dict.fromkeys(dids))
    rows = [of_known(by_did[did]) if did in by_did else {"did": did, "found": False} for did in asked]
    return {"devices": rows, "count": len(rows), "notFound": list(found.unknown)}


def of_known(known: Known) -> Wire:
    """Write a device with what it can do, but for the service that says who made it."""
    return {"did": known.device.did, "found": True, **of_device(known.device), **of_spec(known.spec)}


def of_device_usage(usage: DeviceUsage) -> Wire:
    """Write where devices are used. Not `complete`: a device without places may still be used."""
    return {
        "devices": [_use(each) for each in usage.devices],
        "orphans": [_use(each) for each in usage.orphans],
        "unreadableGraphs": [of_unread(each) for each in usage.unread],
        "complete": usage.complete,
    }


# Rules


def of_entry(entry: Entry) -> Wire:
    """Write a line of the list of rules; `scope` is where its own variables are."""
    about = entry.user_data
    updated, tags = about.get("lastUpdateTime"), about.get("tags")
    return {
        "id": entry.id,
        "name": entry.name,
        "enable": entry.enabled,
        "uiType": entry.ui_type,
        "scope": entry.scope,
        "lastUpdateTime": updated if is_number(updated) else None,
        "tags": [each for each in tags if isinstance(each, str)] if isinstance(tags, list) else [],
    }


def of_unread(unread: UnreadGraph) -> Wire:
    """Write a rule that could not be read."""
    return {"id": unread.id, "name": unread.name, "reason": str(unread.error)}


def of_report(verdict: Verdict, rule: Rule) -> Wire:
    """Write a verdict with the devices and specifications that the rule names (mijia §3.4)."""
    return {
        **of_verdict(verdict),
        "inspectedDids": sorted({node.did for node in rule.nodes if node.did}),
        "inspectedUrns": sorted({node.urn for node in rule.nodes if node.urn}),
    }


def of_contest(contest: Contest) -> Wire:
    """Write a property that several rules set, each its own way."""
    return {
        "did": contest.did,
        "siid": contest.siid,
        "piid": contest.piid,
        "writers": [
            {
                "graphId": each.rule,
                "graphName": each.rule_name,
                "nodeId": each.node,
                "value": each.value,
                "variable": each.variable,
            }
            for each in contest.writers
        ],
    }


def of_log(log: HubLog, limit: int) -> Wire:
    """Write the last lines of a log, the oldest first, as the hub has them; `count` is of all that were read."""
    return {
        "lines": [format_line(each) for each in log.lines[-limit:]],
        "count": len(log.lines),
        "unread": log.unread,
        "complete": log.complete and len(log.lines) <= limit,
    }


# Writing


def of_created(created: Created) -> Wire:
    """Write what became of making a rule; where nobody knows, the same request with its id goes on."""
    done = "created_before" if created.start is Start.DONE else "created"
    return {
        **_written(created.id, created.outcome, wording(f"gateway.{done}", name=created.rule.name, id=created.id)),
        "enable": created.rule.enabled,
        "scope": created.rule.scope,
        "nodeCount": len(created.rule.nodes),
        "warnings": [of_finding(each) for each in created.verdict.warnings],
    }


def of_committed(done: Committed) -> Wire:
    """Write that the rule of a draft is on the hub; a repeated commit says the same of the same rule."""
    draft = done.draft
    return {
        **_written(draft.rule_id or "", Outcome.APPLIED, wording("gateway.created", name=draft.name, id=draft.rule_id)),
        "draftId": draft.id,
        "nodeCount": len(draft.nodes),
        "warnings": [of_finding(each) for each in done.warnings],
    }


def of_updated(updated: Updated) -> Wire:
    """Write what became of changing or switching a rule; `message` says so too."""
    rule = updated.rule
    said = wording("gateway.updated_on" if rule.enabled else "gateway.updated_off", name=rule.name)
    return {
        **_written(updated.id, updated.outcome, said),
        "name": rule.name,
        "enable": rule.enabled,
        "nodeCount": len(rule.nodes),
        "warnings": [of_finding(each) for each in updated.verdict.warnings],
    }


def of_deleted(deleted: Deleted) -> Wire:
    """Write what became of deleting a rule; `variables` says it of those of its own scope."""
    clean = deleted.variables is Outcome.APPLIED
    said = wording("gateway.deleted" if clean else "gateway.deleted_alone", id=deleted.id, scope=deleted.scope)
    return {
        **_written(deleted.id, deleted.outcome, said),
        "scope": deleted.scope,
        "variables": deleted.variables.value,
    }


# Variables


def of_variable(variable: Variable) -> Wire:
    """Write a variable; with an empty `name` the editor does not offer it."""
    return {
        "scope": variable.scope,
        "id": variable.id,
        "type": variable.type.value,
        "value": variable.value,
        "name": variable.name,
    }


def of_variable_config(config: VariableConfig) -> Wire:
    """Write what is kept about a variable beside its value."""
    return {
        "scope": config.scope,
        "id": config.id,
        "type": config.type.value,
        "name": config.name,
        "userData": {**config.user_data},
    }


def of_variable_usage(usage: VariableUsage) -> Wire:
    """Write where a variable is used."""
    return {
        "places": [{"graphId": each.rule, "graphName": each.rule_name, "nodeId": each.node} for each in usage.places],
        "unreadableGraphs": [of_unread(each) for each in usage.unread],
        "complete": usage.complete,
    }


# Drafts


def of_draft(draft: Draft, zone: ZoneInfo) -> Wire:
    """Write a draft without the bodies of its nodes; `expiresAt` is null while its commit is not settled."""
    expires = draft.expires_at
    return {
        "draftId": draft.id,
        "name": draft.name,
        "status": draft.state.value,
        "enable": draft.enable,
        "nodeCount": len(draft.nodes),
        "nodeIds": [slot.id for slot in draft.nodes],
        "variables": [of_variable(each.variable) for each in draft.variables],
        "bytes": draft.size,
        "graphId": draft.rule_id,
        "updatedAt": iso(draft.updated_at, zone),
        "expiresAt": None if expires is None else iso(expires, zone),
    }


def of_batch(change: Change) -> Wire:
    """Write what became of a batch: how many nodes were new, exchanged, there already alike, taken away."""
    return {
        "draftId": change.draft.id,
        "nodeCount": len(change.draft.nodes),
        "appended": len(change.added),
        "replaced": len(change.replaced),
        "same": len(change.same),
        "removed": len(change.removed),
        "missingIds": list(change.missing),
    }


def _written(graph: str, outcome: Outcome, said: str) -> Wire:
    message = said if outcome is Outcome.APPLIED else outcome.text()
    return {"graphId": graph, "outcome": outcome.value, "message": message}


def _use(use: DeviceUse) -> Wire:
    device = {} if use.device is None else of_device(use.device)
    return {"did": use.did, "found": use.device is not None, **device, "places": [_place(each) for each in use.places]}


def _place(place: DevicePlace) -> Wire:
    return {
        "graphId": place.rule,
        "graphName": place.rule_name,
        "enable": place.enabled,
        "nodeId": place.node,
        "type": place.type,
    }
