"""Who asks the bots: the job of one turn, and what follows from its answer in the same transaction.

That a turn is about to be asked is marked on disk before. A bot with effects outside is not asked again for a turn
whose mark is there already: it is asked what became of it, and where nobody knows, that counts as silence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

import msgspec

from zhixing.engine.model import Engine, Job, Run
from zhixing.goals.bots.collaborating import Duty, Message, Word
from zhixing.goals.bots.profiles import Catalog, Profile
from zhixing.goals.contracts.naming import loop_task_id
from zhixing.goals.groups import rows
from zhixing.goals.groups.answering import is_result, read_turn, spent_of
from zhixing.goals.groups.model import (
    INTERRUPTED,
    LONGEST_NOTE,
    LONGEST_SAID,
    MOST_LATE,
    NO_RESULT,
    NOT_THERE,
    STOPPED,
    Kept,
    Line,
    State,
    heard_of,
    kept_text,
)
from zhixing.goals.groups.prompting import Scene, turn_prompt
from zhixing.goals.groups.standing import Standing, answered, closed, hurried
from zhixing.goals.loop.limits import NO_SPENDING, Spent
from zhixing.goals.loop.values import ExecError, NodeStatus
from zhixing.goals.running.ports import Heard
from zhixing.goals.running.rows import graph_of, mark
from zhixing.kernel.clock import Clock
from zhixing.kernel.moments import millis
from zhixing.store.connection import Tx
from zhixing.world.bots.port import COMPLETED, FAILED, Errand, NotSent, Said, Unclear

TURN = "goal_turn"
"""The name of the jobs that ask for a turn."""

_UNDER_WAY = {NodeStatus.PENDING, NodeStatus.RUNNING}

Ask = Callable[[Profile, Errand], Said]
TalkEnded = Callable[[Tx, str, str, int, Heard], None]
"""Told of the end of a talk in its transaction: task, node, attempt, and what it came to."""


TurnCounted = Callable[[Tx, str, Spent], None]
"""Told what a turn used, in its transaction: task, and how much."""


def nobody_counts(_tx: Tx, _task_id: str, _spent: Spent) -> None:
    """Do nothing."""


def nobody_knows(_profile: Profile, _errand: Errand) -> Said:
    """Be no help with an errand that may have left."""
    raise Unclear(INTERRUPTED)


@dataclass(frozen=True, slots=True)
class Asked:
    """The turn that a job asks for."""

    run_id: str
    bot_id: str
    number: int
    duty: Duty


@dataclass(frozen=True, slots=True)
class _Question:
    """A turn that is about to be asked for."""

    kept: Kept
    profile: Profile
    errand: Errand
    names: Mapping[str, str]
    ask: Ask


@dataclass(frozen=True, slots=True)
class _Answer:
    message: Message
    note: str = ""
    spent: Spent = NO_SPENDING


class Turns:
    """The handler of turns."""

    def __init__(
        self,
        engine: Engine,
        clock: Clock,
        catalog: Callable[[], Catalog],
        *,
        ask: Ask,
        take_up: Ask,
        ended: TalkEnded,
        used: TurnCounted,
    ) -> None:
        self._engine = engine
        self._clock = clock
        self._catalog = catalog
        self._ask = ask
        self._take_up = take_up
        self._ended = ended
        self._used = used

    def turn(self, run: Run) -> None:
        """Ask a bot for its turn, and take what it says."""
        # Before the transaction: it may read a file.
        asked, catalog = _asked_in(run.job), self._catalog()
        with run.checkpoint() as tx:
            question = self._question(tx, run.job.key, asked, catalog)
        if question is None:
            return
        answer = self._heard(question, asked)
        with run.commit() as tx:
            kept = rows.by_run(tx, asked.run_id)
            if kept is not None:
                self._take(tx, kept, asked, answer)

    def turn_failed(self, tx: Tx, job: Job, error: str) -> None:
        """Count a turn that broke as silence."""
        asked = _asked_in(job)
        kept = rows.by_run(tx, asked.run_id)
        if kept is not None:
            self._take(tx, kept, asked, _silence(asked, error.partition(":")[0]))

    def call(self, tx: Tx, kept: Kept, numbers: Iterable[int]) -> None:
        """Put the jobs of turns on their way."""
        wanted, now, jobs = set(numbers), self._clock.now(), []
        for each in kept.standing.talk.awaited:
            number = kept.standing.turns.get(each.bot_id)
            if number in wanted:
                asked = Asked(kept.run_id, each.bot_id, number, each.duty)
                key = f"{kept.key}/turn/{number}/{each.bot_id}"
                jobs.append(Job(TURN, key, now, msgspec.to_builtins(asked)))
        self._engine.enqueue_all(tx, jobs)

    def stop(self, tx: Tx, kept: Kept) -> None:
        """Keep that nobody else is asked in a talk."""
        now, standing = millis(self._clock.now()), closed(kept.standing)
        over = replace(kept, state=State.STOPPED, standing=standing, run_status=FAILED, error=STOPPED, ended_at=now)
        rows.save(tx, over)

    # Before

    def _question(self, tx: Tx, key: str, asked: Asked, catalog: Catalog) -> _Question | None:
        """Return what is to be asked; None when nothing is, or when that was settled here without asking."""
        kept, now = rows.by_run(tx, asked.run_id), self._clock.now()
        if kept is None or kept.state is not State.RUNNING:
            return None
        turn = kept.standing.turn(asked.bot_id, asked.number)
        if turn is None:
            return None
        if not _is_wanted(tx, kept):
            self.stop(tx, kept)
            return None
        at = millis(now)
        if at >= kept.ends_at:
            self._end(tx, kept, error=ExecError.SLA_TIMEOUT)
            return None
        if at >= kept.closing_at and turn.duty is not Duty.REPORT:
            self._go_on(tx, kept, hurried(kept.group, kept.standing))
            return None
        profile = catalog.find(asked.bot_id)
        if profile is None or not profile.availability.at(now):
            self._take(tx, kept, asked, _silence(asked, NOT_THERE))
            return None
        is_again = not mark(tx, key, kept.task_id, at) and not profile.is_repeatable
        names = {each.bot_id: _name(catalog, each.bot_id) for each in kept.group.seats}
        lines, closing = rows.lines_of(tx, kept.run_id), kept.standing.talk.closing
        prompt = turn_prompt(Scene(kept.group, kept.context, lines, names, closing), turn)
        name = loop_task_id(kept.task_id, kept.node_id)
        return _Question(
            kept,
            profile,
            Errand(key, prompt, name, kept.attempt, min(_seconds(kept, turn.duty, at), profile.seconds)),
            names,
            self._take_up if is_again else self._ask,
        )

    def _heard(self, question: _Question, asked: Asked) -> _Answer:
        """Ask, and return what the answer means; whatever goes wrong is silence."""
        try:
            said = question.ask(question.profile, question.errand)
        except NotSent as error:
            return _silence(asked, f"not_sent:{error.reason}")
        except Unclear:
            return _silence(asked, INTERRUPTED)
        # A bot may fail in any way of its own; the group goes on without it.
        except Exception as error:  # noqa: BLE001
            return _silence(asked, type(error).__name__)
        spent = spent_of(said)
        if said.run_status.upper() != COMPLETED:
            return replace(_silence(asked, said.error or said.run_status), spent=spent)
        kept, prompt = question.kept, question.errand.text
        turn = kept.standing.turn(asked.bot_id, asked.number)
        assert turn is not None  # noqa: S101 - it was awaited when the question was made
        return _Answer(read_turn(kept.group, turn, said.content, prompt, question.names), spent=spent)

    # After

    def _take(self, tx: Tx, kept: Kept, asked: Asked, answer: _Answer) -> None:
        """Take an answer: keep it, and let the talk go on; one that came too late is only kept."""
        self._used(tx, kept.task_id, answer.spent)
        message, kept = answer.message, replace(kept, spent=kept.spent + answer.spent)
        late = kept.state is not State.RUNNING or kept.standing.turn(asked.bot_id, asked.number) is None
        if late and kept.late >= MOST_LATE:
            rows.save(tx, replace(kept, late=kept.late + 1))
            return
        said, at = kept_text(message.text, LONGEST_SAID), millis(self._clock.now())
        rows.add_line(
            tx, kept.run_id, kept.lines, Line(asked.bot_id, asked.duty, message.word, said, answer.note, late, at)
        )
        kept = replace(kept, lines=kept.lines + 1, late=kept.late + late)
        if late:
            rows.save(tx, kept)
            return
        standing = answered(kept.group, kept.standing, asked.number, message, is_result)
        if standing.talk.ended is None:
            self._go_on(tx, kept, standing)
        elif message.word is not Word.SILENT:
            self._end(tx, replace(kept, standing=standing), result=message.text)
        else:
            error = ExecError.TERMINAL_RESULT_INVALID if message.text else NO_RESULT
            self._end(tx, replace(kept, standing=standing), error=error)

    def _go_on(self, tx: Tx, kept: Kept, standing: Standing) -> None:
        """Keep where the talk stands now, and ask for the turns that are new."""
        there = replace(kept, standing=standing)
        rows.save(tx, there)
        self.call(tx, there, range(kept.standing.asked, standing.asked))

    def _end(self, tx: Tx, kept: Kept, result: str = "", error: str = "") -> None:
        """Keep what the talk came to, and tell the goal."""
        over = replace(
            kept,
            standing=closed(kept.standing),
            state=State.ENDED,
            result=result,
            run_status=FAILED if error else COMPLETED,
            error=error,
            ended_at=millis(self._clock.now()),
        )
        rows.save(tx, over)
        self._ended(tx, kept.task_id, kept.node_id, kept.attempt, heard_of(over))


def _is_wanted(tx: Tx, kept: Kept) -> bool:
    """Whether what a talk is for may still be under way: its reporter may have reported over HTTP meanwhile."""
    graph = graph_of(tx, kept.task_id)
    if graph is None:
        return True
    node = graph.nodes.get(kept.node_id)
    return node is not None and node.status in _UNDER_WAY and node.run.attempt == kept.attempt


def _asked_in(job: Job) -> Asked:
    return msgspec.convert(dict(job.payload), Asked)


def _silence(asked: Asked, why: str) -> _Answer:
    return _Answer(Message(asked.bot_id, Word.SILENT), kept_text(why, LONGEST_NOTE))


def _name(catalog: Catalog, bot_id: str) -> str:
    found = catalog.find(bot_id)
    return bot_id if found is None else found.name


def _seconds(kept: Kept, duty: Duty, now: int) -> float:
    """Return how long an answer may take: what is left until the next turn that must be, or until the end."""
    until = kept.ends_at if duty is Duty.REPORT else kept.closing_at
    return max(1.0, (until - now) / 1000)
