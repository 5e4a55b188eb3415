"""Words that somebody looks for among tasks, as a condition on their rows."""

from __future__ import annotations

MOST_WORDS = 6
LONGEST_WORD = 60
"""Characters of a word that are looked for."""


def having(words: str, *columns: str) -> tuple[list[str], list[object]]:
    """Return the conditions under which each of the words stands in one of the columns, and their parameters.

    Large and small letters are the same where the database knows them to be. No words: no conditions.
    """
    wanted = [word[:LONGEST_WORD] for word in words.replace("\0", " ").split()[:MOST_WORDS]]
    one = " OR ".join(f"lower({column}) LIKE lower(?) ESCAPE '!'" for column in columns)
    patterns = [f"%{_plain(word)}%" for word in wanted]
    return [f"({one})" for _ in wanted], [pattern for pattern in patterns for _ in columns]


def _plain(word: str) -> str:
    """Return a word as it is sought, with nothing in it that stands for other letters, and storable."""
    word = word.encode(errors="replace").decode()
    return word.replace("!", "!!").replace("%", "!%").replace("_", "!_")
