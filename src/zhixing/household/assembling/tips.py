"""Tips: what the user has to be told, read off the claims of a draft and nothing else (H-TIP-01, H-TIP-02)."""

from __future__ import annotations

from collections.abc import Iterator

from zhixing.household.assembling.draft import Draft
from zhixing.household.assembling.words import Kind
from zhixing.kernel.claims import Basis

_BY_CLAUSE = {
    "H-SUBJ-09": "subject_default_user",
    "H-SUBJ-05": "subject_any_person",
    "H-SUBJ-03": "subject_registered_members",
    "H-SUBJ-13": "subject_first_person",
    "H-SRC-03": "source_broadcast",
    "H-SRC-05": "source_multi",
    "H-DUR-22": "duration_default",
    "H-DEB-10": "exit_debounce_default",
    "H-VIEW-06": "viewpoint_default",
    "H-DEV-04": "device_first_candidate",
    "H-FREQ-12": "schedule_default",
    "H-KIND-03": "record_kind_duration",
    "A-51": "safety_duration_dropped",
}
_MILD = {
    "H-EXIT-03": "on_exit_reset_default",
    "A-46": "time_default",
    "A-29": "lifecycle_conflict",
    "A-37": "window_default",
    "A-26": "time_gate",
    "A-54": "count_from_now",
}
LONG = 43_200
"""Longer than this and a restart of the service is worth a word (H-DUR-08)."""
LONG_GAP, MOST_GAP = 1800, 3600


def tips(draft: Draft) -> tuple[str, ...]:
    """Return the tips that the clauses demand, in the order of the claims."""
    return tuple(dict.fromkeys(_demanded(draft)))


def mild_tips(draft: Draft) -> tuple[str, ...]:
    """Return those that follow from the general rule alone (A-55)."""
    return tuple(dict.fromkeys(_mild(draft)))


def _clauses(draft: Draft) -> Iterator[str]:
    claims = (
        draft.subject, draft.duration, draft.debounce, draft.schedule, draft.record, draft.viewpoint, draft.device,
        draft.source, draft.on_exit, draft.lifecycle, draft.window, draft.gate, draft.dropped,
    )  # fmt: skip
    for claim in claims:
        if claim is not None and claim.must_be_told:
            yield claim.evidence


def _demanded(draft: Draft) -> Iterator[str]:
    for clause in _clauses(draft):
        if clause in _BY_CLAUSE:
            yield _BY_CLAUSE[clause]
    if draft.record is not None and draft.behaviour is not None and "metric" in draft.behaviour.marks:
        yield "metric_unverifiable"
    hold = draft.duration
    if hold is not None and hold.basis is Basis.SAID and draft.record is None:
        usual = draft.behaviour.hold if draft.behaviour is not None else None
        if draft.notify:
            yield "single_continuous"
        if hold.value > LONG:
            yield "duration_long_restart"
        if (
            usual is not None
            and hold.value * 3 <= usual
            and draft.behaviour
            and draft.behaviour.kind is Kind.CONTINUOUS
        ):
            yield "duration_deviation"
    gap = draft.debounce
    if gap is not None and gap.basis is Basis.SAID and draft.debounce_wish is not None:
        usual_gap = LONG_GAP if draft.on_exit.value == "none" else 60
        if draft.debounce_wish * 3 <= usual_gap or (
            draft.debounce_wish >= usual_gap * 3 and draft.debounce_wish <= MOST_GAP
        ):
            yield "exit_debounce_deviation"


def _mild(draft: Draft) -> Iterator[str]:
    for clause in _clauses(draft):
        if clause in _MILD:
            yield _MILD[clause]
    if draft.behaviour is not None and "sensor" in draft.behaviour.marks:
        yield "sensor_condition"
    if draft.debounce_wish is not None and draft.debounce_wish > MOST_GAP:
        yield "exit_debounce_capped"
    if draft.behaviour is not None and "empty" in draft.behaviour.marks and draft.source and draft.source.value is None:
        yield "room_empty_any_camera"
