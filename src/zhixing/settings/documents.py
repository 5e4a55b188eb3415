"""What the settings say about document tasks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pydantic import BaseModel, SecretStr

from zhixing.documents.terms import Terms
from zhixing.settings.access import read_token
from zhixing.settings.load import Configuration
from zhixing.world.sandbox.port import MEBIBYTE

_SQLITE = "sqlite"
OWN_PROJECT = "documents"
"""The folder of the home's own project, in the home folder."""


def terms_of(configuration: Configuration, home: Path, env: Mapping[str, str]) -> Terms:
    """Return the terms of a home's document tasks. What the settings keep secret appears in no file of a run."""
    settings = configuration.settings
    wanted = settings.documents
    token = read_token(home, env)
    return Terms(
        project=Path(wanted.project).expanduser() if wanted.project else home / OWN_PROJECT,
        at_once=wanted.at_once,
        script_timeout=timedelta(seconds=wanted.script_timeout),
        agent_timeout=timedelta(seconds=wanted.agent_timeout),
        agent_command=wanted.agent_command,
        kept=wanted.kept,
        folder_bytes=wanted.folder_mb * MEBIBYTE,
        hidden=(home, *_database(configuration.store_url)),
        environment=dict(env),
        secrets=tuple(dict.fromkeys([*([token] if token else []), *_secrets(settings)])),
    )


def _database(url: str) -> Iterator[Path]:
    """Yield the files of a database that is a file."""
    parts = urlsplit(url)
    if parts.scheme == _SQLITE:
        file = unquote(parts.path)
        yield from (Path(f"{file}{end}") for end in ("", "-wal", "-shm"))


def _secrets(group: object) -> Iterator[str]:
    match group:
        case SecretStr():
            if group.get_secret_value():
                yield group.get_secret_value()
        case BaseModel():
            for name in type(group).model_fields:
                yield from _secrets(getattr(group, name))
        case dict():
            for value in group.values():
                yield from _secrets(value)
