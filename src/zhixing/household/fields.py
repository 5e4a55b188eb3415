"""JSON objects from outside, read field by field: what is wrong is said with the place it stands at. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import Any, NoReturn
from unicodedata import category

from zhixing.kernel.errors import BadInput, TooLarge
from zhixing.kernel.wording import wording


class Fields:
    """One JSON object; `place` is where it stands (`rules.0`), empty for the outermost one.

    Every reader notes the name it asked for, so that `close` can refuse what nobody asked for.
    """

    def __init__(self, value: object, place: str = "") -> None:
        self.place = place
        if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
            raise BadInput("plan_field", name=place or "JSON", problem=wording("plans.object"))
        self._value: Mapping[str, Any] = value
        self._asked: set[str] = set()

    def one_of(self, *names: str) -> str | None:
        """Return which of several spellings of one field is there; more than one is refused."""
        self._asked.update(names)
        found = [name for name in names if name in self._value]
        if len(found) > 1:
            raise BadInput("plan_field", name=self.at(found[1]), problem=wording("plans.twice", other=found[0]))
        return found[0] if found else None

    def has(self, name: str) -> bool:
        """Whether the field is there and not null."""
        return self.raw(name) is not None

    def raw(self, name: str) -> Any:
        """Return the value as it came, null where it is not there."""
        self._asked.add(name)
        return self._value.get(name)

    def needed(self, name: str) -> Any:
        """Return the value; raise `BadInput` where it is not there or null."""
        if not self.has(name):
            raise BadInput("field_missing", name=self.at(name))
        return self._value[name]

    def text(self, name: str, most: int) -> str:
        """Return a text of 1 to `most` characters that is not blank."""
        return text(self.needed(name), self.at(name), most)

    def choice(self, name: str, choices: Collection[str]) -> str:
        """Return one of the choices."""
        value = self.needed(name)
        if not isinstance(value, str) or value not in choices:
            self.refuse(name, "choice", choices="、".join(choices))
        return value

    def whole(self, name: str, low: int, high: int) -> int:
        """Return a whole number in a range."""
        return whole(self.needed(name), self.at(name), low, high)

    def truth(self, name: str) -> bool:
        """Return true or false."""
        value = self.needed(name)
        if not isinstance(value, bool):
            self.refuse(name, "truth")
        return value

    def items(self, name: str, most: int) -> list[tuple[str, Any]]:
        """Return the items of a list, each with its place; nothing where the field is not there or null."""
        value = self.raw(name)
        if value is None:
            return []
        if not isinstance(value, list | tuple):
            self.refuse(name, "list")
        if len(value) > most:
            raise TooLarge("field_many", name=self.at(name), limit=most)
        return [(f"{self.at(name)}.{number}", item) for number, item in enumerate(value)]

    def at(self, name: str) -> str:
        """Return the place of a field."""
        return f"{self.place}.{name}" if self.place else name

    def ignore(self, *names: str) -> None:
        """Note fields that may be there and say nothing to us."""
        self._asked.update(names)

    def close(self, ignored_endings: tuple[str, ...] = ()) -> None:
        """Refuse what nobody asked for, except fields whose name ends in one of `ignored_endings`."""
        for name in self._value:
            if name not in self._asked and not (ignored_endings and name.endswith(ignored_endings)):
                close = get_close_matches(name[:64], self._asked, n=1, cutoff=0.7)
                if close:
                    raise BadInput("field_mistyped", name=self.at(name)[:64], nearest=close[0])
                raise BadInput("field_unknown", name=self.at(name)[:64])

    def refuse(self, name: str, problem: str, **values: object) -> NoReturn:
        """Raise `BadInput` about a field; `problem` is a key of section `plans`."""
        raise BadInput("plan_field", name=self.at(name)[:96], problem=wording(f"plans.{problem}", "zh", **values))


def text(value: object, place: str, most: int) -> str:
    """Return a text of 1 to `most` characters that is not blank, with what separates lines made into blanks."""
    if not isinstance(value, str) or not value.strip():
        raise BadInput("plan_field", name=place, problem=wording("plans.text"))
    if len(value) > most:
        raise TooLarge("plan_text_long", name=place, limit=most)
    return one_line(value)


def one_line(words: str) -> str:
    """Return the words on one line; raise `BadInput` for control characters and halves of characters."""
    line = " ".join(words.split())
    if any(category(character) in {"Cc", "Cs"} for character in line):
        raise BadInput("text_unstorable")
    return line


def whole(value: object, place: str, low: int, high: int) -> int:
    """Return a whole number in a range; true and false are no numbers."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadInput("plan_field", name=place, problem=wording("plans.whole"))
    if not low <= value <= high:
        raise BadInput("field_range", name=place, low=low, high=high, value=str(value)[:32])
    return value
