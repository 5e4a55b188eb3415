"""The design system: colours that can be read, targets that can be touched, and a page that shows all of it."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from tests.faces.web.browsing import Browser

from zhixing.faces.web.files import FIRST, STYLE, given, static

FOLDER = files("zhixing.faces.web")
PARTS = {file.name: file.read_text(encoding="utf-8") for file in (FOLDER / "static").iterdir() if file.suffix == ".css"}
MACROS = [
    (file.stem, name)
    for file in sorted((FOLDER / "templates" / "components").iterdir())
    for name in re.findall(r"\{% macro (\w+)\(", file.read_text(encoding="utf-8"))
]
LIGHT, DARK = PARTS["tokens.css"].split("@media (prefers-color-scheme: dark)")
COLOUR = re.compile(r"--([\w-]+): #([0-9a-f]{6})")
TEXT_ON_GROUND = [
    ("ink", "ground"), ("ink", "card"), ("ink", "tint"), ("ink", "mark"), ("ink", "warm"), ("quiet", "ground"),
    ("quiet", "card"), ("quiet", "warm"), ("quiet", "tint"), ("green", "ground"), ("green", "card"), ("green", "tint"),
    ("on-green", "green"), ("on-warm", "warm"), ("red", "red-tint"), ("red", "card"), ("on-red", "red"),
]  # fmt: skip


def colours(part: str) -> dict[str, str]:
    return dict(COLOUR.findall(part))


def luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_black_on_white_has_the_greatest_contrast_there_is() -> None:
    assert round(contrast("000000", "ffffff"), 2) == 21


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXT_ON_GROUND)
def test_text_can_be_read_on_its_ground(scheme, text, ground) -> None:
    known = colours(scheme)
    assert contrast(known[text], known[ground]) >= 4.5


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("ground", ["ground", "card"])
def test_the_edges_of_fields_can_be_seen(scheme, ground) -> None:
    known = colours(scheme)
    assert contrast(known["edge"], known[ground]) >= 3


def test_both_schemes_have_the_same_colours() -> None:
    assert set(colours(LIGHT)) == set(colours(DARK))


def test_colours_are_named_in_one_place() -> None:
    others = {name: re.findall(r"#[0-9a-fA-F]{3,8}\b", text) for name, text in PARTS.items() if name != "tokens.css"}
    assert {name: found for name, found in others.items() if found} == {}


def test_everything_that_is_asked_for_is_a_token() -> None:
    known = set(re.findall(r"(--[\w-]+):", LIGHT))
    asked = {name for text in PARTS.values() for name in re.findall(r"var\((--[\w-]+)\)", text)}
    assert asked <= known


def test_touch_targets_focus_and_motion_are_taken_care_of() -> None:
    sheet = static(STYLE)[0].decode()
    assert "--touch: 2.75rem" in sheet
    assert "min-height: var(--touch)" in sheet
    assert ":focus-visible { outline: 3px" in sheet
    assert "prefers-reduced-motion" in sheet


def test_the_sheet_is_made_of_all_parts_and_the_ground_comes_first() -> None:
    sheet = static(STYLE)[0].decode()
    assert all(text in sheet for text in PARTS.values())
    assert [sheet.index(PARTS[name]) for name in FIRST] == sorted(sheet.index(PARTS[name]) for name in FIRST)
    assert sheet.index(PARTS["today.css"]) > sheet.index(PARTS["components.css"])
    assert STYLE in given()


def test_the_page_of_components_is_drawn_with_every_one_of_them() -> None:
    templates = FOLDER / "templates"
    text = "".join((templates / name).read_text(encoding="utf-8") for name in ("design.html", "base.html"))
    assert [name for file, name in MACROS if f"components/{file}.html" not in text or name not in text] == []


def test_it_shows_them_in_both_languages(enter) -> None:
    browser: Browser = enter()
    page = browser.open("/design")
    assert (browser.status, "组件" in page.text()) == (200, True)
    shown = {"card", "list", "badge", "tabs", "timeline", "progress", "table", "answers", "empty", "refused", "note"}
    assert {name for name in shown if f'class="{name}' not in page.html} == set()
    page = browser.send(page.form("/language"), language="en")
    assert "Components" in page.text()
