"""The deliverer: leaves to bots and groups, and their results back.

A run has its row before anything leaves, so a delivery without one provably did not. What is left with a bot on its
own side is looked after there; a bot that only answers is asked by a job (`runs`), and its result goes straight to the
goal: collecting it here is what catches the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Literal

from zhixing.goals.contracts.naming import loop_task_id
from zhixing.goals.groups.formations import formation_of
from zhixing.goals.groups.model import Wanted
from zhixing.goals.loop.effects import Deliver, StartExternal
from zhixing.goals.loop.harness import sla_of
from zhixing.goals.loop.limits import NO_SPENDING, Limits
from zhixing.goals.loop.model import Formation
from zhixing.goals.loop.values import DispatchError, RunMode, TaskType
from zhixing.goals.reaching import rows
from zhixing.goals.reaching.directory import Contact, Directory, works_elsewhere
from zhixing.goals.reaching.grouping import Groups
from zhixing.goals.reaching.rows import ENDED, KeptRun, RunState, Subject, bounded
from zhixing.goals.reaching.runs import Runs
from zhixing.goals.reaching.speaking import BOT_UNKNOWN, heard, unechoed
from zhixing.goals.running.operations import Goals
from zhixing.goals.running.ports import Arrived, Delivery, Heard, NotSent, Place
from zhixing.kernel.errors import BadInput, ZhixingError
from zhixing.store.connection import Store
from zhixing.world.bots import port
from zhixing.world.bots.port import COMPLETED, Errand, Receipt, Remote, Said

Whereabouts = Receipt | Said | Literal["not_sent", "unknown"]


class ReachingDeliverer:
    """See `Deliverer`."""

    def __init__(
        self, store: Store, directory: Directory, runs: Runs, groups: Groups, goals_of: Callable[[], Goals]
    ) -> None:
        self._store = store
        self._directory = directory
        self._runs = runs
        self._groups = groups
        self._goals_of = goals_of

    def deliver(self, delivery: Delivery) -> Arrived:
        """Send a leaf; see `Deliverer`."""
        if _is_for_group(delivery):
            return self._begin(delivery)
        contact = self._contact(delivery.assignee or "")
        if contact is None:
            raise NotSent(BOT_UNKNOWN)
        subject = Subject(delivery.key, delivery.task_id, delivery.node_id, delivery.attempt)
        if works_elsewhere(contact.bot):
            return self._leave(contact, contact.bot, subject, delivery.text)
        with self._store.write() as tx:
            self._runs.add(tx, subject, contact, delivery.text)
        return Arrived(run_id=subject.key)

    def whereabouts(self, delivery: Delivery) -> Arrived | Literal["not_sent", "unknown"]:
        """Say what became of a delivery; see `Deliverer`."""
        if _is_for_group(delivery):
            return self._groups.found(delivery.key) or "not_sent"
        with self._store.read() as tx:
            kept = rows.of_key(tx, delivery.key)
        if kept is None or kept.state is RunState.REFUSED:
            return "not_sent"
        if kept.state is not RunState.LEAVING:
            return _arrived(kept)
        found = self._looked_up(kept)
        return found if isinstance(found, str) else _arrived(self._kept(kept.subject, found))

    def poll(self, place: Place) -> Heard | None:
        """Return what an attempt came to; see `Deliverer`."""
        kept = self._run_of(place)
        if kept is None:
            talk = self._talk_of(place)
            result = None if talk is None else self._groups.result(talk)
            # What its turns used was counted with each of them.
            return None if result is None else replace(result, spent=NO_SPENDING)
        if kept.state is RunState.LEAVING:
            # The executor was heard of before the word that it was reached.
            found = self._looked_up(kept)
            if isinstance(found, str):
                return None
            kept = self._kept(kept.subject, found)
        if kept.state is RunState.SENT:
            kept = self._collected(kept)
        elif kept.state in {RunState.QUEUED, RunState.ASKING}:
            self._see_to(kept)
        return heard(kept.said) if kept.state in ENDED else None

    def withdraw(self, place: Place) -> None:
        """Stop an attempt; see `Deliverer`."""
        kept = self._run_of(place)
        if kept is None:
            talk = self._talk_of(place)
            if talk is not None:
                self._groups.stop(talk)
            return
        if kept.state is RunState.LEAVING:
            found = self._looked_up(kept)
            kept = kept if isinstance(found, str) else self._kept(kept.subject, found)
        if kept.state is RunState.SENT:
            self._stop(kept)
        with self._store.write() as tx:
            rows.move(tx, kept.subject.key, rows.OPEN, RunState.STOPPED, self._runs.now())

    # Groups

    def _begin(self, delivery: Delivery) -> Arrived:
        try:
            formation = _formation(delivery)
            return self._groups.begin(
                Wanted(
                    delivery.key,
                    delivery.task_id,
                    delivery.node_id,
                    delivery.attempt,
                    delivery.text,
                    formation,
                    "" if formation is not None else delivery.assignee or "",
                    millis=sla_of(self._limits(delivery.task_id), RunMode.COOP_GROUP),
                )
            )
        except BadInput as error:
            raise NotSent(f"{DispatchError.FORM_GROUP_FAILED}:{error.key}") from error

    def _limits(self, task_id: str) -> Limits:
        graph = self._goals_of().graph(task_id)
        return Limits() if graph is None else graph.head.info.limits

    def _talk_of(self, place: Place) -> str | None:
        """Return the talk of an attempt, also where the goal did not hear its name."""
        base = (place.task_id, place.node_id, place.attempt)
        for key in (Deliver(*base).key, StartExternal(*base, TaskType.YAML).key):
            found = self._groups.found(key)
            if found is not None:
                return found.run_id
        return None

    # Bots on their own side

    def _leave(self, contact: Contact, bot: Remote, subject: Subject, text: str) -> Arrived:
        """Leave an errand with a bot; where it was left before, only what provably did not arrive is sent again."""
        now = self._runs.now()
        with self._store.write() as tx:
            if not rows.add(tx, subject, contact.profile.id, text, state=RunState.LEAVING, at=now):
                rows.move(tx, subject.key, {RunState.REFUSED}, RunState.LEAVING, now)
            kept = rows.of_key(tx, subject.key)
        if kept is None:
            raise NotSent("attempt_taken")
        if kept.state is not RunState.LEAVING:
            return _arrived(kept)
        try:
            found = _sent(bot, _errand(kept, contact))
        except port.NotSent as error:
            with self._store.write() as tx:
                rows.move(tx, subject.key, {RunState.LEAVING}, RunState.REFUSED, self._runs.now())
            raise NotSent(error.reason) from error
        kept = self._kept(subject, found)
        if kept.state is RunState.STOPPED and kept.receipt.run_id:
            # Stopped while it left, when there was nothing yet to tell the bot. It has arrived all the same.
            with suppress(port.Unclear):
                bot.stop(kept.receipt)
        return _arrived(kept)

    def _looked_up(self, kept: KeptRun) -> Whereabouts:
        """Ask a bot what became of an errand that was about to leave."""
        contact = self._directory.contact(kept.bot_id)
        if contact is None or not works_elsewhere(contact.bot):
            return "unknown"
        return contact.bot.whereabouts(_errand(kept, contact))

    def _kept(self, subject: Subject, found: Receipt | Said) -> KeptRun:
        """Keep where an errand is, or what it came to at once, and return its run."""
        with self._store.write() as tx:
            if isinstance(found, Receipt):
                rows.place(tx, subject.key, found, self._runs.now())
            else:
                before = rows.of_key(tx, subject.key)
                own = unechoed(found, "" if before is None else before.text)
                if not rows.end(tx, subject.key, _end_of(found), bounded(own), self._runs.now()):
                    self._runs.used(tx, subject.task_id, heard(own).spent)
            kept = rows.of_key(tx, subject.key)
        if kept is None:
            raise LookupError(subject.key)
        return kept

    def _collected(self, kept: KeptRun) -> KeptRun:
        contact = self._directory.contact(kept.bot_id)
        # Of a bot that is gone nothing can be collected: it may still report, or its time runs out.
        if contact is None or not works_elsewhere(contact.bot):
            return kept
        said = contact.bot.collect(kept.receipt)
        return kept if said is None else self._kept(kept.subject, said)

    def _stop(self, kept: KeptRun) -> None:
        contact = self._directory.contact(kept.bot_id)
        if contact is not None and works_elsewhere(contact.bot):
            contact.bot.stop(kept.receipt)

    # Rows

    def _run_of(self, place: Place) -> KeptRun | None:
        with self._store.read() as tx:
            return rows.of_attempt(tx, place.task_id, place.node_id, place.attempt)

    def _see_to(self, kept: KeptRun) -> None:
        """Put a run on its way again that is under way and that nobody does any more."""
        with self._store.read() as tx:
            cared_for = self._runs.has_job(tx, kept.subject.key)
        if not cared_for:
            with self._store.write() as tx:
                self._runs.see_to(tx, kept.subject.key)

    def _contact(self, bot_id: str) -> Contact | None:
        """Return the way to a bot; whatever is in the way of finding it, nothing has left."""
        try:
            return self._directory.contact(bot_id)
        except ZhixingError as error:
            raise NotSent(error.key) from error


def _sent(bot: Remote, errand: Errand) -> Receipt | Said:
    """Send; where it is not clear whether that arrived, the bot is asked once."""
    try:
        return bot.send(errand)
    except port.Unclear as error:
        found = bot.whereabouts(errand)
        if found == "not_sent":
            raise port.NotSent(error.reason) from error
        if isinstance(found, str):
            raise
        return found


def _is_for_group(delivery: Delivery) -> bool:
    return delivery.task_type is TaskType.YAML or delivery.run_mode is RunMode.COOP_GROUP


def _formation(delivery: Delivery) -> Formation | None:
    if delivery.task_type is TaskType.YAML:
        return formation_of(delivery.assignee or "", delivery.config)
    return delivery.formation


def _errand(kept: KeptRun, contact: Contact) -> Errand:
    subject = kept.subject
    name = loop_task_id(subject.task_id, subject.node_id)
    return Errand(subject.key, kept.text, name, subject.attempt, contact.profile.seconds)


def _end_of(said: Said) -> RunState:
    return RunState.DONE if said.run_status.upper() == COMPLETED else RunState.FAILED


def _arrived(kept: KeptRun) -> Arrived:
    return Arrived(run_id=kept.receipt.run_id or kept.subject.key, session_id=kept.receipt.session_id)
