"""graph: check, lay out and simulate the rule graphs of a smart-home hub. Needs no home, no store and no network."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from cyclopts import App, Parameter

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.files import content_of, lines_of, opened_file
from zhixing.faces.cli.options import STDIN, AtDesk, Json
from zhixing.faces.cli.usage import Usage
from zhixing.faces.graph_wire import Wire, of_verdict
from zhixing.graphs.checks.checking import check
from zhixing.graphs.checks.finding import Finding, Profile, Verdict
from zhixing.graphs.layout.model import Direction, Existing, Options
from zhixing.graphs.placing import placed
from zhixing.graphs.reading import read_rule
from zhixing.graphs.rule import Rule
from zhixing.graphs.simulating.reading import MOST_BYTES as LARGEST_SCRIPT
from zhixing.graphs.simulating.reading import read_script
from zhixing.graphs.simulating.result import Called, Output, Result, Written, result_json
from zhixing.graphs.simulating.run import simulate as simulated
from zhixing.graphs.specs.folder import read_home
from zhixing.graphs.specs.home import Home
from zhixing.graphs.specs.jsontext import LARGEST_FILE
from zhixing.graphs.writing import write_rule
from zhixing.kernel.errors import BadInput, ZhixingError
from zhixing.kernel.wording import wording

graph = App(name="graph", help_flags=(), version_flags=())

File = Annotated[str | None, Parameter(name="FILE")]
Batch = Annotated[str | None, Parameter(name="--batch")]
OfProfile = Annotated[Literal["editor", "strict"], Parameter(name="--profile")]

LONGEST_LINE = 1 << 20
"""Bytes of one line of a batch."""
_MOST_HOMES = 8
"""Homes that a batch keeps in mind: each may be some ten megabytes."""
_SPECS = "specs"
"""The folder beside a batch that its entries mean by `specs: true`."""


@graph.command(name="validate")
def validate(
    file: File = None,
    /,
    *,
    profile: OfProfile = "editor",
    specs: Annotated[str | None, Parameter(name="--specs")] = None,
    batch: Batch = None,
    as_json: Json = False,
    desk: AtDesk,
) -> int:
    """Check a rule graph; the exit code is 0 when it may be saved, else 1."""
    if (file is None) == (batch is None):
        raise Usage("usage_graph_file")
    if batch is not None:
        home_of = lru_cache(_MOST_HOMES)(read_home)
        return _batch(batch, desk, lambda entry, folder: _validated(entry, folder, home_of))
    rule = _rule(str(file), desk)
    found = check(rule, Profile(profile), None if specs is None else read_home(Path(specs)))
    lines = verdict_lines(found, rule)
    counts = {"errors": len(found.errors), "warnings": len(found.warnings)}
    head = wording(
        "graphs.valid" if found.valid else "graphs.invalid", name=rule.name or rule.id or str(file), **counts
    )
    desk.answer(of_verdict(found), [head, *lines], as_json=as_json)
    return 0 if found.valid else 1


@graph.command(name="simulate")
def simulate(
    file: File = None,
    /,
    *,
    script: Annotated[str | None, Parameter(name="--script")] = None,
    batch: Batch = None,
    as_json: Json = False,
    desk: AtDesk,
) -> int:
    """Run a rule graph on a virtual clock: what it does about the events of a script, and why."""
    if (file is None) == (batch is None) or (script is None) != (file is None):
        raise Usage("usage_graph_script")
    if file == script == STDIN:
        raise Usage("usage_graph_stdin")
    if batch is not None:
        return _batch(batch, desk, lambda entry, folder: _simulated(entry, folder, desk))
    rule = _rule(str(file), desk)
    result = simulated(rule, read_script(content_of(str(script), desk, LARGEST_SCRIPT), desk.clock.now()))
    desk.answer(result_json(result), _result_lines(result), as_json=as_json)
    return 0


@graph.command(name="layout")
def layout(
    file: Annotated[str, Parameter(name="FILE")],
    /,
    *,
    direction: Annotated[Literal["RIGHT", "DOWN"], Parameter(name="--direction")] = "RIGHT",
    anew: Annotated[bool, Parameter(name="--all", negative=())] = False,
    fold: Annotated[int | None, Parameter(name="--fold")] = None,
    as_json: Json = False,  # noqa: ARG001 - JSON either way
    desk: AtDesk,
) -> None:
    """Give each card of a rule graph a place, and print the graph; cards that have a place keep it."""
    existing = Existing.MOVE if anew else Existing.KEEP
    options = Options(direction=Direction(direction), fold_after=fold, existing=existing)
    desk.say(write_rule(placed(_rule(file, desk), options)))


for _name, _place in {
    "from-task": "graph_from_task:from_task",
    "why": "graph_explaining:why",
    "what-if": "graph_explaining:what_if",
    "coverage": "graph_explaining:coverage",
    "replay": "graph_explaining:replay",
    "list": "graph_hub:list_",
    "show": "graph_hub:show",
    "create": "graph_deploying:create",
    "deploy": "graph_deploying:deploy",
    "rollback": "graph_deploying:rollback",
    "receipts": "graph_deploying:receipts",
    "diff": "graph_deploying:diff",
    "enable": "graph_switching:enable",
    "disable": "graph_switching:disable",
    "delete": "graph_switching:delete",
    "devices": "graph_hub:devices",
    "where-used": "graph_hub:where_used",
    "conflicts": "graph_hub:conflicts",
    "log": "graph_hub:log",
    "vars": "graph_variables:variables",
    "drafts": "graph_drafts:drafts",
    "hub": "graph_hub:status",
    "draft": "graph_proposals:draft",
    "proposals": "graph_proposals:proposals",
}.items():
    graph.command(f"zhixing.faces.cli.{_place}", name=_name)


def _rule(file: str, desk: Desk) -> Rule:
    return read_rule(content_of(file, desk, LARGEST_FILE))


def verdict_lines(verdict: Verdict, rule: Rule) -> list[str]:
    """Say what was found about a rule, each with the card it is about."""
    return [_line(each, rule) for each in (*verdict.errors, *verdict.warnings)]


def _line(finding: Finding, rule: Rule) -> str:
    level = wording(f"graphs.level_{finding.level.value}")
    where = f"{finding.node} " if rule.node(finding.node) is not None else ""
    return f"  {level}  {where}{finding.text()}（{finding.code}）"


def _result_lines(result: Result) -> list[str]:
    lines = [_output_line(each) for each in result.outputs]
    lines += [wording("graphs.note", at=_seconds(each.at_ms), text=each.text()) for each in result.diagnostics]
    return lines or [wording("graphs.nothing")]


def _output_line(output: Output) -> str:
    at = _seconds(output.at_ms)
    match output:
        case Written(_, node, about, value):
            shown = msgspec.json.encode(value).decode()
            return wording("graphs.written", at=at, node=node, device=about.did, property=about.key, value=shown)
        case Called(_, node, did, siid, aiid, values):
            shown = msgspec.json.encode(values).decode()
            return wording("graphs.called", at=at, node=node, device=did, action=f"{siid}.{aiid}", values=shown)


def _seconds(at_ms: int) -> str:
    return f"{at_ms / 1000:.3f}"


def _batch(name: str, desk: Desk, answer: Callable[[Mapping[str, object], Path], Wire]) -> int:
    """Answer the entries of a file, one JSON object a line; what cannot be used is answered with `error`."""
    folder = Path() if name == STDIN else Path(name).parent
    with opened_file(name, desk) as source:
        for line in _entries(lines_of(source, LONGEST_LINE)):
            desk.give_line(msgspec.json.encode(_answered(line, folder, answer)))
    return 0


def _entries(lines: Iterator[str]) -> Iterator[str]:
    return (line for line in lines if line.strip())


def _answered(line: str, folder: Path, answer: Callable[[Mapping[str, object], Path], Wire]) -> Wire:
    entry: object = None
    try:
        if len(line) >= LONGEST_LINE:
            raise BadInput("line_too_long", limit=LONGEST_LINE)
        entry = msgspec.json.decode(line)
        if not isinstance(entry, dict):
            raise BadInput("graph_entry_unreadable")
        return {"id": entry.get("id"), **answer(entry, folder)}
    except (msgspec.DecodeError, RecursionError):
        return {"id": None, "error": str(BadInput("graph_entry_unreadable"))}
    except ZhixingError as error:
        return {"id": entry.get("id") if isinstance(entry, dict) else None, "error": str(error)}


def _validated(entry: Mapping[str, object], folder: Path, home_of: Callable[[Path], Home]) -> Wire:
    given = entry.get("specs_dir") or (_SPECS if entry.get("specs") is True else entry.get("specs"))
    home = home_of(folder / given) if isinstance(given, str) and given else None
    try:
        profile = Profile(str(entry.get("profile", Profile.EDITOR.value)))
    except ValueError as error:
        raise BadInput("graph_profile_unknown", given=str(entry.get("profile"))[:64]) from error
    return of_verdict(check(read_rule(_content(entry, "file", folder, LARGEST_FILE)), profile, home))


def _simulated(entry: Mapping[str, object], folder: Path, desk: Desk) -> Wire:
    script = read_script(_content(entry, "events", folder, LARGEST_SCRIPT), desk.clock.now())
    return result_json(simulated(read_rule(_content(entry, "file", folder, LARGEST_FILE)), script))


def _content(entry: Mapping[str, object], key: str, folder: Path, most_bytes: int) -> bytes:
    name = entry.get(key)
    if not isinstance(name, str) or not name:
        raise BadInput("graph_entry_file", member=key)
    file = folder / name
    try:
        with file.open("rb") as source:
            return source.read(most_bytes + 1)
    except (OSError, ValueError) as error:
        raise BadInput("file_unreadable", file=str(file)[:200], why=str(getattr(error, "strerror", error))) from error
