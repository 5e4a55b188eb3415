"""A tool: one operation of the home, with typed arguments, that an agent may call. Knows nothing of the protocol.

A tool is a function `act(home, *, …) -> Wire`: its name is the tool's, its docstring what an agent reads, and its
annotated arguments the JSON schema. Names of arguments are written as in the HTTP API (`messageDate`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, get_type_hints

import msgspec
from pydantic import ConfigDict, ValidationError, create_model

from zhixing.faces.cli.house import House
from zhixing.faces.http.api.bodies import Body
from zhixing.faces.http.refusals import explain
from zhixing.faces.wire import Wire
from zhixing.kernel.errors import BadInput, TooLarge

WHO = "mcp"
"""Who the journal says it was."""


@dataclass(frozen=True, slots=True)
class Hints:
    """What a client is told of a tool before it is called."""

    reads_only: bool
    destroys: bool
    may_be_repeated: bool


class Effect(Enum):
    """What calling a tool does to the home."""

    READS = Hints(reads_only=True, destroys=False, may_be_repeated=True)
    ADDS = Hints(reads_only=False, destroys=False, may_be_repeated=False)
    """Something new comes of each call."""
    SETS = Hints(reads_only=False, destroys=False, may_be_repeated=True)
    """The second call changes nothing; it may say so as an error."""
    ENDS = Hints(reads_only=False, destroys=True, may_be_repeated=True)
    """Takes something away; the second call finds it gone."""
    ACTS = Hints(reads_only=False, destroys=True, may_be_repeated=False)
    """Acts on the world, or takes back what was done: not to be repeated unseen."""


class Parameters(Body):
    """The arguments of a tool: nothing is converted, and what is not in the schema is refused by name."""

    model_config = ConfigDict(strict=True)


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool."""

    name: str
    about: str
    effect: Effect
    parameters: type[Parameters]
    act: Callable[..., Wire]

    @classmethod
    def of(cls, act: Callable[..., Wire], effect: Effect) -> Tool:
        """Read a tool off a function."""
        hints = get_type_hints(act, include_extras=True)
        fields: dict[str, Any] = {
            name: (hints[name], ... if each.default is each.empty else each.default)
            for name, each in inspect.signature(act).parameters.items()
            if each.kind is each.KEYWORD_ONLY
        }
        name = act.__name__.rstrip("_")
        parameters = create_model(name, __base__=Parameters, **fields)
        return cls(name, inspect.cleandoc(act.__doc__ or ""), effect, parameters, act)

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments."""
        plain: dict[str, Any] = _without_titles(self.parameters.model_json_schema())
        plain.pop("description", None)
        return plain

    def call(self, home: House, said: Mapping[str, Any]) -> Wire:
        """Do it; raise a `ZhixingError` for arguments that cannot be used, and as the operation does."""
        limit = home.configuration.settings.limits.body_bytes
        try:
            size = len(msgspec.json.encode(said))
        except UnicodeEncodeError as error:
            raise BadInput("text_unstorable") from error
        if size > limit:
            raise TooLarge("body_large", limit=limit)
        try:
            read = self.parameters.model_validate(said)
        except ValidationError as error:
            found = error.errors(include_url=False, include_input=False)
            raise explain([{**each, "loc": ("arguments", *each["loc"])} for each in found]) from error
        return self.act(home, **{name: getattr(read, name) for name in self.parameters.model_fields})


def _without_titles(schema: Any) -> Any:
    """Return a schema without the titles that only repeat the names."""
    match schema:
        case dict():
            return {
                key: _without_titles(value)
                for key, value in schema.items()
                if key != "title" or not isinstance(value, str)
            }
        case list():
            return [_without_titles(item) for item in schema]
        case _:
            return schema
