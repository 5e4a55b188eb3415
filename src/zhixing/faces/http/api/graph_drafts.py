"""Drafts of rule graphs: a long rule is sent in batches, and made on the hub in one call."""

from __future__ import annotations

from fastapi import APIRouter

from zhixing.faces import gateway_wire
from zhixing.faces.graph_wire import Wire
from zhixing.faces.http.api import graph_bodies as bodies
from zhixing.faces.http.api import hub_shapes
from zhixing.faces.http.home import AtHome, Home
from zhixing.graphs.drafts.model import Draft
from zhixing.graphs.drafts.operations import NotCommitted
from zhixing.graphs.hubs.outcomes import InvalidRule
from zhixing.kernel.moments import zone as find_zone

WHO = "http"

router = APIRouter(prefix="/graphs/drafts", tags=["graphs"])


@router.get("", response_model=hub_shapes.GraphDrafts)
def list_drafts(home: AtHome) -> Wire:
    """List the drafts that are not forgotten yet, the oldest first."""
    return {"drafts": [_of(home, each) for each in home.app.graphs.drafts.page()]}


@router.post("", status_code=201, response_model=hub_shapes.GraphDraft)
def begin(home: AtHome, body: bodies.NewDraft) -> Wire:
    """Begin a draft; it is forgotten half an hour after its last change."""
    return _of(home, home.app.graphs.drafts.begin(body.name, body.variables, enable=body.enable, who=WHO))


@router.get("/{draft}", response_model=hub_shapes.GraphDraft)
def show(home: AtHome, draft: str) -> Wire:
    """Show where a draft is and which cards it has, without their bodies."""
    return _of(home, home.app.graphs.drafts.status(draft))


@router.post("/{draft}/nodes", response_model=hub_shapes.DraftBatch)
def append(home: AtHome, draft: str, body: bodies.Batch) -> Wire:
    """Add cards; the same batch again changes nothing, so a lost answer may be repeated."""
    return gateway_wire.of_batch(home.app.graphs.drafts.append(draft, body.nodes))


@router.patch("/{draft}/nodes", response_model=hub_shapes.DraftBatch)
def edit(home: AtHome, draft: str, body: bodies.DraftEdit) -> Wire:
    """Exchange, add or take away cards by their ids; wires of other cards stay as they are written."""
    return gateway_wire.of_batch(home.app.graphs.drafts.edit(draft, body.upsert, body.remove_ids))


@router.post("/{draft}/commit", response_model=hub_shapes.CommittedDraft)
def commit(home: AtHome, draft: str) -> Wire:
    """Check a draft, lay it out and make its rule in one call. With errors it is kept; said again, the same rule."""
    done = home.app.graphs.drafts.commit(draft)
    if isinstance(done, NotCommitted):
        raise InvalidRule(done.verdict)
    return gateway_wire.of_committed(done)


@router.delete("/{draft}", response_model=hub_shapes.GoneDraft)
def discard(home: AtHome, draft: str) -> Wire:
    """Give up a draft; a rule that was made of it stays. Said twice it changes nothing."""
    return {"draftId": draft, "discarded": home.app.graphs.drafts.discard(draft) is not None}


def _of(home: Home, draft: Draft) -> Wire:
    return gateway_wire.of_draft(draft, find_zone(home.app.zone.name))
