"""The cycles of a directed graph: its strongly connected components that have a wire inside (Tarjan 1972)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def cycles(follows: Mapping[str, Sequence[str]]) -> Iterator[frozenset[str]]:
    """Yield each set of names in which every one is reached from every other. All names are keys of `follows`."""
    walk = _Walk(follows)
    for name in follows:
        for found in walk.components(name):
            if len(found) > 1 or any(each in follows[each] for each in found):
                yield found


class _Walk:
    """A depth-first walk with a list of its own in place of recursion: chains of nodes are long."""

    def __init__(self, follows: Mapping[str, Sequence[str]]) -> None:
        self._follows = follows
        self._order: dict[str, int] = {}
        self._lowest: dict[str, int] = {}
        self._path: list[str] = []
        self._on_path: set[str] = set()

    def components(self, root: str) -> Iterator[frozenset[str]]:
        """Yield the components that are reached from a name and are not known yet."""
        if root in self._order:
            return
        work = [(root, self._entered(root))]
        while work:
            name, rest = work[-1]
            after = next(rest, None)
            if after is None:
                work.pop()
                if work:
                    self._see(work[-1][0], self._lowest[name])
                if self._lowest[name] == self._order[name]:
                    yield self._taken(name)
            elif after not in self._order:
                work.append((after, self._entered(after)))
            elif after in self._on_path:
                self._see(name, self._order[after])

    def _entered(self, name: str) -> Iterator[str]:
        self._order[name] = self._lowest[name] = len(self._order)
        self._path.append(name)
        self._on_path.add(name)
        return iter(self._follows[name])

    def _see(self, name: str, number: int) -> None:
        self._lowest[name] = min(self._lowest[name], number)

    def _taken(self, name: str) -> frozenset[str]:
        found = {self._path.pop()}
        while name not in found:
            found.add(self._path.pop())
        self._on_path -= found
        return frozenset(found)
