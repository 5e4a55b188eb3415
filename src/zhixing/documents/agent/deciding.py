"""What an agent run may do and when it is over: pure.

Sources: downcity.md §3.5, §8.3 (8), §9 (11, 13). The allow-list comes from the order alone: what a page, a file or the
model says later adds nothing to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from zhixing.documents.agent.model import (
    BUDGET,
    LONGEST_LETTER,
    LONGEST_OUTPUT,
    MOST_LETTERS,
    Arguments,
    Budget,
    Powers,
    Tool,
    Turn,
    TurnState,
)
from zhixing.documents.performing import Letter, Order
from zhixing.kernel.wording import wording
from zhixing.world.models.usage import Tokens

_S = TurnState
_SENTENCE = re.compile(r"[。；;！!\n]")
_SENDS = re.compile(
    # Everything is bounded: a body may be long, and nobody else runs while it is searched.
    r"city\s{1,4}chat\s{1,4}send|抄送|(?:另外|额外|另行|同时|也要|还要|并且?)\s{0,4}(?:通知|告知|发送?[到给至])"
    r"|(?:转?发送?|通知|推送|同步)\s{0,4}(?:(?:一份|一条|消息|结果)\s{0,4}){0,4}[到给至][^，,]{0,40}(?:会话|session|chat|群)",
    re.IGNORECASE,
)
# The document's own template says these about sending; they ask for nothing.
_NO = re.compile(
    r"不要|不必|不用|不需|无需|无须|禁止|严禁|切勿|请勿|不得|不能|不可|不再|别再|别发|do not|don't|never", re.IGNORECASE
)
_IN_GENERAL = re.compile(r"(?:仅在|只有在?|除非)[^，,]{0,30}(?:需要|要求|场景)|确有需要|确有必要", re.IGNORECASE)


def asks_to_send(body: str) -> bool:
    """Whether a body asks for messages besides its result: 「抄送」, 「另外通知」, 「发到……会话」, `city chat send`.

    A sentence that forbids it, or says when in general it would be right, does not ask for it.
    """
    return any(
        _SENDS.search(sentence) and not _NO.search(sentence) and not _IN_GENERAL.search(sentence)
        for sentence in _SENTENCE.split(body)
    )


def names_session(body: str, session: str) -> bool:
    """Whether a body names a chat: its id stands there, and is not part of a longer one."""
    return bool(session) and re.search(rf"(?<![\w-]){re.escape(session)}(?![\w-])", body, re.ASCII) is not None


def powers_of(order: Order) -> Powers:
    """Decide what a run may do."""
    tools = [Tool.READ_FILE, Tool.WRITE_FILE, Tool.LIST_FILES, Tool.SHELL]
    if order.network:
        tools.append(Tool.FETCH)
    if asks_to_send(order.definition.body):
        tools.append(Tool.SEND)
    return Powers(
        tools=(*tools, Tool.FINISH),
        readable=tuple(each.path for each in order.definition.paths),
        writable=tuple(each.path for each in order.definition.paths if each.writable),
    )


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the model for the next turn."""


@dataclass(frozen=True, slots=True)
class Finished:
    """There is a final text."""

    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """It is over without one. `why` is a key of section `document_agent`."""

    why: str


Next = Ask | Finished | Ended


def next_step(turns: Sequence[Turn], *, used: Tokens, left: float, budget: Budget = BUDGET) -> Next:
    """Decide what comes next in a round. `used` are the tokens of the whole run, `left` its seconds."""
    last = turns[-1] if turns else None
    if last is not None and last.tool is Tool.FINISH and last.state is _S.DONE:
        return Finished(last.arguments.text)
    if left <= 0:
        return Ended("out_of_time")
    if sum(turn.state is _S.REFUSED for turn in turns) >= budget.refusals:
        return Ended("final_unusable" if last is not None and last.tool is Tool.FINISH else "overreached")
    if len(turns) >= budget.steps:
        return Ended("out_of_steps")
    if used.read + used.written >= budget.tokens:
        return Ended("out_of_tokens")
    return Ask()


def taken(order: Order, powers: Powers, turns: Sequence[Turn], turn: Turn) -> Turn:
    """Return the turn that a reply makes: to be done, done, or refused."""
    if turn.tool not in powers.tools:
        return _refuse(turn, "tool_refused")
    missing = _missing(turn.tool, turn.arguments)
    if missing:
        return replace(turn, state=_S.FAILED, result=wording("document_agent.argument_missing", name=missing))
    if turn.tool is Tool.FINISH:
        return _final(order, turn)
    return _letter(order, turns, turn) if turn.tool is Tool.SEND else turn


