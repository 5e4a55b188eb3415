"""Long chains in rows: after so many columns a part goes on below, at the left again."""

from __future__ import annotations

from collections.abc import Iterable


def rows(count: int, limit: int | None, spans: Iterable[tuple[int, int]]) -> list[int]:
    """Return the row of each of `count` columns.

    `spans` are the first and last columns of the groups: a row ends before the limit, or after it, rather than within
    a group.
    """
    if limit is None:
        return [0] * count
    whole = [True] * (count + 1)
    for first, last in spans:
        whole[first + 1 : last + 1] = [False] * (last - first)
    found: list[int] = []
    row = 0
    while len(found) < count:
        start = len(found)
        early = [cut for cut in range(start + 1, min(start + limit, count) + 1) if whole[cut]]
        end = early[-1] if early else next(cut for cut in range(start + 1, count + 1) if whole[cut])
        found.extend([row] * (end - start))
        row += 1
    return found
