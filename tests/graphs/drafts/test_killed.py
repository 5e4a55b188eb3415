"""A program that is killed while it commits, over both databases."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from zhixing.graphs.drafts.committing import FunctionCommitting
from zhixing.graphs.drafts.model import LEASE, DraftState
from zhixing.graphs.drafts.operations import Drafts
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.errors import Conflict

COMMIT = """
import sys
from zhixing.graphs.drafts.committing import FunctionCommitting
from zhixing.graphs.drafts.operations import Drafts
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import parse_instant
from zhixing.store.opening import open_store

url, now, holder = sys.argv[1:]

def never(order):
    print(order.rule_id, flush=True)
    sys.stdin.readline()

drafts = Drafts(open_store(url), ManualClock(parse_instant(now)), FunctionCommitting(never), holder=holder)
draft = drafts.begin("走廊夜灯", who="agent")
drafts.append(draft.id, [{"id": "a1", "type": "onLoad"}])
drafts.commit(draft.id)
"""


@contextmanager
def committing(url: str, clock: ManualClock, holder: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a program that is in the middle of a commit of gd1; give it and the id of the rule it makes."""
    program = subprocess.Popen(
        [sys.executable, "-c", COMMIT, url, clock.now().isoformat(), holder],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with program:
        try:
            assert program.stdout is not None
            yield program, program.stdout.readline().strip()
        finally:
            program.kill()


def test_the_server_that_was_killed_goes_on_at_once_and_everybody_else_after_a_while(home: Any, clock) -> None:
    hub = FunctionCommitting()
    server, other = Drafts(home.store, clock, hub, holder="server"), Drafts(home.open(), clock, hub)
    with committing(home.url, clock, "server") as (program, rule_id):
        with pytest.raises(Conflict):
            other.commit("gd1")
        program.kill()
    assert server.status("gd1").state is DraftState.COMMITTING
    with pytest.raises(Conflict):
        other.commit("gd1")
    done = server.commit("gd1")
    assert (done.draft.rule_id, hub.asked[0].rule_id) == (rule_id, rule_id)
    assert other.commit("gd1").draft.rule_id == rule_id
    assert len(hub.asked) == 1


def test_a_program_without_a_name_is_replaced_when_its_time_is_over(home: Any, clock) -> None:
    hub = FunctionCommitting()
    with committing(home.url, clock, "a command") as (_, rule_id):
        pass
    clock.advance(LEASE)
    assert Drafts(home.store, clock, hub).commit("gd1").draft.rule_id == rule_id
