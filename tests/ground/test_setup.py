"""`scripts/setup` without a network: with stand-ins for Python and what it calls."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ("bash", "dirname", "cat", "cut", "sha256sum", "sed", "grep", "rm", "mkdir", "chmod", "cp")


def program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{sys.executable}\n{text}\n" if text.startswith("import") else f"#!/bin/bash\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Lay out a checkout whose PATH has a few plain tools, an ordinary user, and no Python."""
    (tmp_path / "scripts").mkdir()
    for name in ("setup", "uv"):
        shutil.copy(ROOT / "scripts" / name, tmp_path / "scripts" / name)
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "constraints.txt").write_text("")
    for name in TOOLS:
        found = shutil.which(name)
        assert found is not None
        (tmp_path / "bin").mkdir(exist_ok=True)
        (tmp_path / "bin" / name).symlink_to(found)
    program(tmp_path / "bin/id", "echo 1000")
    return tmp_path


def recent_python(checkout: Path, *, has_venv: str = "true") -> None:
    """Put a stand-in for Python 3.11: its venv has a pip and a uv that write down how they were called."""
    inner = f"""
case "$*" in
  *version_info*) exit 0 ;;
  *"uv --version"*) exit 1 ;;
  *"pip config list"*) cat {checkout}/pip.conf 2>/dev/null; exit 0 ;;
  *) echo "$* index=$UV_DEFAULT_INDEX cert=$SSL_CERT_FILE" >> {checkout}/calls
     [[ $* != *"uv pip install"* ]] || cp .venv/bin/python .venv/bin/zhixing ;;
esac
"""
    program(checkout / "inner", inner)
    program(
        checkout / "bin/python3.11",
        f"""
case "$*" in
  *"import ensurepip"*) {has_venv} ;;
  *print*) echo python3.11-venv ;;
  *"-m venv"*) echo "$*" >> {checkout}/calls; rm -rf .venv; mkdir -p .venv/bin; cat {checkout}/inner > .venv/bin/python
     chmod +x .venv/bin/python; echo "VIRTUAL_ENV=$PWD/.venv" > .venv/bin/activate ;;
esac
""",
    )


def setup(checkout: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "scripts/setup"],
        cwd=checkout,
        env={"PATH": f"{checkout}/bin", "HOME": str(checkout), "LC_ALL": "C.UTF-8", **env},
        capture_output=True,
        text=True,
        check=False,
    )


def calls(checkout: Path) -> list[str]:
    file = checkout / "calls"
    return file.read_text().splitlines() if file.exists() else []


def test_it_makes_the_venv_and_installs_the_project_with_the_pinned_versions(checkout: Path) -> None:
    recent_python(checkout)
    done = setup(checkout)
    assert done.returncode == 0, done.stderr
    made, uv, project = calls(checkout)
    assert "-m venv" in made
    assert "pip install" in uv
    assert "--editable .[hub,notify,postgres]" in project
    assert "--group pyproject.toml:dev" in project
    assert "--constraint constraints.txt" in project
    assert "index-url" not in project


def test_a_second_time_it_does_nothing_and_says_nothing(checkout: Path) -> None:
    recent_python(checkout)
    setup(checkout)
    before = calls(checkout)
    done = setup(checkout)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert calls(checkout) == before


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_when_the_dependencies_change_it_installs_again_into_the_same_venv(checkout: Path, name: str) -> None:
    recent_python(checkout)
    setup(checkout)
    before = len(calls(checkout))
    (checkout / name).write_text("# new\n")
    assert setup(checkout).returncode == 0
    again = calls(checkout)[before:]
    assert not any("-m venv" in call for call in again)
    assert any("--editable" in call for call in again)


def test_a_venv_that_was_made_elsewhere_is_made_anew(checkout: Path) -> None:
    recent_python(checkout)
    setup(checkout)
    (checkout / ".venv/bin/activate").write_text("VIRTUAL_ENV=/elsewhere/.venv\n")
    (checkout / ".venv/.ready").write_text("stale\n")
    before = len(calls(checkout))
    assert setup(checkout).returncode == 0
    assert "-m venv --clear" in calls(checkout)[before]


def test_a_failed_installation_is_tried_again_the_next_time(checkout: Path) -> None:
    recent_python(checkout)
    broken = (checkout / "inner").read_text().replace('echo "$* index', 'exit 1; echo "$* index')
    whole = (checkout / "inner").read_text()
    (checkout / "inner").write_text(broken)
    failed = setup(checkout)
    assert failed.returncode == 1
    assert "装不上 uv" in failed.stderr
    (checkout / ".venv/bin/python").write_text(whole)
    assert setup(checkout).returncode == 0


def test_without_a_recent_python_it_says_in_one_line_what_to_run(checkout: Path) -> None:
    program(checkout / "bin/python3", "exit 1")
    done = setup(checkout)
    assert done.returncode == 1
    assert done.stderr == "需要 Python 3.11 或更新的版本，请先运行：sudo apt-get install -y python3 python3-venv\n"


def test_without_venv_an_ordinary_user_is_told_in_one_line_what_to_run(checkout: Path) -> None:
    recent_python(checkout, has_venv="false")
    done = setup(checkout)
    assert done.returncode == 1
    assert done.stderr == "缺少 python3.11-venv，请先运行：sudo apt-get install -y python3.11-venv\n"
    assert not (checkout / ".venv").exists()


def test_without_venv_root_gets_it_from_apt_get(checkout: Path) -> None:
    recent_python(checkout, has_venv="false")
    program(checkout / "bin/id", "echo 0")
    program(checkout / "bin/apt-get", f'echo "apt-get $*" >> {checkout}/calls')
    assert setup(checkout).returncode == 0
    assert calls(checkout)[0].startswith("apt-get install -y")
    assert "python3.11-venv" in calls(checkout)[0]


def test_a_mirror_set_for_pip_is_handed_on_to_uv(checkout: Path) -> None:
    recent_python(checkout)
    (checkout / "pip.conf").write_text(
        "global.extra-index-url='https://extra.example/simple'\nglobal.index-url='https://mirror.example/simple'\n"
        "global.cert='/etc/own.pem'\n"
    )
    setup(checkout)
    assert "index=https://mirror.example/simple cert=/etc/own.pem" in calls(checkout)[-1]


def test_a_mirror_set_for_uv_stands(checkout: Path) -> None:
    recent_python(checkout)
    (checkout / "pip.conf").write_text("global.index-url='https://mirror.example/simple'\n")
    setup(checkout, UV_DEFAULT_INDEX="https://own.example/simple")
    assert "index=https://own.example/simple" in calls(checkout)[-1]


def test_the_pinned_versions_name_no_index() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert len(lines) > 20
    assert not [line for line in lines if "://" in line]
    assert not (ROOT / "uv.lock").exists()
