"""Which optional parts of the protocol a server speaks, learned from what it refuses.

"OpenAI-compatible" servers differ in four places, and none says so beforehand:

- `response_format`: some enforce a JSON schema, some only know "any JSON object", some know neither;
- `reasoning_effort`: unknown to servers and models that do not think, and refused by some of them;
- the bound on what is written: `max_tokens`, except where only `max_completion_tokens` will do;
- `enable_thinking`: some servers let their models think by default and then only answer in a stream.

A refusal that names one of these is answered with the next simpler dialect. It is remembered once that was understood,
so a refusal with another cause that merely repeats such a word teaches nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum

from zhixing.world.models.port import Effort


class Format(IntEnum):
    """How the shape of a reply is asked for beside the words."""

    NONE = 0
    OBJECT = 1
    SCHEMA = 2


@dataclass(frozen=True, slots=True)
class Dialect:
    """What is sent. The default is the richest."""

    format: Format = Format.SCHEMA
    effort: bool = True
    counts_thoughts: bool = False
    """Whether the bound is called `max_completion_tokens`."""
    forbids_thinking: bool = False


_FORMAT = ("response_format", "json_schema", "json_object", "json mode", "structured output")
_EFFORT = ("reasoning_effort", "reasoning effort", "reasoning.effort", "thinking", "think value")
_LOOKED_AT = 400
"""Characters of a refusal that are looked at. Servers that repeat the request do so after their own words."""


def simpler(dialect: Dialect, refusal: str, *, effort: Effort, has_shape: bool) -> Dialect | None:
    """Return what to try after `refusal`, or None when it is about something else."""
    said = refusal[:_LOOKED_AT].lower()
    about_thinking = "enable_thinking" in said and not dialect.forbids_thinking
    about_format = has_shape and dialect.format is not Format.NONE and any(word in said for word in _FORMAT)
    if about_thinking and not (about_format and effort is Effort.HIGH):
        # Whoever is to think hard rather does without an enforced shape than without thinking.
        return replace(dialect, forbids_thinking=True, effort=False)
    if about_format:
        return replace(dialect, format=Format(dialect.format - 1))
    if dialect.effort and any(word in said for word in _EFFORT):
        return replace(dialect, effort=False)
    if "max_completion_tokens" in said and not dialect.counts_thoughts:
        return replace(dialect, counts_thoughts=True)
    return None
