"""Remarks about the body of a task, from the document's rules for writing one. They never stop anything.

The rules about single lines are the table `lint.toml`; what is here looks at a body as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, takewhile

from zhixing.documents.findings import Finding
from zhixing.documents.model import Kind
from zhixing.documents.rules import compiled, rules, table
from zhixing.documents.sections import Outline, Section, outline
from zhixing.documents.shelltext import ShellLine, commands, shell_lines
from zhixing.kernel.wording import LANGUAGES, wording

__all__ = ["MOST_FINDINGS", "Finding", "lint"]

MOST_FINDINGS = 50
"""Remarks about one body."""

_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
_FUNCTION = re.compile(r"(?:function[ \t]+)?([^\s()=]+)[ \t]*\([ \t]*\)|function[ \t]+([^\s(){]+)")
_LIST_ITEM = re.compile(r"(?:[0-9]{1,3}[.、)]|[-*+•])[ \t]+\S")
_ENGLISH_PROSE = re.compile(r"[A-Z][a-z']+(?: [A-Za-z',-]+){3,}[.:!]?")
_COMMAND_WORD = re.compile(r"[^\s;|&<>(]*")
_SUDO = re.compile(r"(?:^|[;&|(!{]|\b(?:then|do|else|exec|env))[ \t]*sudo\b")
_BACKGROUND = re.compile(r"(?<![&>|])&[ \t]*$")
_WAIT = re.compile(r"(?:^|[;&|])[ \t]*wait\b")
_READ = re.compile(r"(?:if[ \t]+|until[ \t]+|![ \t]*)?(?:IFS=\S*[ \t]+)?read\b(?!.*[ \t]-u)")
_WHILE_READ = re.compile(r"while[ \t]+(?:IFS=\S*[ \t]+)?read\b(?!.*[ \t]-u)")
_FED = re.compile(r"done[ \t]*<|\|[ \t]*while\b")
_SET = re.compile(r"(?:^|[;&])[ \t]*set[ \t]+([^;&|]*)")


def lint(kind: Kind, body: str, *, first_line: int) -> list[Finding]:
    """Return what is worth saying about `body` by its lines; its first one is line `first_line` of the file."""
    found = _agent(body, first_line) if kind is Kind.AGENT else _script(body, first_line)
    return sorted(islice(found, MOST_FINDINGS), key=lambda finding: finding.line)


# An agent's body


def _agent(body: str, first_line: int) -> Iterator[Finding]:
    whole = outline(body, first_line)
    if not body.strip():
        yield Finding(first_line, "body_empty")
        return
    yield from _sections(whole, first_line)
    for line in whole.lines:
        for rule in rules(Kind.AGENT):
            if line.section not in rule.skip and (finding := rule.finding(line.number, line.text)):
                yield finding


def _sections(whole: Outline, first_line: int) -> Iterator[Finding]:
    needed = table()["agent"]["needed"]
    if missing := [name for name in needed if name not in whole.sections]:
        yield Finding(first_line, "sections_missing", {"names": _named("section", missing)})
    for name, section in whole.sections.items():
        if name in needed and not section.said and not section.fenced:
            yield Finding(section.number, "section_empty", {"name": _named("section", [name])})
    goal, output = whole.sections.get("goal"), whole.sections.get("output")
    if goal is not None and goal.said and not goal.fenced and all(_is_vague(line.text) for line in goal.said):
        yield Finding(goal.said[0].number, "goal_vague", {"text": goal.said[0].text[:40]})
    if output is not None and (output.said or output.fenced):
        if not output.fenced and not _says(output, "shape"):
            yield Finding(output.number, "output_without_shape")
        if not _says(output, "limits"):
            yield Finding(output.number, "output_without_limits")
        if not any(_says(section, "product") for section in whole.sections.values()):
            yield Finding(output.number, "output_without_product")


def _is_vague(text: str) -> bool:
    return compiled(*table()["agent"]["vague"]).fullmatch(text.strip(" 。.！!")) is not None


def _says(section: Section, what: str) -> bool:
    pattern = compiled(*table()["agent"][what])
    return any(pattern.search(line.text) for line in section.said)


def _named(group: str, names: list[str]) -> dict[str, str]:
    """Return the names in each language."""
    return {
        language: wording("tasks.list_separator", language).join(
            wording(f"task_files.{group}_{name}", language) for name in names
        )
        for language in LANGUAGES
    }


# A script


def _script(body: str, first_line: int) -> Iterator[Finding]:
    lines = shell_lines(body, first_line)
    if "\r\n" in body:
        yield Finding(first_line, "script_crlf")
    yield from _head(lines, first_line)
    functions = {name for line in lines if (found := _FUNCTION.match(line.code)) for name in found.groups() if name}
    for line in commands(lines):
        if _is_prose(line.code, functions):
            yield Finding(line.number, "script_prose", {"text": line.code[:40]})
    yield from _habits(lines)
    for line in lines:
        for rule in rules(Kind.SCRIPT):
            if finding := rule.finding(line.number, line.comment):
                yield finding


def _head(lines: list[ShellLine], first_line: int) -> Iterator[Finding]:
    """Look for the comments a script begins with, and for the way it is to fail."""
    head = takewhile(lambda line: not line.code or line.code.startswith("set "), lines)
    comments = [line.comment for line in head if not line.comment.startswith("!")]
    patterns = table()["script"]
    lacking = [
        name
        for name in ("purpose", "inputs", "failures")
        if not any(compiled(patterns[name]).search(each) for each in comments)
    ]
    if lacking:
        yield Finding(first_line, "script_comments", {"names": _named("script", lacking)})
    flags = " ".join(found[1] for line in commands(lines) for found in _SET.finditer(line.code)).split()
    letters = {letter for flag in flags if re.fullmatch("-[A-Za-z]+", flag) for letter in flag}
    options = {"e": "errexit", "u": "nounset", "-o": "pipefail"}
    unset = [short for short, name in options.items() if short not in letters and name not in flags]
    if unset:
        yield Finding(first_line, "script_set")


def _habits(lines: list[ShellLine]) -> Iterator[Finding]:
    """Look for what cannot work where a script runs: nobody is there, and nothing outlives it."""
    waits = any(_WAIT.search(line.code) for line in lines)
    fed = any(_FED.search(line.code) for line in lines)
    for line in commands(lines):
        code = line.code
        if _SUDO.search(code):
            yield Finding(line.number, "script_sudo")
        if _BACKGROUND.search(code) and not waits:
            yield Finding(line.number, "script_background")
        asks = _READ.match(code) and "<" not in code and "|" not in code
        if asks or (_WHILE_READ.search(code) and not fed):
            yield Finding(line.number, "script_reads")


def _is_prose(code: str, functions: set[str]) -> bool:
    """Whether a line where a command should be is words of a human language."""
    if code.startswith("```") or _LIST_ITEM.match(code) or _ENGLISH_PROSE.fullmatch(code):
        return True
    found = _COMMAND_WORD.match(code)
    word = "" if found is None else found[0]
    if "=" in word or word in functions or word.endswith(")") or re.match(r"[^(\s]*\)", code):
        return False
    return _WIDE.search(word) is not None
