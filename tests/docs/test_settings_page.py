import re
from pathlib import Path

from zhixing.settings import keys, load
from zhixing.settings.reference import reference

PAGE = Path(__file__).parents[2] / "docs" / "settings.md"


def test_the_page_is_what_the_settings_are() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(), "run: make docs"


def test_every_setting_is_on_the_page_with_its_variable() -> None:
    page = reference()
    for key in keys.every():
        assert f"| `{key.name.replace('*', 'NAME')}` |" in page
        assert f"`{key.variable.replace('*', 'NAME')}`" in page
        assert key.field.description


def test_the_example_on_the_page_is_right(tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", reference(), re.DOTALL)
    (tmp_path / "config.toml").write_text(example, encoding="utf-8")
    assert load(tmp_path, {}).settings.channels


def test_no_two_settings_share_a_variable() -> None:
    variables = [key.variable for key in keys.every()]
    assert len(variables) == len(set(variables))
    for key in keys.every():
        path = tuple("phone" if part == keys.ANY_NAME else part for part in key.path)
        assert keys.from_variable(key.variable.replace("*", "PHONE")) == path
