"""recognise: what a conversation about a goal is answered with. Nothing is kept; needs no store and no network."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from zhixing.faces.cli.files import lines_of, opened_file
from zhixing.faces.cli.options import AtDesk, Json
from zhixing.goals.recognising.batch import LONGEST_LINE, recognise_lines

Batch = Annotated[str, Parameter(name="--batch")]

_MOST_BYTES = 4 * LONGEST_LINE + 2


def recognise(*, batch: Batch, as_json: Json = False, desk: AtDesk) -> None:  # noqa: ARG001 - JSON lines either way
    """Answer each conversation of a file; results in the order of the lines."""
    with opened_file(batch, desk) as source:
        for result in recognise_lines(lines_of(source, _MOST_BYTES)):
            desk.give_line(result)
