"""Topics: what may be one, and which are ours."""

from __future__ import annotations

from zhixing.world.mqtt.limits import LONGEST_TOPIC

SCHEME = "mqtt:///"
"""How the address of a channel begins whose rest is a topic of the home's broker."""


def is_topic(text: str) -> bool:
    """Whether one can publish to it: bounded, of characters that can be shown, without wildcards, no empty ends."""
    if not 0 < len(text) <= LONGEST_TOPIC or not text.isprintable() or text != text.strip():
        return False
    return not set(text) & set("+#") and not text.startswith(("/", "$")) and not text.endswith("/")


def level(name: str) -> str:
    """Return `name` as one level of a topic: what has a meaning in topics is replaced."""
    clean = "".join("_" if each in "+#/$" or not each.isprintable() else each for each in name)
    return clean[:100] or "_"


def verdicts(prefix: str) -> str:
    """Return the topic of verdicts that name their source; below it, a level is the source."""
    return f"{prefix}/verdict"


def availability(prefix: str) -> str:
    """Return the topic below which a level is a source that says whether it is there."""
    return f"{prefix}/availability"


def status(prefix: str) -> str:
    """Return the topic that says whether we are there."""
    return f"{prefix}/status"
