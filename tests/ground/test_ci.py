"""The build's own scripts, run with stand-ins for the programs they call."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SUMMARY = "===== 3 passed in 0.10s ====="


def program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/bash\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Lay out a checkout in which every program only writes down that it was called."""
    for name in ("ruff", "mypy", "lint-imports"):
        program(tmp_path / ".venv/bin" / name, f'echo "{name} $*" >> calls')
    program(tmp_path / "bin/make", f'echo "make $*" >> calls; echo "{SUMMARY}"')
    program(tmp_path / "scripts/services", 'echo "services $*" >> calls; [[ $1 != status ]]')
    program(tmp_path / ".ci/run", "")
    (tmp_path / ".ci/run").write_bytes((ROOT / ".ci/run").read_bytes())
    return tmp_path


def run(checkout: Path) -> tuple[int, list[str], list[str]]:
    env = {**os.environ, "PATH": f"{checkout}/bin:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", ".ci/run"],
        cwd=checkout,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    return done.returncode, done.stdout.splitlines(), (checkout / "calls").read_text().splitlines()


def test_ci_runs_the_tests_then_the_linters_and_ends_with_pytests_own_line(checkout: Path) -> None:
    code, output, calls = run(checkout)
    assert code == 0
    assert calls == [
        "services status",
        "make test",
        "ruff check .",
        "ruff format --check .",
        "mypy --strict src",
        "lint-imports ",
        "services stop",
    ]
    assert output[-1] == SUMMARY


def test_failed_tests_fail_ci_but_the_linters_still_speak(checkout: Path) -> None:
    program(
        checkout / "bin/make", 'echo "make $*" >> calls; echo "= 1 failed, 2 passed in 0.10s ="; echo broken; exit 2'
    )
    code, output, calls = run(checkout)
    assert code != 0
    assert output[-1] == "= 1 failed, 2 passed in 0.10s ="
    assert "lint-imports " in calls
    assert calls[-1] == "services stop"


@pytest.mark.parametrize("name", ["ruff", "mypy", "lint-imports"])
def test_a_linter_that_complains_fails_ci(checkout: Path, name: str) -> None:
    program(checkout / ".venv/bin" / name, "exit 1")
    code, output, _ = run(checkout)
    assert code != 0
    assert output[-1] == SUMMARY


def test_tests_that_say_nothing_do_not_look_like_passed_ones(checkout: Path) -> None:
    program(checkout / "bin/make", "exit 1")
    code, output, _ = run(checkout)
    assert code != 0
    assert "passed" not in output[-1]


def test_services_that_ran_before_go_on_running(checkout: Path) -> None:
    program(checkout / "scripts/services", 'echo "services $*" >> calls')
    code, _, calls = run(checkout)
    assert code == 0
    assert "services stop" not in calls
