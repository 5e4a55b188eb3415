"""Chat completions as they go over the wire: what is sent, and what an answer means. Pure."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from zhixing.world.models.dialect import Dialect, Format
from zhixing.world.models.exchange import Objection, Said
from zhixing.world.models.failures import Why
from zhixing.world.models.port import Prompt, Text
from zhixing.world.models.usage import Tokens

LONGEST_ECHO = 20_000
"""Characters of a refused reply that the model is shown again."""

_ONLY_JSON = "只输出一个 JSON 对象，前后不要任何别的文字，也不要代码框。"
_SHAPED = "它必须符合这个 JSON Schema："
_REPAIR = "上一次的回答用不了：{complaint}。请改正这一处，重新给出完整的回答。"


@dataclass(frozen=True, slots=True)
class Trouble:
    """An answer that brings no reply. `passes`: asking again later may help. `said` is the server's own words."""

    why: Why
    passes: bool
    detail: str = ""
    after: timedelta | None = None
    said: str = field(repr=False, default="")
    tokens: Tokens = field(default_factory=Tokens)


def request(prompt: Prompt, model: str, dialect: Dialect, objection: Objection | None) -> dict[str, Any]:
    """Return the body of the request."""
    body: dict[str, Any] = {
        "model": model,
        "messages": list(_messages(prompt, dialect, objection)),
        "stream": False,
        "max_completion_tokens" if dialect.counts_thoughts else "max_tokens": prompt.max_tokens,
    }
    if dialect.effort:
        body["reasoning_effort"] = prompt.wanted_effort.value
    if dialect.forbids_thinking:
        body["enable_thinking"] = False
    if prompt.shape is not None and dialect.format is Format.SCHEMA:
        schema = {"name": prompt.shape.name, "strict": True, "schema": prompt.shape.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif prompt.shape is not None and dialect.format is Format.OBJECT:
        body["response_format"] = {"type": "json_object"}
    return body


def _messages(prompt: Prompt, dialect: Dialect, objection: Objection | None) -> Iterator[dict[str, Any]]:
    rules = [prompt.system]
    if prompt.shape is not None:
        rules.append(_ONLY_JSON)
        if dialect.format is not Format.SCHEMA or objection is not None:
            rules.append(_SHAPED + prompt.shape.text())
    if any(rules):
        yield {"role": "system", "content": "\n\n".join(filter(None, rules))}
    parts = list(prompt.parts)
    repair = _REPAIR.format(complaint=objection.complaint) if objection else ""
    if objection and not objection.about:
        # An empty message of the assistant is refused by many, and so are two of the user in a row.
        parts.append(Text(repair))
    yield {"role": "user", "content": _content(parts)}
    if objection and objection.about:
        yield {"role": "assistant", "content": objection.about[:LONGEST_ECHO]}
        yield {"role": "user", "content": repair}


def _content(parts: list[Any]) -> str | list[dict[str, Any]]:
    # Servers without images often know no list of parts either.
    if all(isinstance(part, Text) for part in parts):
        return "\n\n".join(part.text for part in parts)
    return [
        {"type": "text", "text": part.text}
        if isinstance(part, Text)
        else {"type": "image_url", "image_url": _url(part)}
        for part in parts
    ]


def _url(image: Any) -> dict[str, str]:
    return {"url": f"data:{image.media_type};base64,{base64.b64encode(image.data).decode()}"}


def answer(status: int, body: bytes, after: timedelta | None = None) -> Said | Trouble:
    """Read an answer. Its media type says nothing: servers label JSON as text and pages as JSON."""
    content = _json(body)
    if not 200 <= status < 300:
        return _trouble(status, content, body, after)
    if not isinstance(content, dict):
        return Trouble(Why.NOT_A_MODEL, passes=True, detail=str(status))
    if content.get("error"):
        # Gateways that had said 200 before the model behind them failed.
        return _trouble(_status_in(content["error"]), content, body, after)
    choices = content.get("choices")
    # Several choices nobody has asked for: the first is the one that would have come alone.
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict) or not isinstance(choice.get("message"), dict):
        return Trouble(Why.NOT_A_MODEL, passes=True, detail=str(status))
    if choice.get("error"):
        return _trouble(_status_in(choice["error"]), choice, body, after)
    return _said(choice, _tokens(content.get("usage")))


