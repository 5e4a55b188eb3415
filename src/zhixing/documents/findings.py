"""What is worth saying about a task.md without stopping it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from zhixing.kernel.wording import Language, wording


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark. `line` is a line of the file (0: none in particular); `code` names the text in `task_files`.

    A value that differs by language is a mapping from language to text.
    """

    line: int
    code: str
    values: Mapping[str, object] = field(default_factory=dict)

    def text(self, language: Language = "zh") -> str:
        """Say it in one line: what is meant, and what to write instead."""
        values = {name: value[language] if isinstance(value, Mapping) else value for name, value in self.values.items()}
        return wording(f"task_files.{self.code}", language, **values)
