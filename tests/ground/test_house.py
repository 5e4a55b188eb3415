"""Rules of the house that no linter knows."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "src").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
NO_NOUNS = {"utils", "util", "helpers", "helper", "manager", "managers", "common", "misc"}


@pytest.mark.parametrize("file", [*MODULES, *TESTS], ids=lambda file: str(file.relative_to(ROOT)))
def test_no_module_is_over_800_lines(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 800


def test_modules_are_short_on_the_whole() -> None:
    lengths = sorted(len(file.read_text(encoding="utf-8").splitlines()) for file in MODULES)
    assert lengths[len(lengths) // 2] <= 200
    assert lengths[len(lengths) * 9 // 10] <= 450


def test_modules_are_named_after_things() -> None:
    assert not {file.stem for file in MODULES} & NO_NOUNS


def test_no_test_is_skipped_or_expected_to_fail_but_for_what_a_kernel_may_refuse() -> None:
    words = ("mark.skip", "pytest.skip", "mark.xfail", "pytest.xfail", "importorskip")
    for file in TESTS:
        if file not in (Path(__file__), ROOT / "tests" / "machine.py"):
            text = file.read_text(encoding="utf-8")
            assert not [word for word in words if word in text], file
