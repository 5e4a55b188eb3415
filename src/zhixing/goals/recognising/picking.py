"""Letters, numbers and names by which an option is picked."""

from __future__ import annotations

import re
from functools import cache

from zhixing.goals.recognising.pending import CIRCLED
from zhixing.goals.recognising.texts import overlap
from zhixing.goals.recognising.words import any_of, replies
from zhixing.language.numerals import integer
from zhixing.language.text import normalise

_NUMBER = re.compile(r"第 ?(?P<nth>[0-9一二三四五]{1,2}) ?[个项件条题]?|(?P<plain>[1-5一二三四五])(?:号|个|[.,、。]|$)")
_FIRST = re.compile(r"前(?P<many>[两二三四五六2-6])(?:个|项|条)")


@cache
def _letters() -> re.Pattern[str]:
    head, tail = any_of(replies().head), any_of(replies().tail)
    return re.compile(
        rf"^(?:{head}|选项| )*(?P<letters>[A-Ga-g](?: ?(?:[/+&]|和|与|跟|及|、|,)? ?[A-Ga-g])*)(?![A-Za-z0-9])"
        rf"(?P<rest>.*?)(?:{tail}| )*$"
    )


def letters_in(clause: str) -> tuple[str, str]:
    """Return the letters that a clause picks, in capitals, and what is said behind them; "" where it picks none."""
    text = normalise(clause).strip(" .。!;,()[]")
    found = _letters().match(text)
    if found is None:
        return "", clause
    rest = found["rest"].strip(" .)）:：、,，。")
    return "".join(char for char in found["letters"].upper() if char.isalpha() and char.isascii()), rest


def ordinal_in(clause: str, most: int) -> int:
    """Return the number, from 1, that a clause picks (第二个, ②, 2); 0 where it picks none up to `most`."""
    for place, sign in enumerate(CIRCLED, 1):
        if sign in clause:
            return place if place <= most else 0
    text = normalise(clause).strip(" .。!！吧了的")
    text = re.sub(rf"^(?:{any_of(replies().head)}|任务| )+", "", text)
    found = _NUMBER.match(text)
    if found is None:
        return 0
    number = integer(found["nth"] or found["plain"]) or 0
    return number if 1 <= number <= most else 0


def first_many(clause: str) -> int:
    """Return how many options 前两个 and the like pick, or 0."""
    found = _FIRST.search(normalise(clause))
    return (2 if found["many"] in "两二2" else integer(found["many"]) or 0) if found else 0


def named(clause: str, options: tuple[str, ...]) -> str:
    """Return the one option that a clause spells, or begins to spell; "" where none or several do."""
    bare = re.sub(rf"^(?:{any_of(replies().head)}| )+|(?:{any_of(replies().tail)}| |。)+$", "", normalise(clause))
    bare = bare.replace(" ", "").lower()
    spelled = {option: option.replace(" ", "").lower() for option in options}
    same = [option for option, text in spelled.items() if text == bare]
    near = same or [
        option for option, text in spelled.items() if len(bare) > 1 and (text.startswith(bare) or bare in text)
    ]
    return near[0] if len(near) == 1 else ""


def nearest(clause: str, names: tuple[str, ...]) -> int:
    """Return the place, from 0, of the one name that shares most with a clause; -1 where none stands out."""
    shared = [overlap(clause, name) for name in names]
    best = max(shared, default=0)
    return shared.index(best) if best and shared.count(best) == 1 else -1
