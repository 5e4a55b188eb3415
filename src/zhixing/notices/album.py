"""The rows of pictures: each is kept once, as it came, and belongs to every notice that was read in it.

The databases share no type for bytes, so they are kept as base64; that column stands last and is only read here.
"""

from __future__ import annotations

import base64

from zhixing.notices.pictures import Facts, Picture
from zhixing.store.connection import Tx


def keep(tx: Tx, task_id: str, picture: Picture) -> None:
    """Keep a picture as the one of that notice."""
    facts = picture.facts
    tx.execute(
        "INSERT INTO pictures (sha256, media_type, width, height, size, content) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (sha256) DO NOTHING",
        (
            facts.sha256,
            facts.media_type,
            facts.width,
            facts.height,
            facts.size,
            base64.b64encode(picture.data).decode(),
        ),
    )
    share(tx, task_id, facts)


def share(tx: Tx, task_id: str, facts: Facts) -> None:
    """Let a kept picture be the one of that notice, too."""
    tx.execute("INSERT INTO notice_pictures (task_id, sha256) VALUES (?, ?)", (task_id, facts.sha256))


def facts_of(tx: Tx, task_id: str) -> Facts | None:
    """Return what is known of the picture of that notice; None where it has none."""
    row = tx.row(
        "SELECT pictures.sha256, media_type, width, height, size FROM notice_pictures"
        " JOIN pictures ON pictures.sha256 = notice_pictures.sha256 WHERE task_id = ?",
        (task_id,),
    )
    return None if row is None else Facts(*row)


def picture_of(tx: Tx, task_id: str) -> Picture | None:
    """Return the picture of that notice; None where it has none."""
    facts = facts_of(tx, task_id)
    if facts is None:
        return None
    row = tx.row("SELECT content FROM pictures WHERE sha256 = ?", (facts.sha256,))
    return None if row is None else Picture(base64.b64decode(row[0]), facts)
