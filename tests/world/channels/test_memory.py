from __future__ import annotations

from dataclasses import replace

from zhixing.world.channels.memory import MemoryChannel
from zhixing.world.channels.port import Delivered, NotSent, Reason, Unknown


def test_the_script_is_followed_and_then_everything_is_delivered(letter):
    away = NotSent(Reason("unreachable"))
    channel = MemoryChannel(script=[away])

    assert [channel.send(letter), channel.send(letter)] == [away, Delivered()]
    assert len(channel.sent) == 2
    assert len(channel.arrived) == 1


def test_a_twin_that_knows_keys_drops_what_it_already_has(letter):
    channel = MemoryChannel(script=[Unknown(Reason("no_answer"))], idempotent=True)

    channel.send(letter)
    channel.send(letter)
    channel.send(replace(letter, key="another"))

    assert [arrived.key for arrived in channel.arrived] == [letter.key, "another"]


def test_a_twin_that_does_not_know_keys_takes_everything(letter):
    channel = MemoryChannel()

    channel.send(letter)
    channel.send(letter)

    assert len(channel.arrived) == 2
