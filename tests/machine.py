"""What the machine may refuse on which the tests run; here only is a test left out, and it says what is lacking.

Walls, control groups and mounts are the kernel's to give, and no package brings them. Where it gives them, nothing here
leaves anything out.
"""

from __future__ import annotations

from typing import NoReturn

import pytest

from zhixing.kernel.clock import SystemClock
from zhixing.world.sandbox.bwrap import Bubblewrap
from zhixing.world.sandbox.probing import Wanted, probe


def lacks(what: str) -> NoReturn:
    """Leave out the test that runs: the kernel refuses what it is about."""
    pytest.skip(what)


def walls() -> Bubblewrap:
    """Return a sandbox with real walls."""
    found = probe(SystemClock(), Wanted.BWRAP)
    if isinstance(found, Bubblewrap):
        return found
    return lacks(getattr(found, "reason", "no sandbox"))
