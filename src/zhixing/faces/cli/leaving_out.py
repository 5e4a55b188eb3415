"""skip, unskip: a day of what repeats that does not happen, and taking that back."""

from __future__ import annotations

from datetime import date

from zhixing.faces import wire
from zhixing.faces.cli.desk import WHO, Desk
from zhixing.faces.cli.house import house
from zhixing.faces.cli.options import AtDesk, Json, Words, task_id
from zhixing.faces.cli.pages import coming_lines, heading
from zhixing.faces.cli.spoken import spoken_day
from zhixing.kernel.moments import zone as find_zone
from zhixing.kernel.wording import wording
from zhixing.notices.asking import day_label
from zhixing.notices.notice import Notice


def skip(task: str, /, *date: Words, as_json: Json = False, desk: AtDesk) -> None:
    """Leave out a day of what repeats."""
    with house(desk) as home:
        known, day = _meant(home.app.notices.get(task_id(task)), date, desk)
        notice = home.app.repeating.skip(known, day, who=WHO)
    _tell("cli.skipped", notice, day, desk, as_json=as_json)


def unskip(task: str, /, *date: Words, as_json: Json = False, desk: AtDesk) -> None:
    """Let a day happen that was left out."""
    with house(desk) as home:
        known, day = _meant(home.app.notices.get(task_id(task)), date, desk)
        notice = home.app.repeating.put_back(known, day, who=WHO)
    _tell("cli.unskipped", notice, day, desk, as_json=as_json)


def _meant(notice: Notice, words: tuple[str, ...], desk: Desk) -> tuple[str, date]:
    return notice.task.id, spoken_day(" ".join(words), desk.clock.now(), find_zone(notice.task.zone))


def _tell(key: str, notice: Notice, day: date, desk: Desk, *, as_json: bool) -> None:
    now = desk.clock.now()
    named = day_label(day, now.astimezone(find_zone(notice.task.zone)).date())
    lines = [wording(key, task=heading(notice.task), day=named), *coming_lines(notice, now)]
    desk.answer(wire.of_notice(notice), lines, as_json=as_json)
