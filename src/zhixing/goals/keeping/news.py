"""News of goals in words: what happened, why, and what a person can do about it, one line each. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from zhixing.goals.keeping.chronicle import title_of
from zhixing.goals.keeping.texts import excerpt, single_line, word
from zhixing.goals.loop.model import Graph
from zhixing.goals.loop.outputs import RESULT
from zhixing.goals.loop.tree import is_external
from zhixing.goals.loop.values import Hung
from zhixing.goals.running.ports import News
from zhixing.kernel.wording import Language, section

LONGEST_TEXT = 4_000
"""Characters of a message."""
MOST_SHOWN = 10
"""Parts of a result that are told one by one."""

_LAST = {"done", "failed", "stopped", "cancelled"}


def is_last(news: News) -> bool:
    """Whether news say how a goal ended."""
    return news.topic in _LAST


def is_aside(news: News) -> bool:
    """Whether news only follow from what people know: nobody has to be called for them."""
    if news.topic == "cancelled":
        return True
    return news.topic == "hung" and news.values.get("reason") == Hung.CHILD_HUNG.value


def is_empty(news: News, graph: Graph) -> bool:
    """Whether news have nothing to tell: who gave a goal up knows that, and there is nothing to hand over."""
    return news.topic == "cancelled" and not graph.head.output.get("deliverables")


def text_of(news: News, graph: Graph, language: Language = "zh") -> str:
    """Return what people are told; `graph` is the goal as it is now."""
    words = _Words(language)
    blanks = _blanks(news, graph, words)
    topic = _variant(news, graph)
    if not words.has(topic):
        topic, blanks = "other", {**blanks, "topic": single_line(news.topic)}
    lines = [words.say(topic, blanks)]
    if is_last(news):
        lines += result_lines(graph, language)
    do = "stopped_budget_do" if topic == "stopped" and _of_budget(news) else f"{topic}_do"
    lines.append(words.say(do, blanks))
    text = "\n".join(lines)
    return text if len(text) <= LONGEST_TEXT else _cut(lines)


def reason_text(reason: str, language: Language = "zh") -> str:
    """Return why something hangs, in words; a code that nobody knows as it is."""
    return section("goal_news", language).get(f"reason_{reason}", single_line(reason))


def limit_text(limit: str, language: Language = "zh") -> str:
    """Return what a limit limits, in words."""
    return section("goal_news", language).get(f"limit_{limit}", single_line(limit))


def result_lines(graph: Graph, language: Language = "zh") -> list[str]:
    """Say what a goal handed over: its deliverables, and, of a goal that is not done, what is missing and why."""
    words, output = _Words(language), graph.head.output
    return [*_delivered(graph, output, words), *_missing(graph, output, words)]


def _variant(news: News, graph: Graph) -> str:
    if news.topic != "delivery_unknown":
        return news.topic
    if news.node_id not in graph.nodes:
        return "delivery_unknown_bot"
    return "delivery_unknown_external" if is_external(graph) else news.topic


def _of_budget(news: News) -> bool:
    return news.values.get("reason") == Hung.BUDGET_EXHAUSTED.value


def _blanks(news: News, graph: Graph, words: _Words) -> dict[str, str]:
    values = {key: single_line(str(value)) for key, value in news.values.items()}
    node = graph.nodes.get(news.node_id)
    return {
        "percent": values.get("percent", ""),
        "reason": reason_text(values.get("reason", ""), words.language),
        "limit": limit_text(values.get("limit", ""), words.language),
        "title": values.get("title", ""),
        "goal": word(news.task_id),
        "id": word(news.node_id),
        "node": single_line(news.node_id) if node is None else title_of(node),
    }


class _Words:
    """The catalogue in one language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._section = section("goal_news", language)

    def has(self, key: str) -> bool:
        return key in self._section

    def say(self, key: str, blanks: Mapping[str, object]) -> str:
        return self._section[key].format(**blanks)


def _delivered(graph: Graph, output: Mapping[str, Any], words: _Words) -> Iterator[str]:
    found = output.get("deliverables")
    if not isinstance(found, Mapping) or not found:
        return
    yield words.say("delivered" if output.get(RESULT) == "all_done" else "delivered_partly", {"count": len(found)})
    told = [_item(graph, words, node_id, excerpt(value)) for node_id, value in list(found.items())[:MOST_SHOWN]]
    yield from _some(told, len(found), words)


def _missing(graph: Graph, output: Mapping[str, Any], words: _Words) -> Iterator[str]:
    lines = [
        _item(graph, words, node_id, reason_text(str(reason), words.language))
        for node_id, reason in _mapping(output.get("reasons")).items()
        if node_id != graph.root.id
    ]
    for node_id, gaps in _mapping(output.get("gaps")).items():
        said = words.say("separator", {}).join(single_line(str(gap)) for gap in list(gaps)[:MOST_SHOWN])
        lines.append(_item(graph, words, node_id, words.say("gaps", {"gaps": single_line(said)})))
    criteria = {each.id: each.description or each.id for each in graph.root.spec.acceptances}
    lines += [
        words.say("unverified", {"criterion": single_line(criteria.get(each, str(each)))})
        for each in output.get("unverified") or ()
    ]
    if lines:
        yield words.say("missing", {})
        yield from _some(lines[:MOST_SHOWN], len(lines), words)


def _some(told: Sequence[str], count: int, words: _Words) -> Iterator[str]:
    yield from told
    if count > len(told):
        yield words.say("more", {"count": count - len(told)})


def _item(graph: Graph, words: _Words, node_id: str, says: str) -> str:
    node = graph.nodes.get(node_id)
    return words.say("item", {"node": single_line(node_id) if node is None else title_of(node), "says": says})


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _cut(lines: Sequence[str]) -> str:
    """Return the lines without the longest tail of a result; what to do stays."""
    *told, do = lines
    room = LONGEST_TEXT - len(do) - 3
    return "\n".join(told)[:room] + "…\n" + do
