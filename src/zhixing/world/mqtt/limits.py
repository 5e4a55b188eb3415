"""Bounds on what comes from the broker and goes to it."""

from __future__ import annotations

from datetime import timedelta

LARGEST_PACKET = 1_048_576
"""Bytes of a packet; the broker keeps back what is larger."""
LARGEST_PAYLOAD = 262_144
"""Bytes of a message that is looked at."""
LONGEST_TOPIC = 256
"""Characters of a topic."""
DEEPEST_FIELD = 8
"""Names in the path to a field."""
MOST_STANDING = 2_000
"""Sources and conditions of which is kept how things stand."""
MOST_AWAY = 1_000
"""Sources of which is kept that they are away."""
MOST_EVENTS = 4_096
"""Events of which is kept that they were told."""
MOST_WAITING = 10_000
"""Verdicts that wait to be taken."""
AHEAD = timedelta(seconds=60)
"""What claims to be of an instant further in the future than this is not believed."""