def letters(turns: Sequence[Turn]) -> tuple[Letter, ...]:
    """Return what is to be sent besides the result."""
    return tuple(
        Letter(turn.arguments.session, turn.arguments.text)
        for turn in turns
        if turn.tool is Tool.SEND and turn.state is _S.DONE
    )


# Of one part of a sentence, without its blanks.
_META = re.compile(
    r"好的?|嗯|ok(?:ay)?|当然|sure"
    r"|(?:本次|这次|该|此|the)?(?:任务|工作|操作|处理|结果|报告|内容|消息|输出|task|job)?"
    r"(?:已经|已|都|全部|成功|执行|处理|顺利|is|hasbeen)*"
    r"(?:完成|执行完毕|处理完毕|结束|发送|发出|更新|保存|写入|生成|搞定|done|completed?|finished|sent)了?"
    r"(?:给用户|到用户|[到进至]?[a-z0-9_./-]+|successfully)?"
    r"|(?:首先)?让我(?:先|来)?.{0,20}|我(?:来|将|会|先).{0,20}|我已(?:经)?(?:按|根据|照).{0,10}(?:完成|处理|执行).{0,6}"
    r"|(?:结果|内容|报告|详情)(?:请)?(?:见|在|看|如下).{0,30}",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[。，,!！、；;：:…~*#`\"'“”‘’✅🎉👍\n]+|\.(?=\s|$)")
_LONGEST_META = 120
"""Characters beyond which a text is taken for the product, whatever it says."""


def is_meta(text: str, body: str) -> bool:
    """Whether a text only talks about the run (「任务已完成」, 「已发送」) and is no product.

    What the body itself words so (「正常时只回复“已完成”」) is one.
    """
    stripped = text.strip()
    if len(stripped) > _LONGEST_META or (core := stripped.strip(" 。.!！")) in body or not core:
        return False
    said = [piece for each in _BETWEEN.split(stripped) if (piece := "".join(each.split()))]
    # A bare "OK" is what a check was asked to say, more often than not.
    talks = [piece for piece in said if _META.fullmatch(piece)]
    return len(talks) == len(said) and any(len(piece) > 3 or not piece.isascii() for piece in said) and len(core) > 2


def _missing(tool: Tool, arguments: Arguments) -> str:
    needed = {
        Tool.READ_FILE: ("path",),
        Tool.WRITE_FILE: ("path",),
        Tool.SHELL: ("command",),
        Tool.FETCH: ("url",),
        Tool.SEND: ("session", "text"),
    }
    return next((name for name in needed.get(tool, ()) if not getattr(arguments, name).strip()), "")


def _final(order: Order, turn: Turn) -> Turn:
    text = turn.arguments.text
    if not any(character.isprintable() and not character.isspace() for character in text):
        return _refuse(turn, "final_blank")
    if len(text) > LONGEST_OUTPUT:
        return replace(turn, state=_S.FAILED, result=wording("document_agent.final_long", limit=LONGEST_OUTPUT))
    if is_meta(text, order.definition.body):
        return _refuse(turn, "final_meta")
    return replace(turn, state=_S.DONE)


def _letter(order: Order, turns: Sequence[Turn], turn: Turn) -> Turn:
    session, text = turn.arguments.session, turn.arguments.text
    sent = letters(turns)
    if not names_session(order.definition.body, session):
        return _refuse(turn, "session_refused")
    if len(text) > LONGEST_LETTER:
        return replace(turn, state=_S.FAILED, result=wording("document_agent.letter_long", limit=LONGEST_LETTER))
    if Letter(session, text) in sent:
        return replace(turn, state=_S.FAILED, result=wording("document_agent.letter_twice"))
    if len(sent) >= MOST_LETTERS:
        return replace(turn, state=_S.FAILED, result=wording("document_agent.letters_enough", limit=MOST_LETTERS))
    return replace(turn, state=_S.DONE, result=wording("document_agent.letter_noted"))


def _refuse(turn: Turn, key: str) -> Turn:
    return replace(turn, state=_S.REFUSED, result=wording(f"document_agent.{key}"))
