"""Twins of the ports that do as a script says, and remember what they were asked. They outlive the program's crashes.

A script has, for each node, what is answered to its first attempt, its second, and so on; the last stays.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from zhixing.goals.contracts.planning import HEADERS
from zhixing.goals.contracts.searching import Candidate
from zhixing.goals.loop.model import TaskSpec
from zhixing.goals.running.ports import Arrived, Delivery, Heard, News, NotSent, Place, Ports, Question

Answer = str | Exception
Script = Mapping[str, Sequence[Answer]]


def planned(*children: str) -> str:
    """Return the reply of an owner bot that wants these children; without any, that sees no gap."""
    tasks = [
        {"metadata": {"task_id": each, "title": each, "instruction": f"do {each}"}, "goal": {"objective": each}}
        for each in children
    ]
    return json.dumps({"tasks": tasks, "has_gap": bool(children), "gap_detail": "" if children else "done"})


def chosen(bot: str) -> str:
    """Return the reply of an owner bot that chose one bot."""
    return json.dumps({"outcome": "HIT_SINGLE", "bot_id": bot})


MISSED = json.dumps({"outcome": "MISS", "miss_reason": "nobody"})


def passed(data: str) -> str:
    """Return the last words of a bot that met every criterion."""
    return json.dumps({"success": True, "data": data, "gaps": []})


def failed(*gaps: str) -> str:
    """Return the last words of a bot that did not."""
    return json.dumps({"success": False, "data": "", "gaps": gaps})


def _said(script: Script, subject: str, attempt: int) -> str:
    answers = script[subject]
    answer = answers[min(attempt, len(answers)) - 1]
    if isinstance(answer, Exception):
        raise answer
    return answer


@dataclass(slots=True)
class ScriptedPlanner:
    """An owner bot. Searches that the script does not name find the bot that is called as the node."""

    plans: Script
    searches: Script = field(default_factory=dict)
    asked: list[Question] = field(default_factory=list)

    def ask(self, question: Question) -> Heard:
        """Answer as the script says."""
        self.asked.append(question)
        if question.prompt.startswith(HEADERS):
            return Heard(_said(self.plans, question.subject, question.attempt))
        if question.subject not in self.searches:
            return Heard(chosen(f"bot-{question.subject}"))
        return Heard(_said(self.searches, question.subject, question.attempt))

    def candidates(self, task_id: str, node_id: str, spec: TaskSpec) -> Sequence[Candidate]:
        """Return the bot that is called as the node, and one more."""
        return [Candidate(f"bot-{node_id}", f"{task_id} {spec.title}"), Candidate("bot-other", "other")]


@dataclass(slots=True)
class ScriptedDeliverer:
    """Executors. Results that the script does not name are passed; `None` in it is a run without end.

    `memory` is what can be told of a delivery afterwards: all of it, or nothing.
    """

    results: Mapping[str, Sequence[Answer | None]] = field(default_factory=dict)
    refusals: Script = field(default_factory=dict)
    memory: Literal["complete", "none"] = "complete"
    delivered: list[Delivery] = field(default_factory=list)
    withdrawn: list[Place] = field(default_factory=list)
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def deliver(self, delivery: Delivery) -> Arrived:
        """Take a delivery, or refuse it as the script says."""
        refusals = self.refusals.get(delivery.node_id, ())
        if delivery.attempt <= len(refusals):
            refusal = refusals[delivery.attempt - 1]
            raise NotSent(refusal) if isinstance(refusal, str) else refusal
        with self._turn:
            self.delivered.append(delivery)
        return Arrived(run_id=f"run-{delivery.node_id}-{delivery.attempt}")

    def whereabouts(self, delivery: Delivery) -> Arrived | Literal["not_sent", "unknown"]:
        """Say whether a delivery was taken."""
        if self.memory == "none":
            return "unknown"
        if delivery.key not in {each.key for each in self.delivered}:
            return "not_sent"
        return Arrived(run_id=f"run-{delivery.node_id}-{delivery.attempt}")

    def poll(self, place: Place) -> Heard | None:
        """Return the result as the script says."""
        answers = self.results.get(place.node_id) or (passed(f"work of {place.node_id}"),)
        answer = answers[min(place.attempt, len(answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return None if answer is None else Heard(answer)

    def withdraw(self, place: Place) -> None:
        """Note what was stopped."""
        self.withdrawn.append(place)


@dataclass(slots=True)
class ScriptedBoard:
    """Relay bots with their bids in percent; `refusals` are raised for the first messages.

    `memory` is what can be told of a message afterwards: all of it, or nothing.
    """

    rates: Mapping[str, int] = field(default_factory=dict)
    refusals: list[Exception] = field(default_factory=list)
    memory: Literal["complete", "none"] = "complete"
    asked: list[Question] = field(default_factory=list)
    told: list[Question] = field(default_factory=list)

    def bids(self, question: Question) -> Sequence[tuple[str, Heard]]:
        """Return the bids."""
        self.asked.append(question)
        return [(bot, Heard(json.dumps({"completion_rate": rate}))) for bot, rate in self.rates.items()]

    def message(self, question: Question) -> None:
        """Note whom was told what."""
        if self.refusals:
            raise self.refusals.pop(0)
        self.told.append(question)

    def fate(self, question: Question) -> Literal["sent", "not_sent", "unknown"]:
        """Say whether a bot was told."""
        if self.memory == "none":
            return "unknown"
        return "sent" if question.key in {each.key for each in self.told} else "not_sent"


@dataclass(slots=True)
class ScriptedTeller:
    """People, who remember each piece of news once."""

    news: dict[str, News] = field(default_factory=dict)

    def tell(self, news: News) -> None:
        """Note news."""
        self.news[news.key] = news

    @property
    def topics(self) -> list[str]:
        """What people were told, in order."""
        return [each.topic for each in self.news.values()]


def scripted_ports(
    planner: ScriptedPlanner,
    deliverer: ScriptedDeliverer | None = None,
    board: ScriptedBoard | None = None,
    teller: ScriptedTeller | None = None,
) -> Ports:
    """Return all ports, with twins that do the usual where none is given."""
    return Ports(planner, deliverer or ScriptedDeliverer(), board or ScriptedBoard(), teller or ScriptedTeller())
