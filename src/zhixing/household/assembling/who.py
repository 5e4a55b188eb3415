"""Who a sentence is about: names, roles, classes, groups, the first person (H-SUBJ)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from zhixing.household.assembling.draft import default, inferred, said
from zhixing.household.assembling.request import Home, Person
from zhixing.household.assembling.words import any_of, children, people
from zhixing.kernel.claims import Claim

_JOIN = r"(?:和|跟|与|还有|以及|、|或者?|或| )"
_OLD = re.compile(
    r"老[赵钱孙李周吴郑王冯陈林刘何张黄杨徐马朱胡郭高罗梁宋唐许韩邓曹彭曾萧田董潘袁蔡蒋余于杜叶程魏苏吕丁任沈姚卢钟姜崔谭陆](?!师)"
)
_FIRST = re.compile(r"(?<!提醒)(?<!告诉)(?<!通知)我(?!妈|爸|儿|女|家|奶|爷|们)(?:自己|一(?=坐|出|开|进|回|躺))?")


_BOTH_OF = re.compile("(?:两[个位]|2个)◇|◇(?:们|俩|两个)")


@dataclass(frozen=True, slots=True)
class Mention:
    """How the words name somebody: the manner, and what is to be looked up."""

    how: str
    means: tuple[str, ...]
    words: str


@lru_cache(maxsize=64)
def _naming(names: frozenset[str]) -> re.Pattern[str]:
    return re.compile(f"{any_of([*names, *people()])}|{_OLD.pattern}")


def mentions(text: str, home: Home) -> tuple[tuple[Mention, ...], str]:
    """Return who is named in `text`, in order, and the text without them."""
    table = people()
    names = {person.name for person in home.persons}
    short = {person.name[1:]: person.name for person in home.persons if len(person.name) == 3}
    pattern = _naming(frozenset(names | short.keys()))
    found: list[Mention] = []

    def take(match: re.Match[str]) -> str:
        word = match[0]
        if word in names or word in short:
            found.append(Mention("name", (short.get(word, word),), word))
        elif (
            word in table
            and table[word].how == "animals"
            and (_CARE.search(match.string[: match.start()]) or match.string[match.end() :].startswith(_ITS))
        ):
            return word
        elif word in table and table[word].how == "class" and _both_of(match):
            found.append(Mention("both", table[word].means, word))
        elif word in table:
            found.append(Mention(table[word].how, table[word].means, word))
        else:
            found.append(Mention("surname", (word[1],), word))
        return "◇"

    rest = _BOTH_OF.sub("◇", pattern.sub(take, text))
    if any(_parent(one, two) and one.words + two.words in text for one, two in pairwise(found)):
        rest += "※"  # 小明妈妈: his mother, or both of them
    rest = re.sub(rf"◇(?:{_JOIN}?◇)*", "", rest)
    first = _FIRST.search(rest)
    if first is not None and not found:
        found.append(Mention("first", (), "我"))
        rest = rest[: first.start()] + rest[first.end() :]
    return tuple(found), rest


def _both_of(match: re.Match[str]) -> bool:
    """Whether a class stands for two at once: 两个孩子, 孩子们."""
    before, behind = match.string[: match.start()], match.string[match.end() :]
    return before.endswith(("两个", "两位", "2个")) or behind.startswith(("们", "俩", "两个"))


def _parent(one: Mention, two: Mention) -> bool:
    """Whether `two`, said right behind `one`, may be a relative of theirs."""
    child = one.how in ("name", "class") or bool(set(one.means) & children())
    return child and two.how == "role" and not set(two.means) & children()


def hits(mention: Mention, home: Home) -> list[Person]:
    """Return the people of the home that a mention may mean (A-22)."""
    if mention.how == "first":
        return list(home.persons)
    if mention.how == "name":
        return [person for person in home.persons if person.name == mention.means[0]]
    if mention.how == "surname":
        return [person for person in home.persons if person.name.startswith(mention.means[0])]
    return [person for person in home.persons if person.role in mention.means]


def called(person: Person, home: Home) -> str:
    """Return how the plan calls somebody: the role, or the name where the role is empty or not unique (A-71)."""
    same = sum(other.role == person.role for other in home.persons)
    return person.role if person.role and same == 1 else person.name


_BOTH = 2
_CARE = re.compile(r"[喂给遛](?:了|过|几|多少|\d|[一二两三四五]|次|回|遍){0,4}$")
_ITS = ("盆", "粮", "窝", "碗", "砂")
_UNNAMED = frozenset(("anyone", "members", "stranger", "visitors", "animals", "cars"))

Subject = Claim[str | tuple[str, ...]]


def subject_of(found: tuple[Mention, ...], home: Home) -> Subject | None:
    """Resolve who is meant; "ask" where nobody or several may be. None: nobody was named."""
    if not found:
        return None
    if all(mention.how == "visitors" for mention in found) or (len(found) == 1 and found[0].how in _UNNAMED):
        return _unnamed(found[0])
    if any(mention.how in _UNNAMED for mention in found):
        kept = tuple(mention for mention in found if mention.how not in ("anyone", "members"))
        return subject_of(kept, home) if kept and len(kept) < len(found) else said("ask", "H-SUBJ-14")
    if len(found) == 1 and found[0].how == "both":
        both = hits(found[0], home)
        fits = len(both) == _BOTH
        return said(tuple(called(each, home) for each in both), "H-SUBJ-02") if fits else said("ask", "H-SUBJ-14")
    if len(found) > 1 or found[0].how == "list":
        return _several(found, home)
    people_hit = hits(found[0], home)
    if len(people_hit) != 1:
        return said("ask", "H-SUBJ-14" if people_hit else "H-SUBJ-10")
    name = called(people_hit[0], home)
    return default(name, "H-SUBJ-13") if found[0].how == "first" else said(name, "H-SUBJ-11")


def _unnamed(mention: Mention) -> Subject:
    if mention.how in ("anyone", "visitors"):
        return inferred("任何人", "H-SUBJ-05")
    if mention.how == "members":
        return inferred("已注册成员", "H-SUBJ-03")
    return said("陌生人", "H-SUBJ-06") if mention.how == "stranger" else said(mention.words, "A-20")


def _several(found: tuple[Mention, ...], home: Home) -> Subject:
    """Return each of several people who are named together: one rule each (H-SUBJ-02, A-70)."""
    one_each = [
        Mention("role", (role,), role) if mention.how == "list" else mention
        for mention in found
        for role in (mention.means if mention.how == "list" else ("",))
    ]
    people_hit = [hits(mention, home) for mention in one_each]
    if any(len(each) != 1 for each in people_hit):
        return said("ask", "H-SUBJ-14")
    return said(tuple(called(each[0], home) for each in people_hit), "H-SUBJ-02")
