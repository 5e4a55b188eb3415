"""Whatever a device does: a command is bounded, ends, and one that is given once leaves once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhixing.household.doing import steps
from zhixing.household.doing.commanding import Commanding
from zhixing.household.doing.model import StepState
from zhixing.kernel.clock import ManualClock
from zhixing.kernel.moments import parse_instant
from zhixing.tasks.rules.model import DeviceAction
from zhixing.world.devices.port import DeviceSpec, Done, Failed, PropertySpec, Uncertain

START = parse_instant("2026-10-12T10:00:00+08:00")
RESULTS = st.sampled_from(
    [
        Done(True),
        Done(False),
        Done(),
        Done("maybe"),
        Failed("offline"),
        Failed("refused"),
        Uncertain("no_answer"),
        OSError("gone"),
    ]
)


class Whimsical:
    """A device that answers as it likes."""

    def __init__(self, draw, transition: float) -> None:
        self._draw = draw
        self.sent = 0
        self._spec = DeviceSpec("x", (PropertySpec("prop.2.1", "on", "bool", True, True),), (), transition)

    def _answer(self):
        answer = self._draw(RESULTS)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def spec(self, _did):
        return self._spec

    def read(self, _did, _iid):
        return self._answer()

    def write(self, *_):
        self.sent += 1
        return self._answer()

    def act(self, *_):
        self.sent += 1
        return self._answer()


@given(st.data(), st.sampled_from([0.0, 8.0, 1e9]))
def test_a_write_leaves_at_most_three_times_and_ends(data, transition):
    clock, hub = ManualClock(START), Whimsical(data.draw, transition)
    action = DeviceAction("x", "prop.2.1", True)
    step = steps.begin(action, "o1", 1, clock.now())
    commanding = Commanding(hub, clock)
    for _ in range(5):
        if step.final:
            break
        step = commanding.write(step, action)
        if not step.final:
            assert step.state is StepState.WAITING
            assert clock.now() < step.next_at <= clock.now() + steps.LONGEST_TRANSITION + timedelta(seconds=9)
            clock.advance(step.next_at - clock.now())
    assert step.final
    assert hub.sent <= steps.TRIES
    assert step.tries <= hub.sent
    assert step.state is not StepState.SKIPPED or hub.sent == 0


@given(st.data())
def test_a_command_that_is_given_once_leaves_once(data):
    clock, hub = ManualClock(START), Whimsical(data.draw, 0.0)
    action = DeviceAction("x", "action.7.3", None, (1,))
    step = Commanding(hub, clock).once(steps.begin(action, "o1", 1, clock.now()), action)
    assert step.final
    assert hub.sent == 1
    assert step.good == (step.state is StepState.DONE)


@pytest.mark.parametrize(
    ("action", "may"),
    [
        (DeviceAction("x", "prop.2.1", True), True),
        (DeviceAction("x", "prop.2.1", False), True),
        (DeviceAction("x", "prop.2.1", 0), True),
        (DeviceAction("x", "prop.2.1", True, idempotent=False), False),
        (DeviceAction("x", "prop.2.1", None), False),
        (DeviceAction("x", "action.7.3", None), False),
        (DeviceAction("x", "action.7.3", "x", idempotent=True), False),
    ],
)
def test_only_a_write_of_a_value_may_be_repeated(action, may):
    assert steps.repeatable(action) is may
