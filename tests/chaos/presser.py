"""A button is clicked and a door opened and closed, at random moments, by a process that nobody kills.

    presser.py HOME SEED

Says when it begins; once it is terminated, how often it did so, as JSON: `{"clicks": 40, "openings": 12}`.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import threading
from pathlib import Path

from zhixing.app import opened
from zhixing.kernel.clock import SystemClock
from zhixing.settings import home_zone, load
from zhixing.world.devices.virtual import VirtualHome

BUTTON, DOOR = "button_bedside", "door_entrance"
LONGEST = 120
CLICK_SECONDS = 1.0
"""How far apart clicks are: a gateway takes in one a second of a remote control, and the others wait."""


def main(folder: Path, seed: int) -> None:
    """Press until somebody says that it is enough, or for `LONGEST` seconds."""
    chance, clock, enough = random.Random(seed), SystemClock(), threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: enough.set())
    clicks = openings = 0
    with opened(load(folder, os.environ), clock, home_zone("Asia/Shanghai", {}), folder, {}) as app:
        home = app.hub
        assert isinstance(home, VirtualHome)
        print("begins", flush=True)  # noqa: T201 - what others wait for
        begin = clock.monotonic()
        while not enough.is_set() and clock.monotonic() < begin + LONGEST:
            if clicks < (clock.monotonic() - begin) / CLICK_SECONDS:
                home.emit(BUTTON, "click")
                clicks += 1
            else:
                home.set_property(DOOR, "contact-state", True)
                home.set_property(DOOR, "contact-state", False)
                openings += 1
            enough.wait(chance.uniform(0, 0.2))
    print(json.dumps({"clicks": clicks, "openings": openings}))  # noqa: T201 - the answer


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
