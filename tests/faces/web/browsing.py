"""A browser without JavaScript: it reads pages, fills in the forms that stand on them, and follows redirects."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser

TOKEN = "a-token-for-tests-0123456789"


@dataclass
class Form:
    """A form as it stands on the page: where it goes, what it carries, which buttons it has."""

    action: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[dict[str, str]] = field(default_factory=list)
    section: str = ""
    method: str = ""


class Page(HTMLParser):
    """Reads a page: its forms, its scripts and its text, section by section."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.forms: list[Form] = []
        self.scripts: list[dict[str, str]] = []
        self.handlers: list[str] = []
        self.tags: list[str] = []
        self._section = ""
        self._texts: dict[str, list[str]] = {}
        self._area = ""
        self.feed(html)

    def handle_starttag(self, tag, attrs) -> None:
        given = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        self.handlers += [name for name in given if name.startswith("on") or name == "style"]
        if "data-live" in given:
            self._section = given["id"]
        if tag == "form":
            self.forms.append(Form(given["action"], section=self._section, method=given.get("method", "get")))
        elif tag == "input" and self.forms and "name" in given:
            if given.get("type") != "radio" or "checked" in given:
                self.forms[-1].fields[given["name"]] = given.get("value", "")
        elif tag == "textarea" and "name" in given:
            self._area = given["name"]
            self.forms[-1].fields[self._area] = ""
        elif tag == "button":
            self.forms[-1].buttons.append(given)
        elif tag == "script":
            self.scripts.append(given)

    def handle_endtag(self, tag) -> None:
        if tag == "textarea":
            self._area = ""

    def handle_data(self, data) -> None:
        if self._area:
            self.forms[-1].fields[self._area] += data
        self._texts.setdefault(self._section, []).append(data)

    def text(self, section: str = "") -> str:
        """Return the text of a section, or of the whole page."""
        parts = self._texts.get(section, []) if section else [text for texts in self._texts.values() for text in texts]
        return " ".join(" ".join(parts).split())

    def form(self, action: str, section: str | None = None) -> Form:
        """Return the form that goes to that address."""
        found = [form for form in self.forms if re.fullmatch(action, form.action) and section in (None, form.section)]
        assert found, f"no form to {action}: {[form.action for form in self.forms]}"
        return found[0]

    @property
    def refused(self) -> str:
        """The line that says what was refused."""
        found = re.search(r'<p class="refused" role="alert">(.*?)</p>', self.html)
        return unescape(found[1]) if found else ""

    @property
    def note(self) -> str:
        """The line that says what was done."""
        found = re.search(r'<p class="note" role="status">(.*?)</p>', self.html)
        return unescape(found[1]) if found else ""


class Browser:
    """Uses the page: fills in forms that stand on it and follows redirects."""

    def __init__(self, client) -> None:
        self.client = client
        self.status = 0
        self.page = Page("")

    def open(self, path: str = "/") -> Page:
        answer = self.client("GET", path)
        self.status = answer.status_code
        self.page = Page(answer.text)
        return self.page

    def log_in(self, token: str = TOKEN) -> Page:
        self.open()
        return self.send(self.page.form("/login"), token=token)

    def send(self, form: Form, **filled: str) -> Page:
        """Send a form and follow where it leads."""
        answer = self.client("POST", form.action, data={**form.fields, **filled})
        if answer.status_code == 303:
            return self.open(answer.headers["location"])
        self.status = answer.status_code
        self.page = Page(answer.text)
        return self.page

    def say(self, text: str, **more: str) -> Page:
        return self.send(self.page.form("/say"), text=text, **more)
