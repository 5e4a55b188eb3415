"""Where things stand on the pages of goals. Pure."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

ALL = "/goals"
BOTS = "/goals/bots"


def of_goal(goal_id: str) -> str:
    """Return the address of a goal; its id may hold anything that is printed on one line."""
    return f"{ALL}/{quote(goal_id, safe='')}"


def is_link(text: str) -> bool:
    """Whether a text is an address on the web that may be followed: nothing else becomes a link (taskloop §7.1)."""
    if not text.isprintable() or any(each in text for each in " \"'<>\\"):
        return False
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        return False


def page_number(text: str) -> int:
    """Return the number of a page as it stands in an address; the first one for what is none."""
    plain = text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER
    return max(1, int(text)) if plain else 1


LONGEST_NUMBER = 5
