"""What every channel promises, over the in-memory twin and over the real thing against a real server."""

from __future__ import annotations

from dataclasses import replace

import pytest

from zhixing.kernel.clock import SystemClock
from zhixing.world.channels.memory import MemoryChannel
from zhixing.world.channels.port import Channel, Delivered, NotSent, Reason, Refused, Unknown
from zhixing.world.channels.webhook import Webhook


class MemoryPost:
    """The twin's other side."""

    def __init__(self) -> None:
        self.channel: Channel = MemoryChannel("阳台")

    def will(self, do: str) -> None:
        self.channel.then(
            {
                "accept": Delivered(),
                "refuse": Refused(Reason("refused", "404")),
                "put off": NotSent(Reason("busy", "429")),
                "be away": NotSent(Reason("unreachable")),
                "break": Unknown(Reason("receiver_failed", "500")),
                "hang up": Unknown(Reason("answer_broken")),
            }[do]
        )

    def arrived(self) -> list[tuple[str, str, str, str]]:
        return [(letter.id, letter.key, letter.title, letter.text) for letter in self.channel.arrived]


class WebhookPost:
    """A webhook's other side."""

    def __init__(self, receiver, closed_port) -> None:
        self._receiver = receiver
        self._away = f"http://127.0.0.1:{closed_port}/"
        self._here = Webhook("阳台", receiver.url, SystemClock())
        self.channel: Channel = self._here

    def will(self, do: str) -> None:
        if do == "be away":
            self.channel = Webhook("阳台", self._away, SystemClock())
        else:
            self._receiver.behaviour = {
                "accept": "200",
                "refuse": "404",
                "put off": "429",
                "break": "500",
                "hang up": "close",
            }[do]

    def arrived(self) -> list[tuple[str, str, str, str]]:
        taken = self._receiver.posted if self._receiver.behaviour in {"200", "500", "close"} else []
        return [tuple(posted.json[name] for name in ("id", "key", "title", "text")) for posted in taken]


@pytest.fixture(params=["memory", "webhook"])
def post(request, receiver, closed_port):
    return MemoryPost() if request.param == "memory" else WebhookPost(receiver, closed_port)


def test_a_channel_has_the_name_it_was_configured_by(post):
    assert post.channel.name == "阳台"


def test_a_receiver_is_not_taken_to_know_keys_unless_somebody_says_so(post):
    assert post.channel.idempotent is False


def test_an_accepted_letter_arrives_whole_and_once(post, letter):
    post.will("accept")

    assert post.channel.send(letter) == Delivered()
    assert post.arrived() == [(letter.id, letter.key, letter.title, letter.text)]


def test_letters_arrive_in_the_order_they_are_sent(post, letter):
    for number in range(5):
        post.will("accept")
        post.channel.send(replace(letter, id=f"m{number}"))

    assert [arrived[0] for arrived in post.arrived()] == ["m0", "m1", "m2", "m3", "m4"]


def test_the_same_letter_sent_again_arrives_under_the_same_key(post, letter):
    for _ in range(2):
        post.will("accept")
        post.channel.send(letter)

    assert [arrived[1] for arrived in post.arrived()] == [letter.key, letter.key]


@pytest.mark.parametrize(
    ("does", "receipt"),
    [("refuse", Refused), ("put off", NotSent), ("be away", NotSent)],
)
def test_a_letter_that_was_not_taken_is_never_called_delivered(post, letter, does, receipt):
    post.will(does)

    assert isinstance(post.channel.send(letter), receipt)
    assert post.arrived() == []


@pytest.mark.parametrize("does", ["break", "hang up"])
def test_a_letter_that_arrived_before_things_went_wrong_is_never_called_not_sent(post, letter, does):
    post.will(does)

    assert isinstance(post.channel.send(letter), Unknown)
    assert len(post.arrived()) == 1


@pytest.mark.parametrize("does", ["refuse", "put off", "be away", "break", "hang up"])
def test_whatever_went_wrong_has_a_reason_in_words(post, letter, does):
    post.will(does)

    reason = post.channel.send(letter).reason
    assert reason.text("zh")
    assert reason.text("en")
