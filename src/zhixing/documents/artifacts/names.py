"""What the files of a run are called (document 003: 常见产物; downcity.md §3.3)."""

from __future__ import annotations

INPUT = "input.md"
OUTPUT = "output.md"
RESULT = "result.md"
ERROR = "error.md"
RUN = "run.json"
PROGRESS = "run-progress.json"
DIALOGUE = "dialogue.md"
ROUNDS = "dialogue.json"
SCRIPT = "task-script.sh"

ARTIFACTS = (INPUT, OUTPUT, RESULT, ERROR, RUN, PROGRESS, DIALOGUE, ROUNDS, SCRIPT)
"""All of them, in the order in which they are listed."""
