"""The task.md files of the chaos tests. Each script notes that it has begun, in a folder that outlives its run."""

from __future__ import annotations

from pathlib import Path

LOG = "log"
"""The folder of the project that scripts may write into."""

LONG = """\
trap '' TERM
setsid bash -c "trap '' TERM; sleep 86400 & sleep 86400" &
(setsid sleep 86400 >/dev/null 2>&1 &)
echo "$DC_RUN_ID" >> "$DC_PROJECT_ROOT/log/NAME"
sleep 86400
"""
"""A script that never ends by itself, ignores that it is asked to, and has children that leave its session."""


def page(title: str, when: str, body: str, *, session: str = "keyed", more: str = "") -> str:
    """Write a script task. `more` are further lines of its frontmatter."""
    return (
        f'---\ntitle: {title}\nwhen: "{when}"\ndescription: chaos\nsessionId: {session}\nkind: script\n'
        f"status: enabled\npaths: [{LOG}:rw]\n{more}---\n\n{body}"
    )


def quick(title: str, when: str, says: str, *, pause: float = 0.05) -> str:
    """Write a task that notes its run, waits a moment and says something."""
    body = f'echo "$DC_RUN_ID" >> "$DC_PROJECT_ROOT/{LOG}/{title}"\nsleep {pause}\necho "{says}"\n'
    return page(title, when, body)


def long(title: str, when: str = "@manual") -> str:
    """Write a task whose script only ends when it is made to."""
    return page(title, when, LONG.replace("NAME", title))


def put(project: Path, folder: str, text: str) -> Path:
    """Write a task.md as an editor does that replaces files; return it."""
    place = project / ".downcity" / "task" / folder
    place.mkdir(parents=True, exist_ok=True)
    new = place / "task.md.new"
    new.write_text(text, encoding="utf-8")
    return new.replace(place / "task.md")
