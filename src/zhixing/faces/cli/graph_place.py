"""The hub that a command on rule graphs speaks to: that of the home, or a real one for this command alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from cyclopts import Parameter

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.files import content_of
from zhixing.faces.cli.house import House, house
from zhixing.faces.cli.options import STDIN
from zhixing.faces.cli.usage import Usage
from zhixing.graphs.hubs.outcomes import Outcome
from zhixing.graphs.reading import read_rule
from zhixing.graphs.rule import Rule
from zhixing.graphs.session import VIRTUAL
from zhixing.graphs.specs.jsontext import LARGEST_FILE, shown
from zhixing.kernel.errors import BadInput

Gateway = Annotated[str | None, Parameter(name="--gateway")]
Passcode = Annotated[str | None, Parameter(name="--passcode")]
File = Annotated[str, Parameter(name="FILE")]
Id = Annotated[str, Parameter(name="ID")]

_CODES = {Outcome.APPLIED: 0, Outcome.UNKNOWN: 2}


@contextmanager
def hub(desk: Desk, gateway: str | None, passcode: str | None) -> Iterator[House]:
    """Open the home; with a passcode, which is used up by it, connect to the real hub until the command is over."""
    if gateway is not None and passcode is None:
        raise Usage("usage_graph_passcode")
    with house(desk) as home:
        session = home.app.graphs.session
        if passcode is not None:
            session.connect(passcode, gateway or "")
        try:
            yield home
        finally:
            session.disconnect()


def rule_in(file: str, desk: Desk) -> Rule:
    """Read a rule from a file; `-` is standard input."""
    return read_rule(content_of(file, desk, LARGEST_FILE))


def not_twice(*files: str) -> None:
    """Raise `Usage` where more than one file is to be standard input."""
    if files.count(STDIN) > 1:
        raise Usage("usage_graph_stdin")


def variable_of(written: str) -> tuple[str, str]:
    """Return the scope and the id that `global.count` means. Raises `BadInput` for what is not so written."""
    scope, _, name = written.strip().rpartition(".")
    if not scope or not name:
        raise BadInput("graph_variable_written", name=shown(written))
    return scope, name


def code_of(*outcomes: Outcome) -> int:
    """Return the exit code: 0 where everything is done, 2 where nobody knows, else 1."""
    codes = [_CODES.get(each, 1) for each in outcomes]
    return max(codes, default=0)


def running_notes(home: House) -> list[str]:
    """Say what one has to know before one relies on a rule: a real hub runs it by itself."""
    return home.graph_notes() if home.app.graphs.session.name == VIRTUAL else []
