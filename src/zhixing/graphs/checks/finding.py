"""A finding of a validator, and the verdict that findings add up to. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from zhixing.kernel.wording import Language, section, wording

GRAPH = "(graph)"
"""In place of a node, where a finding is about the rule as a whole."""


class Level(StrEnum):
    """How bad it is. An error bars a rule from being saved; a hint is information only."""

    ERROR = "error"
    WARN = "warn"
    INFO = "info"


class Profile(StrEnum):
    """How strict the structural validator is (mijia §0.3, X1)."""

    EDITOR = "editor"
    """What the vendor's editor allows."""
    STRICT = "strict"
    """What the published validators demand besides."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A piece of a message that is said in the language of the message; `key` names its words."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict)

    def text(self, language: Language) -> str:
        """Return the piece."""
        return wording(self.key, language, **_said(self.values, language))


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that would settle a finding: `path` inside the node, such as `("props", "v1")`, and its new value.

    A step that counts in a list is written in digits, from 0: `("props", "elements", "0", "scope")`.
    """

    path: tuple[str, ...]
    value: object


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about a node; `code` is stable (mijia §2, §3.4, §3.5), `values` are what its message tells."""

    code: str
    level: Level
    node: str = GRAPH
    values: Mapping[str, object] = field(default_factory=dict)
    fixes: tuple[Fix, ...] = ()

    def text(self, language: Language = "zh") -> str:
        """Return the message; section `graph_findings`, by code."""
        return wording(f"graph_findings.{self.code}", language, **_said(self.values, language))


@dataclass(frozen=True, slots=True)
class Verdict:
    """All findings of one rule: errors, then warnings and hints, each in the order in which they were found."""

    errors: tuple[Finding, ...]
    warnings: tuple[Finding, ...]

    @property
    def valid(self) -> bool:
        """Whether the rule may be saved."""
        return not self.errors


def verdict(findings: Iterable[Finding]) -> Verdict:
    """Sort findings into a verdict; the same finding counts once."""
    seen: dict[tuple[object, ...], Finding] = {}
    for each in findings:
        seen.setdefault((each.code, each.level, each.node, tuple(map(str, each.values.values()))), each)
    errors = tuple(one for one in seen.values() if one.level is Level.ERROR)
    return Verdict(errors, tuple(one for one in seen.values() if one.level is not Level.ERROR))


def known_codes(language: Language = "zh") -> frozenset[str]:
    """Return the codes that have a message."""
    return frozenset(section("graph_findings", language))


def _said(values: Mapping[str, object], language: Language) -> dict[str, object]:
    return {name: value.text(language) if isinstance(value, Phrase) else value for name, value in values.items()}
