"""The question who does a leaf, and what its answer says (taskloop §4.4).

Only bots of the catalogue can be chosen, by id or by a name that one of them alone has. Whatever cannot be used is a
MISS that says why.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from zhixing.goals.contracts.extracting import first_fitting, json_values
from zhixing.goals.contracts.planning import COMPLETED
from zhixing.goals.contracts.shapes import criteria_of, id_of, list_of, spread, text_of
from zhixing.goals.loop.events import SearchResult
from zhixing.goals.loop.limits import NO_SPENDING, Spent
from zhixing.goals.loop.model import Formation, Graph, Member
from zhixing.goals.loop.values import CollabMode, SearchOutcome

HEADERS = ("[search]", "[task-search]")
"""How the question begins; the second is understood, not written."""
MOST_BOTS = 50

_ASK = "请在候选里决定由谁执行这个子任务、怎么执行；只能选候选里的 bot，没有合适的就返回 MISS。"
_FORMAT = """\
返回格式
只返回一个 JSON 对象，outcome 是四种之一：
- 一个 bot：{"outcome": "HIT_SINGLE", "bot_id": "..."}
- 已有的群：{"outcome": "HIT_GROUP", "group_id": "..."}
- 新拉一个群：{"outcome": "HIT_MULTI_BOTS", "bot_ids": ["..."], "collab_mode": "chat|manager_worker|state_machine", \
"group_name": "...", "manager_bot_id": "...(manager_worker 必填)", \
"members_info": [{"bot_id": "...", "role": "...", "responsibility": "..."}], \
"definition_yaml": "...(state_machine 必填)"}
- 都不合适：{"outcome": "MISS", "miss_reason": "原因"}
bot_id、bot_ids 必须填 catalog 里真实的 bot_id，角色名按 bot_name 对应。"""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bot of the catalogue."""

    bot_id: str
    bot_name: str
    bot_desc: str = ""
    score: float = 0.0
    short_profile: str = ""
    reasons: tuple[str, ...] = ()


def search_prompt(graph: Graph, node_id: str, catalog: Sequence[Candidate], closing: str = "") -> str:
    """Return the question who does a leaf, the best candidates first; `closing` is a last line, empty for none."""
    spec = graph.nodes[node_id].spec
    demand = {
        "node_id": node_id,
        "goal": spec.objective,
        "instruction": spec.instruction,
        "acceptances": criteria_of(spec),
    }
    ranked = sorted(catalog, key=lambda each: -each.score)
    asked = {"demand": demand, "catalog": [asdict(each) for each in ranked]}
    parts = [f"{HEADERS[0]} {_ASK}", f"子任务需求+候选集\n{spread(asked)}", _FORMAT]
    return "\n\n".join([*parts, closing] if closing else parts)


def read_search(
    node_id: str,
    content: str,
    catalog: Collection[Candidate],
    *,
    run_status: str = COMPLETED,
    attempt: int | None = None,
    spent: Spent = NO_SPENDING,
) -> SearchResult:
    """Return what a reply says about who does a leaf."""
    found = _unheard(content, catalog, run_status)
    if found is None:
        found = first_fitting(content, lambda value: _read(value, catalog)) or _missed(_misread(content))
    outcome, bot_id, group_id, formation, reason = found
    return SearchResult(node_id, outcome, bot_id, group_id, formation, reason, attempt, spent)


_Read = tuple[SearchOutcome, str, str, Formation | None, str]


def _missed(reason: str) -> _Read:
    return SearchOutcome.MISS, "", "", None, reason


def _unheard(content: str, catalog: Collection[Candidate], run_status: str) -> _Read | None:
    if run_status.upper() != COMPLETED:
        return _missed(f"run_status_{run_status}")
    if not catalog:
        return _missed("no_candidates")
    return None if content.strip() else _missed("empty_content")


def _misread(content: str) -> str:
    values = json_values(content)
    if not values:
        return "parse_error"
    return "unknown_outcome" if any(isinstance(each, Mapping) for each in values) else "not_object"


def _read(value: object, catalog: Collection[Candidate]) -> _Read | None:
    if not isinstance(value, Mapping):
        return None
    match text_of(value, "outcome").upper():
        case "HIT_SINGLE":
            return _single(value, catalog)
        case "HIT_GROUP":
            group_id = id_of(value, "group_id")
            hit = (SearchOutcome.HIT_GROUP, "", group_id, None, "")
            return hit if group_id else _missed("hit_group_no_group_id")
        case "HIT_MULTI_BOTS":
            return _several(value, catalog)
        case "MISS":
            return _missed(text_of(value, "miss_reason", 500) or "miss")
        case _:
            return None


def _single(value: Mapping[str, Any], catalog: Collection[Candidate]) -> _Read:
    named = id_of(value, "bot_id")
    bot_id = _resolved(named, catalog)
    if bot_id is None:
        return _missed(f"unknown_bot:{named}" if named else "hit_single_no_bot_id")
    return SearchOutcome.HIT_SINGLE, bot_id, "", None, ""


def _resolved(named: str, catalog: Collection[Candidate]) -> str | None:
    """Return the id of the bot that is meant: by id, or by a name that only one bot has."""
    if any(each.bot_id == named for each in catalog):
        return named
    called = [each.bot_id for each in catalog if named and each.bot_name == named]
    return called[0] if len(called) == 1 else None


def _several(value: Mapping[str, Any], catalog: Collection[Candidate]) -> _Read:
    named = [each.strip() for each in list_of(value, "bot_ids")[:MOST_BOTS] if isinstance(each, str) and each.strip()]
    if not named:
        return _missed("hit_multi_no_bot_ids")
    bots = {each: _resolved(each, catalog) for each in named}
    if (unknown := next((name for name, bot in bots.items() if bot is None), None)) is not None:
        return _missed(f"unknown_bot:{unknown}")
    try:
        mode = CollabMode(text_of(value, "collab_mode") or CollabMode.CHAT)
    except ValueError:
        return _missed("unknown_collab_mode")
    manager = id_of(value, "manager_bot_id")
    formation = Formation(
        tuple(dict.fromkeys(str(bot) for bot in bots.values())),
        mode,
        text_of(value, "group_name", 200),
        "" if not manager or mode is not CollabMode.MANAGER_WORKER else _resolved(manager, catalog) or manager,
        tuple(_members(value, catalog)),
        text_of(value, "definition_yaml"),
    )
    # What is lacking in the group itself is decided with the hit, wherever it comes from.
    return SearchOutcome.HIT_MULTI_BOTS, "", "", formation, ""


def _members(value: Mapping[str, Any], catalog: Collection[Candidate]) -> list[Member]:
    given = [each for each in list_of(value, "members_info")[:MOST_BOTS] if isinstance(each, Mapping)]
    resolved = [(_resolved(id_of(each, "bot_id"), catalog), each) for each in given]
    return [
        Member(b, text_of(e, "role", 200), text_of(e, "responsibility", 2000)) for b, e in resolved if b is not None
    ]
