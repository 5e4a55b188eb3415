"""The calls to an agent that speaks A2A, each in an event loop of its own. Needs the extra `a2a`."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import TypeVar
from uuid import NAMESPACE_URL, uuid5

import httpx
from a2a.client import A2ACardResolver, Client, ClientConfig, ClientFactory
from a2a.helpers import get_data_parts, get_text_parts, get_url_parts
from a2a.types import (
    AgentCard,
    CancelTaskRequest,
    GetTaskRequest,
    Message,
    Part,
    Role,
    SendMessageConfiguration,
    SendMessageRequest,
    Task,
    TaskState,
)
from a2a.utils.errors import (
    ContentTypeNotSupportedError,
    ExtensionSupportRequiredError,
    InvalidParamsError,
    InvalidRequestError,
    JSONParseError,
    MethodNotFoundError,
    TaskNotCancelableError,
    TaskNotFoundError,
    UnsupportedOperationError,
    VersionNotSupportedError,
)

from zhixing.world.bots.a2a_wire import Elsewhere, Wire
from zhixing.world.bots.hearing import failed, is_id, plain, said
from zhixing.world.bots.port import Errand, NotSent, Receipt, Said, Unclear
from zhixing.world.web import trusted

LOOK_SECONDS = 20.0
"""How long a look after a task may take, or stopping it."""
MOST_HISTORY = 4
"""Messages of a task that are asked for: an agent may have put its last words among them."""
_UNREAD = (
    ContentTypeNotSupportedError,
    ExtensionSupportRequiredError,
    InvalidParamsError,
    InvalidRequestError,
    JSONParseError,
    MethodNotFoundError,
    UnsupportedOperationError,
    VersionNotSupportedError,
)
"""What an agent says that has not begun anything."""
_REFUSED = frozenset({301, 307, 308, 401, 403, 404, 405, 408, 425, 429})
_FAILED = {
    TaskState.TASK_STATE_FAILED: "failed",
    TaskState.TASK_STATE_CANCELED: "canceled",
    TaskState.TASK_STATE_REJECTED: "rejected",
    TaskState.TASK_STATE_INPUT_REQUIRED: "input_required",
    TaskState.TASK_STATE_AUTH_REQUIRED: "auth_required",
}
T = TypeVar("T")


class Line:
    """The line to one agent: the address of its card, and what it wants to hear. Safe to use from several threads."""

    def __init__(self, card: str, secret: str) -> None:
        self._address = card
        self._headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        self._card: AgentCard | None = None

    def send(self, errand: Errand) -> Receipt | Said:
        """Send a message without waiting for its end."""
        wire = Wire(self._address, self._tls)

        async def work(client: Client) -> Receipt | Said:
            async for answer in client.send_message(_request(errand)):
                return _said(answer.message) if answer.HasField("message") else _state(answer.task)
            raise Unclear("answer_broken")

        try:
            return self._call(wire, work, errand.seconds)
        except _UNREAD:
            raise NotSent("refused") from None
        # The SDK fails in any way; what counts is how far the message had come.
        except Exception as error:  # noqa: BLE001
            raise _judged(wire, error) from None

    def collect(self, receipt: Receipt) -> Said | None:
        """Look at a task."""
        gone: Said | None = failed("run_unknown")

        async def work(client: Client) -> Said | None:
            task = await client.get_task(GetTaskRequest(id=receipt.run_id, history_length=MOST_HISTORY))
            return found if isinstance(found := _state(task), Said) else None

        return self._look(work, gone)

    def stop(self, receipt: Receipt) -> None:
        """Cancel a task. One that is over, or unknown, is stopped."""

        async def work(client: Client) -> None:
            await client.cancel_task(CancelTaskRequest(id=receipt.run_id))

        self._look(work, None)

    def _look(self, work: Callable[[Client], Awaitable[T]], gone: T) -> T:
        wire = Wire(self._address, self._tls)
        try:
            return self._call(wire, work, LOOK_SECONDS)
        except (TaskNotFoundError, TaskNotCancelableError):
            return gone
        # As above; nothing is lost by looking again.
        except Exception as error:  # noqa: BLE001
            raise Unclear(_reason(wire, error)) from None

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        # Made when it is first needed: it is slow.
        return trusted()

    def _call(self, wire: Wire, work: Callable[[Client], Awaitable[T]], seconds: float) -> T:
        return asyncio.run(self._bounded(wire, work, seconds))

    async def _bounded(self, wire: Wire, work: Callable[[Client], Awaitable[T]], seconds: float) -> T:
        async with (
            asyncio.timeout(seconds),
            httpx.AsyncClient(
                transport=wire, headers=self._headers, timeout=seconds, trust_env=False, follow_redirects=False
            ) as http,
        ):
            card = self._card or await A2ACardResolver(http, self._address).get_agent_card("/")
            client = ClientFactory(ClientConfig(streaming=False, polling=True, httpx_client=http)).create(card)
            try:
                result = await work(client)
            except Exception:
                # It may have moved.
                self._card = None
                raise
            self._card = card
            return result


def _request(errand: Errand) -> SendMessageRequest:
    message = Message(
        message_id=str(uuid5(NAMESPACE_URL, plain(errand.key))),
        role=Role.ROLE_USER,
        parts=[Part(text=plain(errand.text))],
    )
    message.metadata.update(
        {"key": plain(errand.key), "loop_task_id": plain(errand.loop_task_id), "attempt": errand.attempt}
    )
    configuration = SendMessageConfiguration(accepted_output_modes=["text/plain"], return_immediately=True)
    return SendMessageRequest(message=message, configuration=configuration)


def _state(task: Task) -> Receipt | Said:
    """Return what a task came to, or where it is under way."""
    state = task.status.state
    if state == TaskState.TASK_STATE_COMPLETED:
        return said(_words(task))
    if state in _FAILED:
        return failed(_FAILED[state], _words(task))
    if not is_id(task.id):
        raise Unclear("answer_broken")
    return Receipt(task.id, task.context_id if is_id(task.context_id) else "")


def _words(task: Task) -> str:
    """Return the artifacts of a task and its last words; those stand among its messages with some agents."""
    texts = [_text(artifact.parts) for artifact in task.artifacts]
    texts.append(_text(task.status.message.parts))
    texts = list(dict.fromkeys(text for text in texts if text))
    if not texts:
        texts = [_text(each.parts) for each in task.history if each.role == Role.ROLE_AGENT][-1:]
    return "\n\n".join(texts)


def _said(message: Message) -> Said:
    return said(_text(message.parts))


def _text(parts: object) -> str:
    """Return what can be read of some parts: texts, data as JSON, addresses of files."""
    given = list(parts)  # type: ignore[call-overload]
    data = [json.dumps(each, ensure_ascii=False) for each in get_data_parts(given)]
    return "\n".join([*get_text_parts(given), *data, *get_url_parts(given)]).strip()


def _judged(wire: Wire, error: Exception) -> NotSent | Unclear:
    if isinstance(error, NotSent | Unclear):
        return error
    refused = wire.posted_status in _REFUSED or (wire.posted_status == 503 and wire.retry_after)
    if not wire.may_have_left or refused:
        return NotSent(_reason(wire, error))
    return Unclear(_reason(wire, error))


def _reason(wire: Wire, error: Exception) -> str:
    """Return a word for what went wrong; what the SDK says may repeat addresses and words of the agent."""
    if isinstance(error, NotSent | Unclear):
        return error.reason
    if isinstance(error, Elsewhere) or wire.went_elsewhere:
        return "card_elsewhere"
    if wire.failure:
        return wire.failure
    if wire.status and wire.status != 200:
        return f"status_{wire.status}"
    if isinstance(error, TimeoutError):
        return "no_answer"
    return "answer_broken" if wire.may_have_left else "card_broken"