_DECLINED = {"content_filter", "sensitive"}
_CUT = {"length", "max_tokens", "model_context_window_exceeded"}
_BROKE_OFF = {"insufficient_system_resource", "network_error", "error"}


def _said(choice: dict[str, Any], tokens: Tokens) -> Said | Trouble:
    message = choice["message"]
    finish = choice.get("finish_reason")
    if finish in _DECLINED or message.get("refusal"):
        return Trouble(Why.DECLINED, passes=False, tokens=tokens)
    if finish in _BROKE_OFF:
        return Trouble(Why.SERVER_FAILED, passes=True, detail="200", tokens=tokens)
    return Said(_text(message.get("content")), tokens, whole=finish not in _CUT)


def _text(content: object) -> str:
    if isinstance(content, list):
        # Thoughts and words as separate parts; only words are the reply.
        texts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
        return "".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) else ""


def _tokens(usage: object) -> Tokens:
    if not isinstance(usage, dict):
        return Tokens()
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    return Tokens(
        read=_count(usage.get("prompt_tokens")),
        written=_count(usage.get("completion_tokens")),
        cached=_count(usage.get("prompt_cache_hit_tokens") if cached is None else cached),
    )


def _count(number: object) -> int:
    return number if type(number) is int and 0 <= number < 1_000_000_000 else 0


_QUOTA = {
    *("insufficient_quota", "exceeded_current_quota_error", "insufficient_user_quota", "insufficient_balance"),
    *("arrearage", "1113", "30001", "30011"),
}
_LONG = {"context_length_exceeded", "exceed_context_size_error", "string_above_max_length"}
_FILTERED = {"content_filter", "content_policy_violation", "data_inspection_failed", "datainspectionfailed", "1301"}
_NO_IMAGES = (
    *("image input is not supported", "does not support image", "not a multimodal model"),
    *("unknown variant `image_url`", 'content part type: "image_url"'),
)
_BEGINNING = 300
"""Characters of an error that are looked at for words. Servers that repeat the request do so after their own."""


def _trouble(status: int, content: object, body: bytes, after: timedelta | None) -> Trouble:
    codes = _codes(content)
    said = _words(content) or body[:1_000].decode("utf-8", "replace")
    why, passes = _meaning(status, codes, said.lower())
    return Trouble(why, passes, str(status), after, said)


def _meaning(status: int, codes: set[str], said: str) -> tuple[Why, bool]:
    """Return what an error status means and whether it passes. Codes count more: they say what will not pass."""
    if status == 402 or codes & _QUOTA:
        return Why.QUOTA, False
    if codes & _FILTERED:
        return Why.DECLINED, False
    if status == 413 or codes & _LONG:
        return Why.TOO_LONG, False
    if status >= 400 and any(word in said[:_BEGINNING] for word in _NO_IMAGES):
        return Why.NO_IMAGES, False
    if status in {408, 425, 429}:
        return Why.BUSY, True
    if status >= 500:
        return Why.SERVER_FAILED, True
    named = {401: Why.KEY, 403: Why.FORBIDDEN, 404: Why.NOT_FOUND, 405: Why.NOT_FOUND, 410: Why.NOT_FOUND}
    return named.get(status, Why.MOVED if status < 400 else Why.REQUEST), False


def _json(body: bytes) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _error(content: object) -> object:
    return content.get("error", content) if isinstance(content, dict) else None


def _codes(content: object) -> set[str]:
    error = _error(content)
    if not isinstance(error, dict):
        return set()
    return {str(error[name]).lower() for name in ("code", "type") if isinstance(error.get(name), str | int)}


def _words(content: object) -> str:
    error = _error(content)
    parameter: object = None
    if isinstance(error, dict):
        parameter = error.get("param")
        error = error.get("message") or error.get("detail") or error.get("msg")
    words = error if isinstance(error, str) else json.dumps(error, ensure_ascii=False) if error else ""
    return f"{parameter}: {words}" if isinstance(parameter, str) else words


def _status_in(error: object) -> int:
    code = error.get("code") if isinstance(error, dict) else None
    return code if type(code) is int and 400 <= code < 600 else 502
