"""A goal that is played to its end by the tables of scenarios: every question is a real prompt, every reply is read."""

from __future__ import annotations

import json
from collections.abc import Sequence

from tests.goals.loop.worlds import ROOT, World

from zhixing.goals.contracts.bidding import relay_message
from zhixing.goals.contracts.executing import execute_prompt, group_context, read_execution
from zhixing.goals.contracts.extracting import json_values
from zhixing.goals.contracts.planning import planning_prompt, read_plan, snapshot
from zhixing.goals.contracts.searching import Candidate, read_search, search_prompt
from zhixing.goals.loop.events import Attach, BbsResult, Bids, Delivered, Execute, RelaySent
from zhixing.goals.loop.limits import read_limits
from zhixing.goals.loop.model import Node, TaskInfo
from zhixing.goals.loop.tree import is_scoped
from zhixing.goals.loop.values import NodeStatus, RunMode
from zhixing.goals.overlays.answering import answer, result
from zhixing.goals.overlays.folders import load_overlays
from zhixing.goals.overlays.model import Overlay
from zhixing.goals.overlays.planning import plan
from zhixing.goals.overlays.searching import search
from zhixing.goals.overlays.signals import signals

SHIPPED = {each.name: each for each in load_overlays(("arch", "storage"))}
ARCH, STORAGE = SHIPPED["arch"], SHIPPED["storage"]
RELAY_BOT = "relay-bot"
NOISE = (Candidate("owner", "task-owner-bot", score=9.0), Candidate(RELAY_BOT, "接力Bot", score=8.0))


def catalog_of(overlay: Overlay) -> tuple[Candidate, ...]:
    """Return every bot that the search table names, under made-up ids, behind bots that it does not name."""
    picks = [] if overlay.searching is None else list(overlay.searching.picks.values())
    names = dict.fromkeys(role.bot for pick in picks for role in pick.members)
    return (*NOISE, *(Candidate(f"b{n}", name, score=1.0) for n, name in enumerate(names)))


class Play:
    """One goal, whose owner and bots follow the scenarios that are there; `failing` leaves fail once, with a gap."""

    def __init__(self, overlay: Overlay, goal: str, failing: Sequence[str] = ()) -> None:
        self.overlays = (overlay,)
        self.catalog = catalog_of(overlay)
        self.failing = set(failing)
        self.planned: list[tuple[str, list[str]]] = []
        spec, limits = overlay.example.goals[goal], read_limits(overlay.example.config)
        self.world = World().tell(Execute(TaskInfo(ROOT, spec, owner_bot_id="owner", limits=limits)))

    def to_the_end(self) -> World:
        """Answer what is awaited until nothing is."""
        for _ in range(100):
            if not self._step():
                return self.world
        raise AssertionError("no end")

    def _step(self) -> bool:
        graph = self.world.graph
        for each in graph.head.awaited:
            answered = getattr(self, f"_{each.kind}", None)
            assert answered is not None, each.kind
            answered(each.subject)
            return True
        running = [node for node in graph.nodes.values() if node.status is NodeStatus.RUNNING and not is_scoped(node)]
        if running:
            self._report(running[0])
        return bool(running)

    def _of(self, text: str) -> Overlay:
        found = signals(text, self.overlays)
        assert found is not None, text
        return found

    def _plan(self, target: str) -> None:
        graph = self.world.graph
        reply = plan(self._of(planning_prompt(graph, target)), target, snapshot(graph, target))
        assert reply is not None
        event = read_plan(target, reply)
        self.planned.append((target, [child.id for child in event.children]))
        self.world.tell(event)

    def _search(self, node_id: str) -> None:
        found = self._of(search_prompt(self.world.graph, node_id, self.catalog))
        reply = search(found, node_id, self.catalog)
        assert reply is not None
        self.world.tell(read_search(node_id, reply, self.catalog))

    def _deliver(self, node_id: str) -> None:
        self.world.tell(Delivered(node_id))

    def _report(self, node: Node) -> None:
        graph = self.world.graph
        if node.run.run_mode is RunMode.COOP_GROUP:
            assert signals(group_context(graph, node.id, "http://127.0.0.1"), self.overlays) is None
        elif self.overlays[0].answer is not None:
            assert signals(execute_prompt(graph, node.id), self.overlays) is self.overlays[0]
        said = result(self.overlays[0], node.id) or '{"success": true, "data": "补好了", "gaps": []}'
        if node.id in self.failing:
            said = '{"success": false, "data": "一半", "gaps": ["缺第二半"]}'
        self.world.tell(read_execution(node.id, said))

    def _bid(self, _everybody: str) -> None:
        self.world.tell(Bids(((RELAY_BOT, 90),)))

    def _relay_msg(self, bot: str) -> None:
        graph = self.world.graph
        message = relay_message(graph, bot, "http://127.0.0.1")
        found = signals(message, self.overlays)
        said = None if found is None else answer(found, message)
        roster = {} if said is None else {"architects": json_values(said)[0]["architects"]}
        node_id = f"bbs-{graph.head.relay.count + 1:08x}"
        self.world.tell(RelaySent(bot), Attach(bot, ROOT, node_id))
        self.world.tell(BbsResult(bot, node_id, "PASS", output=roster or {"field_interview": "访谈纪要"}))


def tasks_of(reply: str | None) -> list[str]:
    """Return the ids of the children of a reply, as they are read."""
    assert reply is not None
    return [child.id for child in read_plan(ROOT, reply).children]


def said_of(reply: str | None) -> tuple[list[str], bool, str]:
    """Return children, gap and detail of a reply, as they are read."""
    assert reply is not None
    event = read_plan(ROOT, reply)
    assert (json.loads(reply)["has_gap"], json.loads(reply)["gap_detail"]) == (event.has_gap, event.gap_detail)
    return [child.id for child in event.children], event.has_gap, event.gap_detail
