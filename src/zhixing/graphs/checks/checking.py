"""The verdict on a rule: its structure, and where a home is known, what its devices and variables allow. Pure."""

from __future__ import annotations

from zhixing.graphs.checks.capability import check_capability
from zhixing.graphs.checks.finding import Profile, Verdict, verdict
from zhixing.graphs.checks.structure import check_structure
from zhixing.graphs.rule import Rule
from zhixing.graphs.specs.home import Home


def check(rule: Rule, profile: Profile = Profile.EDITOR, home: Home | None = None) -> Verdict:
    """Return everything that is wrong with a rule (mijia §2, §3.4, §3.5)."""
    return verdict((*check_structure(rule, profile), *(() if home is None else check_capability(rule, home))))
