"""docs/settings.md, written from the model: `make docs`."""

from __future__ import annotations

import sys
from inspect import getdoc

from pydantic import SecretStr
from pydantic_core import PydanticUndefined

from zhixing.settings import keys
from zhixing.settings.access import SHORTEST_TOKEN, TOKEN_VARIABLE
from zhixing.settings.keys import Key

_HEAD = """\
# Settings

<!-- Written by `make docs` from src/zhixing/settings/model.py. Change it there. -->

Settings stand in `config.toml` in the home folder, which is `$ZHIXING_HOME` or `~/.zhixing`. A variable `ZHIXING_…`
wins over the file, the file over the default. `zhixing config show` prints every setting and where it comes from,
`zhixing config set KEY VALUE` changes one in the file and keeps its comments; an empty value takes it out.
Secrets are never shown. A mistake is told with its line, and nothing is overwritten.

```toml
zone = "Asia/Shanghai"

[channels.phone]
url = "https://example.org/hook"
```

The token that every call needs is no setting: it is made at the first start and kept in the file `token` beside the
configuration, readable by its owner only. `{variable}` (at least {shortest} characters) wins over that file.
The server listens on an address that others can reach only when a token was there before it started.
"""


def reference() -> str:
    """Return the page."""
    parts = [_HEAD.format(variable=TOKEN_VARIABLE, shortest=SHORTEST_TOKEN)]
    group: keys.Path | None = None
    for key in keys.every():
        if key.path[:-1] != group:
            group = key.path[:-1]
            title = f"`[{'.'.join(group).replace(keys.ANY_NAME, 'NAME')}]`" if group else "Top level"
            about = "Before every table." if not group else getdoc(key.group) or ""
            parts.append(
                f"\n## {title}\n\n{about}\n\n| key | type | default | variable | meaning |\n|---|---|---|---|---|\n"
            )
        parts.append(_row(key))
    return "".join(parts)


def _row(key: Key) -> str:
    name, variable = key.name.replace(keys.ANY_NAME, "NAME"), key.variable.replace(keys.ANY_NAME, "NAME")
    return f"| `{name}` | {_type(key)} | {_default(key)} | `{variable}` | {key.field.description} |\n"


def _type(key: Key) -> str:
    kind = key.field.annotation
    bounds = {type(bound).__name__: bound for bound in key.field.metadata}
    if "Ge" in bounds and "Le" in bounds:
        counted = "integer" if kind is int else "number"
        return f"{counted}, {bounds['Ge'].ge:,} to {bounds['Le'].le:,}"
    names = {SecretStr: "text, secret", str: "text", bool: "true / false", int: "integer"}
    return names.get(kind, "text") if isinstance(kind, type) else "text"


def _default(key: Key) -> str:
    value = key.field.default
    if value is PydanticUndefined:
        return "required"
    if isinstance(value, SecretStr):
        value = value.get_secret_value()
    if value == "" or value is None:
        return "not set"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


if __name__ == "__main__":
    sys.stdout.write(reference())
