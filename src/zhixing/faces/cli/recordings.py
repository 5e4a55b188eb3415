"""Recorded verdicts: a file with one a line."""

from __future__ import annotations

from zhixing.faces.cli.desk import Desk
from zhixing.faces.cli.files import lines_of, opened_file
from zhixing.kernel.errors import TooLarge
from zhixing.world.perception.reading import LONGEST_LINE, read_verdicts
from zhixing.world.perception.verdict import Verdict

MOST = 100_000
"""Verdicts of one file."""


def recorded(name: str, desk: Desk) -> list[Verdict]:
    """Read a recording as a whole, so that nothing is done with one that has a fault. Raises `BadInput`, `TooLarge`."""
    found: list[Verdict] = []
    with opened_file(name, desk) as lines:
        for verdict in read_verdicts(lines_of(lines, 4 * LONGEST_LINE)):
            if len(found) == MOST:
                raise TooLarge("lines_many", limit=MOST)
            found.append(verdict)
    return found
