"""A day of a family in a virtual home: what they say, what cameras see, and everything that comes of it, recorded.

`stories/a_day.story` has the script and, behind it, what was answered, told and done. To record it anew after a change
that is wanted: run with ZHIXING_RECORD=1 and read the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

STORY = Path(__file__).parent / "stories" / "a_day.story"
END = "10-13 10:00:00"


def lived(life, script: str) -> str:
    """Live through the script, a part after the other; return what came of it, a section each.

    What cameras see is made up at the beginning of a part, from the tasks that there are then.
    """
    *parts, last = script.strip().split("\n\n")
    for part in parts:
        life.play(part)
    life.play(last, until=END)
    sections = {
        "talked": life.talked,
        "told": life.told(),
        "light_living": life.commands("light_living"),
        "curtain_bedroom": life.commands("curtain_bedroom"),
        "tasks": [f"{view.slug} {view.task.status.value}" for view in life.app.household.list()],
        "ends": life.ends(),
    }
    return "".join(f"\n= {title}\n" + "".join(f"{row}\n" for row in rows) for title, rows in sections.items())


def test_a_day_of_a_family(live_in) -> None:
    story, _, recorded = STORY.read_text(encoding="utf-8").partition("\n= ")
    _, _, script = story.partition("\n")
    assert script.count(" say ") >= 30
    came = lived(live_in(), script)
    if os.environ.get("ZHIXING_RECORD"):
        STORY.write_text(story.rstrip("\n") + "\n" + came, encoding="utf-8")
        pytest.fail("recorded anew: read it, and run without ZHIXING_RECORD")
    assert came.strip().splitlines() == f"= {recorded}".strip().splitlines()
