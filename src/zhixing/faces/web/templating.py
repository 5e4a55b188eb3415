"""From what there is to show to HTML. Everything is escaped; every text comes from the catalogue."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from zhixing.faces.web.files import address_of
from zhixing.kernel.wording import LANGUAGES, Language, wording


@cache
def environment(language: Language) -> Environment:
    """Return the templates as they speak one language; macros know it without being told."""

    def text(key: str, /, **values: object) -> str:
        return wording(key, language, **values)

    made = Environment(
        loader=PackageLoader("zhixing.faces.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(t=text, asset=address_of, language=language, languages=LANGUAGES)
    return made


def render(template: str, language: Language, /, **values: object) -> str:
    """Fill in a template."""
    return environment(language).get_template(template).render(**values)
