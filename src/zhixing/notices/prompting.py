"""What a model is asked about a submission, and how its reply is checked before anything believes it.

The question holds the rules of document 004 in short, the source inside a fence, and nothing that would let a model
decide for the house: no clock, no zone, no today. Instants come from our own lexer on the words it copies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zhixing.notices.model import Submission
from zhixing.notices.protocol import Rejected, reply_schema
from zhixing.notices.replies import read_candidates
from zhixing.world.models.fence import RULE, fence
from zhixing.world.models.port import Prompt, Text
from zhixing.world.models.shape import Shape

SHAPE = Shape("notice", reply_schema())

_SYSTEM = f"""你把一条通知整理成事项。只摘录原话，不计算时间，不补写任何原文没有的内容。
{RULE}
规则：
1. 每个片段都从原文逐字复制，连续、不改字、不拼接。expression 是完整的一个时间原话，evidence 是包含它的一句。
2. 一件事的步骤、材料、要求归在同一项，一条要求一条 details；确实互相独立的几件事才分成几项。
3. 报名、申请、办理的窗口用 open 和 deadline；到场的活动用 start 和 end；用户要求在某个时刻提醒，用 reminder。
4. 原文明确要求提前多久提醒，才写 leadMinutes 和 leadEvidence；没有要求就都是 null，不写默认值。
5. 改期只写最新的时间，旧时间写进 details；取消、延期未定、待定写 unknown；每天每周之类写 repeat。
6. 预计、暂定而另行通知的时间写 unknown。学年、历史范围、别人的期限、客服时间不写成节点。
7. 转述或转发别人的话，speaker 写 other；用户自己说的，写 user。
8. 不写时间戳、完成状态、提醒安排，也不写把握有多大。"""


def question_about(submission: Submission) -> Prompt:
    """Return the question about the words of a submission."""
    return Prompt(_SYSTEM, (Text(fence(submission.text, "原文")),), SHAPE)


def evidence_check(submission: Submission) -> Callable[[dict[str, Any]], str]:
    """Return the check that a reply has to pass: a complaint for the one repair, or nothing."""

    def check(reply: dict[str, Any]) -> str:
        found = read_candidates(submission, reply)
        return found.complaint() if isinstance(found, Rejected) else ""

    return check
