"""The catalogue is whole, says the same in both languages, and has what the code asks of it."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import zhixing
from zhixing.kernel import errors
from zhixing.kernel.errors import ZhixingError
from zhixing.kernel.wording import LANGUAGES, section, wording

PACKAGE = Path(zhixing.__file__).parent
WORDS = PACKAGE / "kernel" / "words"
SECTIONS = sorted({file.stem for file in WORDS.rglob("*.toml")})
ERROR_CLASSES = {
    name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, ZhixingError)
}


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def strings(node: ast.expr) -> list[str]:
    """Give the texts an argument can be, when they are written where it is passed."""
    if isinstance(node, ast.IfExp):
        return strings(node.body) + strings(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def asked_for() -> Iterator[tuple[str, str, set[str] | None]]:
    """Walk the code: where a template is asked for by name, which, and with which values (None: not written there)."""
    for file in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name not in ERROR_CLASSES and name != "wording":
                continue
            given = {keyword.arg for keyword in node.keywords}
            values = None if None in given else {each for each in given if each is not None}
            for text in strings(node.args[0]):
                key = text if name == "wording" else f"errors.{text}"
                yield f"{file.relative_to(PACKAGE)}:{node.lineno}", key, values


def test_both_languages_have_the_same_sections() -> None:
    for language in LANGUAGES:
        assert sorted(file.stem for file in (WORDS / language).glob("*.toml")) == SECTIONS


@pytest.mark.parametrize("name", SECTIONS)
def test_both_languages_have_the_same_keys(name: str) -> None:
    assert set(section(name, "zh")) == set(section(name, "en"))


@pytest.mark.parametrize("name", SECTIONS)
def test_both_languages_fill_in_the_same_values(name: str) -> None:
    english = section(name, "en")
    differing = {key for key, text in section(name, "zh").items() if fields(text) != fields(english.get(key, text))}
    assert differing == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SECTIONS)
def test_every_template_is_one_line_of_text_with_named_values(name: str, language: str) -> None:
    text = (WORDS / language / f"{name}.toml").read_text(encoding="utf-8")
    for key, template in tomllib.loads(text).items():
        assert isinstance(template, str), key
        assert template.strip(), key
        assert "\n" not in template, key
        assert all(field.isidentifier() for field in fields(template)), key


def test_errors_are_sentences_in_their_language() -> None:
    for key, text in section("errors", "zh").items():
        assert any("\u4e00" <= character <= "\u9fff" for character in text), key
    for key, text in section("errors", "en").items():
        assert not any("\u4e00" <= character <= "\u9fff" for character in text), key


def test_every_text_the_code_asks_for_by_name_is_there() -> None:
    missing = []
    for place, key, _ in asked_for():
        name, _, entry = key.partition(".")
        if name not in SECTIONS or entry not in section(name, "zh"):
            missing.append(f"{place} {key}")
    assert missing == []


def test_every_text_gets_the_values_it_fills_in() -> None:
    starved = []
    for place, key, values in asked_for():
        name, _, entry = key.partition(".")
        needed = fields(section(name, "zh").get(entry, "")) if name in SECTIONS else set()
        if values is not None and not needed <= values:
            starved.append(f"{place} {key} lacks {sorted(needed - values)}")
    assert starved == []


def test_the_walk_over_the_code_sees_both_errors_and_wordings() -> None:
    keys = {key for _, key, _ in asked_for()}
    assert {"errors.zone_unknown", "errors.instant_without_offset", "settings.zone_fallback"} <= keys


def test_a_text_is_given_in_the_language_asked_for() -> None:
    assert wording("errors.zone_unknown", zone="Mars").startswith("不认识的时区「Mars」")
    assert wording("errors.zone_unknown", "en", zone="Mars").startswith("Unknown time zone 'Mars'")


@pytest.mark.parametrize("key", ["errors.no_such_key", "errors."])
def test_a_text_that_is_not_there_is_a_mistake_in_the_program(key: str) -> None:
    with pytest.raises(KeyError):
        wording(key)
