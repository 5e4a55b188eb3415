"""What is said is carried out as one revision: the stored task is what the sentence promises, and undo undoes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from tests.household import examples
from tests.household.conftest import WHO, House
from tests.household.test_changing import state
from tests.household.updating.made import drafted, phrases

from zhixing.household.assembling.plain import plain
from zhixing.household.assembling.request import Home
from zhixing.household.assembling.routing import route
from zhixing.household.composing.composer import compose
from zhixing.household.revisions import Kind
from zhixing.household.talking.ground import Ground
from zhixing.household.updating.operations import Updating
from zhixing.kernel.errors import BadInput, Conflict, NotFound
from zhixing.tasks.records.model import Window

ZONE = "Asia/Shanghai"


class BusyHub:
    """The hub of a home in which something else happens whenever somebody asks for its devices."""

    def __init__(self, hub: Any, meanwhile: Callable[[], object]) -> None:
        self._hub = hub
        self._meanwhile = meanwhile

    def __getattr__(self, name: str) -> Any:
        return getattr(self._hub, name)

    def devices(self) -> Any:
        self._meanwhile()
        return self._hub.devices()


def updating(house: House, hub: Any = None) -> Updating:
    return Updating(house.store, hub or house.hub, house.household._parts)


def ground(house: House) -> Home:
    return Ground(house.hub, house.people, house.household).site(house.clock.now(), ZONE).home


def say(house: House, slug: str, text: str) -> Any:
    house.step()
    return updating(house).change(slug, text, ground(house), who=WHO)


def make(house: House, text: str, **answers: str) -> str:
    """Make a task from a sentence; return its slug."""
    site = Ground(house.hub, house.people, house.household).site(house.clock.now(), ZONE)
    composed = compose(drafted(text, site.home, **answers), site)
    assert [one.id for one in composed.findings if one.level.value == "error"] == []
    return house.household.apply(composed.plan, who=WHO).slug


SENTENCES = [
    ("妈妈每天喝8杯水 够了手机推送我", {}),
    ("今天喝够8杯水手机提醒我", {}),
    ("久坐30分钟提醒一下", {"channel": "B"}),
    ("每天累计玩手机超1小时用音箱提醒", {}),
    ("客厅没人就关灯", {}),
    ("妈妈回家就开灯", {}),
    ("妈妈回家就播放欢迎曲", {}),
    ("看电视的时候把客厅灯打开", {}),
    ("后天提醒我交电费", {}),
    ("这周每天晚上9点提醒我抹药膏", {}),
    ("家里没人就把空调关了", {}),
    ("有人按门铃就推我手机上", {}),
]


@pytest.mark.parametrize(("text", "answers"), SENTENCES, ids=[text for text, _ in SENTENCES])
def test_every_phrase_of_a_report_changes_the_stored_task_and_is_taken_back(
    steady_house: House, text: str, answers: dict[str, str]
) -> None:
    house = steady_house
    site = Ground(house.hub, house.people, house.household).site(house.clock.now(), ZONE)
    composed = compose(drafted(text, site.home, **answers), site)
    slug = house.household.apply(composed.plan, who=WHO).slug
    before = state(house, slug)
    said = list(phrases(composed))
    assert said
    for _, phrase in said:
        wanted = route(plain(phrase), ground(house))
        assert (wanted.op, wanted.target) == ("update", (slug,)), phrase
        done = say(house, slug, phrase)
        (latest, *_) = house.household.revisions(slug)
        assert done.revision == latest.number, phrase
        assert latest.why == phrase
        assert state(house, slug) != before, phrase
        house.household.undo(slug, who=WHO)
        assert state(house, slug) == before, phrase


CHANGES: list[tuple[str, Callable[[], dict[str, Any]], str]] = [
    ("goal", examples.drink_daily, "把喝水改成 10 杯"),
    ("goal and period", examples.drink_daily, "改成每周 50 杯"),
    ("reminders", examples.drink_daily, "提醒时间改成每天早上9点"),
    ("end", examples.drink_daily, "到这周日为止"),
    ("several", examples.drink_daily, "改成 10 杯，只看玄关，到这周日为止"),
    ("name", examples.drink_daily, "名字改成妈妈多喝水"),
    ("forever", examples.drink_today, "长期"),
    ("later end", examples.drink_today, "到10月20号"),
    ("hold", examples.sitting, "久坐改成 40 分钟"),
    ("adding up", examples.sitting, "把久坐改成每天累计 2 小时"),
    ("channel", examples.sitting, "改成音箱播报"),
    ("quiet", examples.sitting, "晚上10点到早上7点不提醒"),
    ("total", examples.phone, "累计目标改成2小时"),
    ("device", examples.lights_off, "改成书房的台灯"),
    ("cameras", examples.lights_off, "所有摄像头都看"),
    ("instant", examples.medicine, "改成后天早上8点"),
    ("repeating", examples.medicine, "改成每天早上8点"),
    ("stays", examples.curtain, "离开不用管"),
    ("person", examples.mother, "改成爸爸"),
]


@pytest.mark.parametrize(("plan", "text"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
def test_a_said_change_is_one_revision_that_is_taken_back_and_done_again(
    steady_house: House, plan: Callable[[], dict[str, Any]], text: str
) -> None:
    house = steady_house
    slug = house.apply(plan())
    before = state(house, slug)
    done = say(house, slug, text)
    after = state(house, slug)
    assert after != before
    assert [one.number for one in house.household.revisions(slug)] == [done.revision]
    for expected in (before, after, before):
        house.household.undo(slug, who=WHO)
        assert state(house, slug) == expected


def test_several_changes_are_one_revision_and_one_sentence(house: House) -> None:
    house.apply(examples.drink_daily())
    done = say(house, "drink_8_daily", "改成 10 杯，只看玄关，到这周日为止")
    assert done.sentence == (
        "已把「妈妈每天喝 8 杯水」的目标从 8 杯改成 10 杯；摄像头从所有摄像头改成玄关；期限从长期有效改成 10月18日当天"
    )
    view = house.view("drink_8_daily")
    assert view.record is not None
    assert view.record.target == 10
    assert view.task.description == "妈妈每天喝 10 杯水"
    assert view.rules[0].plan.trigger.sources == ("cam_entrance",)
    assert view.task.lifecycle.expires_at == view.record.expires_at
    (revision,) = house.household.revisions("drink_8_daily")
    assert revision.kind is Kind.SEVERAL


def test_a_device_is_changed_for_one_that_can_do_the_same(steady_house: House) -> None:
    house = steady_house
    house.apply(examples.lights_off())
    say(house, "living_room_off", "改成书房的台灯")
    (action,) = house.view("living_room_off").rules[0].plan.on_enter.actions
    assert action.did == "lamp_study"
    assert action.iid.startswith("prop.")
    assert action.value is False
    spec = house.hub.spec("lamp_study")
    assert next(one.name for one in spec.properties if one.iid == action.iid) == "on"


def test_what_is_not_clear_changes_nothing(steady_house: House) -> None:
    house = steady_house
    house.apply(examples.drink_daily())
    before = state(house, "drink_8_daily")
    for text in ("改得好一点", "改成0杯", "改成10分钟", "改成 10 杯，只看厨房", "改成 10 杯，到昨天为止"):
        with pytest.raises(BadInput):
            say(house, "drink_8_daily", text)
    assert state(house, "drink_8_daily") == before
    assert house.household.revisions("drink_8_daily") == ()


def test_characters_that_no_database_keeps_do_no_harm(steady_house: House) -> None:
    house = steady_house
    house.apply(examples.sitting())
    say(house, "sit_30min", "播报内容改成\x00该起来\ud800走走了")
    assert house.view("sit_30min").rules[0].plan.on_enter.descs == ("使用手机推送通知：该起来，走走了",)


def test_what_is_so_already_is_no_revision(steady_house: House) -> None:
    house = steady_house
    house.apply(examples.drink_daily())
    done = say(house, "drink_8_daily", "改成 8 杯")
    assert done.revision is None
    assert "本来就是" in done.sentence
    assert house.household.revisions("drink_8_daily") == ()


def test_a_paused_task_is_changed_and_stays_paused(house: House) -> None:
    house.apply(examples.drink_daily())
    house.household.disable("drink_8_daily", who=WHO)
    say(house, "drink_8_daily", "改成 10 杯，提醒改成每天早上9点，到这周日为止")
    view = house.view("drink_8_daily")
    assert not view.task.active
    assert not view.rules[0].enabled
    assert house.pending().count("schedule.tick") == 0
    house.household.enable("drink_8_daily", who=WHO)
    assert house.view("drink_8_daily").rules[0].enabled


def test_a_task_that_has_ended_is_not_changed(steady_house: House) -> None:
    house = steady_house
    house.apply(examples.drink_daily())
    house.household.delete("drink_8_daily", who=WHO)
    with pytest.raises(NotFound):
        say(house, "drink_8_daily", "改成 10 杯")


PLAYING = """10-12 12:59:20  0:00:40  phone_time_daily  no
        10-12 13:00:00  0:20:00  phone_time_daily  yes"""
GOING_ON = """10-12 13:20:00  0:10:00  phone_time_daily  yes
        10-12 13:30:00  0:05:00  phone_time_daily  no"""


@pytest.mark.parametrize(
    ("text", "record"),
    [
        ("累计目标改成2小时", "0:30:00 of 120 min"),
        ("改用音箱播报", "0:30:00 of 60 min"),
        # The condition is another one: the session ends, and the next begins when that has held for 90 seconds.
        ("只看爸爸", "0:20:00 of 60 min"),
    ],
)
def test_a_session_under_way_goes_on_where_the_rule_does(live_in: Any, text: str, record: str) -> None:
    life = live_in()
    life.script(5)
    life.play(PLAYING)
    lived = Updating(life.app.store, life.hub, life.app.household._parts)
    site = Ground(life.hub, life.app.people, life.app.household).site(life.clock.now(), ZONE)
    assert lived.change("phone_time_daily", text, site.home, who=WHO).revision is not None
    life.play(GOING_ON)
    assert life.record("phone_time_daily") == record


def test_the_end_that_was_said_is_the_one_that_counts(steady_house: House) -> None:
    house = steady_house
    slug = house.apply(examples.drink_today())
    say(house, slug, "到10月14号")
    house.pass_time(timedelta(days=1, hours=12), every=timedelta(hours=1))
    assert house.task(slug).active
    house.pass_time(timedelta(days=2), every=timedelta(hours=1))
    assert not house.task(slug).active


def test_what_goes_on_for_ever_is_not_ended_by_its_old_termination(steady_house: House) -> None:
    house = steady_house
    slug = house.apply(examples.drink_today())
    say(house, slug, "长期")
    house.pass_time(timedelta(days=3), every=timedelta(hours=2))
    view = house.view(slug)
    assert view.task.active
    assert view.record is not None
    assert view.record.recurring is Window.DAY
    assert [job.plan.purpose.value for job in view.jobs] == ["remind"]


def test_what_adds_up_is_told_when_the_stretches_reach_it(live_in: Any) -> None:
    life = live_in()
    life.script(7)
    lived = Updating(life.app.store, life.hub, life.app.household._parts)
    site = Ground(life.hub, life.app.people, life.app.household).site(life.clock.now(), ZONE)
    lived.change("sit_30min", "把久坐改成每天累计 30 分钟", site.home, who=WHO)
    life.play("""
        10-12 13:00:00  0:20:00  sit_30min  yes
        10-12 13:20:00  0:10:00  sit_30min  no
        10-12 13:30:00  0:20:00  sit_30min  yes
        10-12 13:50:00  0:10:00  sit_30min  no
    """)
    assert life.record("sit_30min") == "0:40:00 of 30 min reached 10-12 13:40:00"
    assert len(life.told()) == 1


def test_a_change_in_between_is_not_overwritten(steady_house: House) -> None:
    """Somebody else changes the task after it was read and before that is carried out."""
    house = steady_house
    slug = house.apply(examples.lights_off())
    names = iter(["一", "二"])

    def meanwhile() -> None:
        name = next(names, None)
        if name is not None:
            house.household.update(slug, who="别人", description=name)

    home = ground(house)
    updating(house, BusyHub(house.hub, meanwhile)).change(slug, "改成持续 10 分钟才算", home, who=WHO)
    view = house.view(slug)
    assert (view.rules[0].plan.trigger.duration, view.task.description) == (600, "二")


def test_a_task_that_never_holds_still_is_given_up(steady_house: House) -> None:
    house = steady_house
    slug = house.apply(examples.lights_off())
    counter, home = iter(range(100)), ground(house)

    def meanwhile() -> None:
        house.household.update(slug, who="别人", description=f"名字 {next(counter)}")

    with pytest.raises(Conflict, match="刚刚被改过"):
        updating(house, BusyHub(house.hub, meanwhile)).change(slug, "改成持续 10 分钟才算", home, who=WHO)
    assert house.view(slug).rules[0].plan.trigger.duration == 300


def test_a_job_of_another_task_is_never_touched(steady_house: House) -> None:
    house = steady_house
    house.apply(examples.drink_daily())
    house.apply(examples.medicine())
    say(house, "drink_8_daily", "提醒改成每天早上9点")
    (job,) = house.view("med_tomorrow_9am").jobs
    assert job.plan.when.at is not None


def test_a_rule_whose_device_is_gone_can_still_be_changed(steady_house: House) -> None:
    house = steady_house
    slug = house.apply(examples.lights_off())
    home = ground(house)
    without = replace(home, devices=tuple(one for one in home.devices if one.did != examples.LAMP))
    done = updating(house).change(slug, "改成持续 10 分钟才算", without, who=WHO)
    assert "10 分钟" in done.sentence
