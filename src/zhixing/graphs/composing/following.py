"""One device that follows another: which properties of them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from zhixing.graphs.building.sketch import Thing
from zhixing.graphs.composing import abilities
from zhixing.graphs.composing.finding import Finder
from zhixing.graphs.composing.orders import Doable, orders, settable
from zhixing.graphs.composing.plan import Mirror, Watch, Write
from zhixing.graphs.composing.request import Follow, Setting, State, Switch
from zhixing.graphs.specs.model import Format


class NotBuilt(Exception):
    """The words are clear and no way to build them is known here."""


def mirror_of(follow: Follow, finder: Finder) -> Mirror:
    """Return what follows what. Raises `NotBuilt`, `Unsettled`."""
    return _scaled(follow, finder) if follow.measure else _switched(follow, finder)


def _switched(follow: Follow, finder: Finder) -> Mirror:
    act = Switch(follow.span, (follow.follower,), "on")
    master = finder.find(follow.master, lambda thing: abilities.power_ways(thing, State.ON), "master")[0]
    follower = finder.find(follow.follower, lambda thing: orders(thing, act), "follower", (follow.master.room,))[0]
    watched, order = master.way.sensor, follower.way.order
    if not isinstance(watched, Watch) or not isinstance(order, Write) or order.prop.format is not Format.BOOL:
        raise NotBuilt(follow.follower.words)
    if (watched.thing.did, watched.prop) == (order.thing.did, order.prop):
        raise NotBuilt(follow.follower.words)
    told = (watched.prop, order.prop)
    if follow.both and not all(each.notifiable and each.readable and each.writable for each in told):
        raise NotBuilt(follow.follower.words)
    how: Literal["one_way", "both"] = "both" if follow.both else "one_way"
    return Mirror(how, (watched.thing, watched.prop), (order.thing, order.prop), (master.label, follower.label))


def _scaled(follow: Follow, finder: Finder) -> Mirror:
    """Let a number follow a number (台灯亮度跟着吸顶灯), each in its own range."""
    if follow.both or follow.measure == "mode":
        raise NotBuilt(follow.measure)
    act = Setting(follow.span, (), follow.measure, 0)

    def able(thing: Thing) -> Sequence[Doable]:
        found = [
            each
            for each in settable(thing, act)
            if each.notifiable and each.readable and each.range is not None and each.range.usable and not each.choices
        ]
        return [Doable(Write(thing, each, 0)) for each in found]

    master = finder.find(follow.master, able, "master")[0]
    follower = finder.find(follow.follower, able, "follower", (follow.master.room,))[0]
    first, second = master.way.order, follower.way.order
    if not isinstance(first, Write) or not isinstance(second, Write) or first.thing.did == second.thing.did:
        raise NotBuilt(follow.measure)
    return Mirror("scaled", (first.thing, first.prop), (second.thing, second.prop), (master.label, follower.label))
