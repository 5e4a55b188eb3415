"""Talking about a document task before it is saved: what a sentence becomes is shown first, and answers change it.

A draft is kept as what was recognised; what is shown is made from that again, so that it is the same after a restart. A
model, where there is one, makes the body richer behind the scenes; an answer that came before somebody has seen that
shows it instead of saving it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from zhixing.documents import drafted
from zhixing.documents.chats import HOME, must_be_storable, read_session
from zhixing.documents.drafted import Drafted, DraftState
from zhixing.documents.drafting import changing, enriching, showing
from zhixing.documents.drafting.changing import Changed, Dropped, NotUnderstood, Saved
from zhixing.documents.drafting.composing import Draft, draft
from zhixing.documents.drafting.recognising import is_document, needs_model, recognise
from zhixing.documents.drafting.wanted import Recognised, decode, encode
from zhixing.documents.model import Definition, Kind, Standing
from zhixing.documents.operations import Documents, DocumentView
from zhixing.engine.model import Engine, Job, RetryAt, Run
from zhixing.engine.shares import MODELS
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, Conflict, NotFound, TooLarge
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.questions import Question
from zhixing.kernel.wording import wording
from zhixing.store.connection import Store, Tx
from zhixing.tasks.sentences import LARGEST_PAGE
from zhixing.world.models.failures import ModelFailure, ModelUnavailable
from zhixing.world.models.port import Model

ENRICH = "document.enrich"
"""The name of the job that has a model make a body richer. Its payload has `draft` and `revision`."""
UNDERSTAND = "document.understand"
"""The name of the job that asks a model whether a sentence asks for a product. Its payload has `draft`."""
LONGEST_TEXT = 2_000
"""Characters of a sentence."""
LONGEST_KEY = 200
"""Characters of a key by which a sentence is said once."""
MOST_PATIENCE = timedelta(minutes=10)
"""How long a model that is away is waited for between two tries."""

Elsewhere = Callable[[Drafted], str]
"""Hands a sentence that asks for no product to another way; returns the id of what it became. Idempotent by its id."""


@dataclass(frozen=True, slots=True)
class DraftView:
    """A draft as it is shown. `draft` is None while a model reads the sentence; `lines` say what there is to say."""

    row: Drafted
    draft: Draft | None
    lines: tuple[str, ...]
    question: Question | None = None
    task: DocumentView | None = None


class Drafts:
    """Drafts of document tasks. Without a model only what is certain is drafted. Make it before the engine starts."""

    def __init__(
        self,
        store: Store,
        engine: Engine,
        clock: Clock,
        documents: Documents,
        *,
        model: Model | None,
        zone: str,
        elsewhere: Elsewhere,
    ) -> None:
        self._store = store
        self._engine = engine
        self._clock = clock
        self._documents = documents
        self._model = model
        self._zone = zone
        self._elsewhere = elsewhere
        engine.register(ENRICH, self._enrich, share=MODELS)
        engine.register(UNDERSTAND, self._understand, share=MODELS)

    def wants(self, text: str) -> bool:
        """Whether a sentence is for this way: it asks for a product, or a model is there to say whether it does."""
        return is_document(text) or (self._model is not None and needs_model(text))

    def is_certain(self, text: str) -> bool:
        """Whether a sentence certainly asks for a product."""
        return is_document(text)

    def find_by_key(self, key: str) -> DraftView | None:
        """Return the draft that was begun with `key`."""
        with self._store.read() as tx:
            row = drafted.find_by_key(tx, key)
        return None if row is None else self._view(row)

    def say(
        self, text: str, *, who: str, key: str | None = None, session_id: str = HOME, said_at: datetime | None = None
    ) -> DraftView:
        """Draft what a sentence asks for, and show it. Raises `BadInput` where it asks for no product."""
        if len(text) > LONGEST_TEXT:
            raise TooLarge("text_long", limit=LONGEST_TEXT)
        must_be_storable(text)
        if key is not None and not 0 < len(key) <= LONGEST_KEY:
            raise BadInput("key_long", limit=LONGEST_KEY)
        said_at = said_at or self._clock.now()
        found = recognise(text, now=said_at, zone=find_zone(self._zone))
        if found is None and (self._model is None or not needs_model(text)):
            raise BadInput("draft_not_document", text=text.strip()[:40])
        with self._store.write() as tx:
            row = None if key is None else drafted.find_by_key(tx, key)
            if row is None:
                row = drafted.insert(
                    tx,
                    Drafted(
                        id=drafted.new_id(tx),
                        text=text,
                        who=who,
                        zone=self._zone,
                        said_at=said_at,
                        session_id=read_session(session_id),
                        recognised="" if found is None else encode(found),
                        state=DraftState.PENDING_AI if found is None else DraftState.SHOWN,
                    ),
                    key,
                )
                self._expect_model(tx, row, found)
        return self.show(row.id)

    def show(self, draft_id: str) -> DraftView:
        """Return a draft, and note that somebody has seen it as it is."""
        with self._store.read() as tx:
            row = drafted.get(tx, draft_id)
        if row.state is DraftState.SHOWN and row.seen != row.revision:
            with self._store.write() as tx:
                row = drafted.get(tx, draft_id)
                row = drafted.save(tx, replace(row, seen=row.revision))
        return self._view(row)

    def page(self, *, states: Sequence[DraftState] = (), limit: int = 50, before: str | None = None) -> list[DraftView]:
        """Return drafts, the newest first."""
        with self._store.read() as tx:
            found = drafted.page(tx, states=states, limit=limit, before=before)
        # The titles of a project are asked of its files: once for all drafts.
        taken = self._titles() if any(row.state is DraftState.SHOWN for row in found) else ()
        return [self._view(row, taken) for row in found]

    def answer(self, draft_id: str, words: str, *, who: str, revision: int | None = None) -> DraftView:
        """Save it, change it or drop it, as the words say; what is not understood changes nothing and is said.

        Raises `Conflict` when it is settled already, or, with `revision`, when it is not at that revision any more.
        """
        must_be_storable(words)
        with self._store.read() as tx:
            row = drafted.get(tx, draft_id)
        if row.state is not DraftState.SHOWN:
            raise Conflict(f"draft_{row.state.value}", id=row.id)
        if revision is not None and revision != row.revision:
            raise Conflict("draft_changed", id=row.id)
        titles = self._titles()
        shown = self._draft(row, titles)
        assert shown is not None, "what is shown was recognised"  # noqa: S101 - for the reader and mypy
        match changing.answered(shown, words, now=self._clock.now(), zone=find_zone(row.zone), taken=titles):
            case Dropped():
                return self.cancel(row.id)
            case Saved(standing):
                if row.seen != row.revision:
                    # It became richer behind his back.
                    return _with_note(self.show(row.id), wording("documents.draft_richer"))
                return self._save(row, replace(shown.definition, status=standing), who)
            case Changed(changed):
                with self._store.write() as tx:
                    now = drafted.get(tx, row.id)
                    if now.revision != row.revision or now.state is not row.state:
                        raise Conflict("draft_changed", id=row.id)
                    session = changed.definition.session_id
                    after = replace(
                        now, recognised=encode(changed.recognised), session_id=session, revision=now.revision + 1
                    )
                    drafted.save(tx, after)
                return self.show(row.id)
            case NotUnderstood(unclear, reason):
                return _with_note(self.show(row.id), wording(f"drafting.{reason}", words=unclear))

    def cancel(self, draft_id: str) -> DraftView:
        """Drop what is open; raise `Conflict` when it is settled already."""
        with self._store.write() as tx:
            row = drafted.get(tx, draft_id)
            if not row.state.open:
                raise Conflict(f"draft_{row.state.value}", id=row.id)
            row = drafted.save(tx, replace(row, state=DraftState.DROPPED))
        return self._view(row)

    def take_up(self) -> int:
        """Have everything read that waits for a model; return how many wait."""
        with self._store.read() as tx:
            waiting = drafted.page(tx, states=[DraftState.PENDING_AI], limit=LARGEST_PAGE)
        if self._model is not None and waiting:
            with self._store.write() as tx:
                for row in waiting:
                    self._expect_model(tx, row, None)
        return len(waiting)

    # Inside

    def _save(self, row: Drafted, definition: Definition, who: str) -> DraftView:
        project = self._documents.project(None)
        created = self._documents.create(project, definition, who=who)
        if created.reused:
            return _with_note(self.show(row.id), wording("documents.draft_title_taken", title=definition.title))
        with self._store.write() as tx:
            row = replace(drafted.get(tx, row.id), state=DraftState.SAVED, note=definition.title)
            row = drafted.save(tx, replace(row, task_id=created.view.task_id))
        return self._view(row)

    def _titles(self) -> list[str]:
        return self._documents.titles(self._documents.project(None))

    def _draft(self, row: Drafted, taken: Collection[str]) -> Draft | None:
        if not row.recognised:
            return None
        found, at = decode(row.recognised), find_zone(row.zone)
        made = draft(found, session_id=row.session_id, now=self._clock.now(), zone=at, taken=taken)
        if self._is_able(found.kind):
            return made
        return replace(made, warnings=(*made.warnings, wording("drafting.no_model")))

    def _is_able(self, kind: Kind) -> bool:
        """Whether a task can be carried out here: an agent's takes a model, or a command that is the agent."""
        return kind is not Kind.AGENT or self._model is not None or bool(self._documents.terms.agent_command)

    def _view(self, row: Drafted, taken: Collection[str] | None = None) -> DraftView:
        match row.state:
            case DraftState.SHOWN:
                shown = self._draft(row, self._titles() if taken is None else taken)
                lines = () if shown is None else tuple(showing.shown(shown))
                return DraftView(row, shown, lines, showing.question(row.id, row.revision))
            case DraftState.SAVED:
                return self._view_saved(row)
            case DraftState.DECLINED:
                return DraftView(row, None, (wording("documents.draft_declined", note=row.note),))
            case _:
                return DraftView(row, None, (wording(f"documents.draft_{row.state.value}"),))

    def _view_saved(self, row: Drafted) -> DraftView:
        try:
            task = self._documents.of_task(row.task_id or "")
        except NotFound:
            return DraftView(row, None, (wording("documents.draft_gone", title=row.note),))
        runs = task.definition is not None and task.definition.status is Standing.ENABLED
        key = "draft_saved" if runs else "draft_kept"
        return DraftView(row, None, (wording(f"documents.{key}", title=task.title),), task=task)

    # The model

    def _expect_model(self, tx: Tx, row: Drafted, found: Recognised | None) -> None:
        if self._model is None:
            return
        now = self._clock.now()
        if found is None:
            self._engine.enqueue(tx, Job(UNDERSTAND, f"draft:{row.id}:understand", now, {"draft": row.id}))
        elif found.kind is Kind.AGENT:
            payload = {"draft": row.id, "revision": row.revision}
            self._engine.enqueue(tx, Job(ENRICH, f"draft:{row.id}:enrich:{row.revision}", now, payload))

    def _understand(self, run: Run) -> None:
        row = self._open(run, DraftState.PENDING_AI)
        if row is None or self._model is None:
            return
        prompt = enriching.question_about(row.text)
        try:
            reply = self._model.ask(prompt, lambda value: enriching.complaint(value, row.text))
        except ModelUnavailable as failure:
            raise RetryAt(self._clock.now() + failure.pause(run.attempt, MOST_PATIENCE), "model away") from failure
        except ModelFailure:
            found = None
        else:
            found = enriching.read_by_model(reply.value, row.text, now=row.said_at, zone=find_zone(row.zone))
        if found is None:
            if self._open(run, DraftState.PENDING_AI) is None:
                # It was dropped while the model read it.
                return
            note = self._elsewhere(row)
            with run.commit() as tx:
                drafted.save(tx, replace(drafted.get(tx, row.id), state=DraftState.DECLINED, note=note))
            return
        with run.commit() as tx:
            now = drafted.get(tx, row.id)
            if now.state is DraftState.PENDING_AI:
                after = replace(now, recognised=encode(found), state=DraftState.SHOWN, revision=now.revision + 1)
                self._expect_model(tx, drafted.save(tx, after), found)

    def _enrich(self, run: Run) -> None:
        row = self._open(run, DraftState.SHOWN)
        if row is None or self._model is None or row.revision != run.job.payload["revision"]:
            return
        shown = self._draft(row, self._titles())
        if shown is None:
            return
        try:
            reply = self._model.ask(enriching.prompt_for(row.text, shown))
        except ModelFailure:
            # The draft is good as it is.
            return
        richer = enriching.enriched(shown, reply.value)
        with run.commit() as tx:
            now = drafted.get(tx, row.id)
            if now.state is DraftState.SHOWN and now.revision == row.revision and richer.recognised != shown.recognised:
                drafted.save(tx, replace(now, recognised=encode(richer.recognised), revision=now.revision + 1))

    def _open(self, run: Run, state: DraftState) -> Drafted | None:
        with self._store.read() as tx:
            row = drafted.get(tx, str(run.job.payload["draft"]))
        return row if row.state is state else None


def _with_note(view: DraftView, note: str) -> DraftView:
    return replace(view, lines=(note, *view.lines))
