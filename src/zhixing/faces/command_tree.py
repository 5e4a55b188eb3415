"""A command line as a tree of names: which commands there are, and where each one is implemented.

Each command lives in a module of its own, which is read only when it is called.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cyclopts import App

Tree = Mapping[str, "str | Tree"]
"""Names of commands: where each is (`module:function`), or what the group of that name holds."""
Chain = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CommandTree:
    """The commands of `program`, whose modules are in `package`, in the order of the pages that list them."""

    program: str
    package: str
    tree: Tree

    def app(self) -> App:
        """Return the command line. Help, errors and results are ours; cyclopts reads the arguments."""
        return self._grown(App(name=self.program, help_flags=(), version_flags=()), self.tree)

    def chains(self) -> Iterator[Chain]:
        """Yield every command that can be called."""
        return _chains(self.tree, ())

    def below(self, chain: Sequence[str]) -> Tree | None:
        """Return what a group holds; None for a command."""
        found: Any = self.tree
        for name in chain:
            found = found[name]
        return None if isinstance(found, str) else found

    def _grown(self, app: App, tree: Tree) -> App:
        for name, below in tree.items():
            if isinstance(below, str):
                app.command(f"{self.package}.{below}", name=name)
            else:
                app.command(self._grown(App(name=name, help_flags=(), version_flags=()), below))
        return app


def _chains(tree: Tree, above: Chain) -> Iterator[Chain]:
    for name, below in tree.items():
        if isinstance(below, str):
            yield (*above, name)
        else:
            yield from _chains(below, (*above, name))
