"""`scripts/web` without a network: with stand-ins for Node and npm; and what the front-end packages may name."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ("bash", "dirname", "cut", "sha256sum", "find", "sort", "xargs", "mkdir")
BUNDLE = "src/zhixing/faces/web/bundle"


def program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/bash\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Lay out a checkout with the packages' files and nothing of Node."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "web", tmp_path / "scripts" / "web")
    (tmp_path / "web").mkdir()
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ROOT / "web" / name, tmp_path / "web" / name)
    for name in TOOLS:
        found = shutil.which(name)
        assert found is not None
        (tmp_path / "bin").mkdir(exist_ok=True)
        (tmp_path / "bin" / name).symlink_to(found)
    return tmp_path


def with_node(checkout: Path, *, node: str = "exit 0", npm: str = "") -> None:
    program(checkout / "bin/node", node)
    program(
        checkout / "bin/npm",
        f"""
echo "$*" >> {checkout}/calls
{npm}
case "$*" in
  *" ci "*) mkdir -p {checkout}/web/node_modules ;;
  *build*) mkdir -p {checkout}/{BUNDLE}; echo '{{}}' > {checkout}/{BUNDLE}/manifest.json ;;
esac
""",
    )


def web(checkout: Path, how: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "scripts/web", how],
        cwd=checkout,
        env={"PATH": f"{checkout}/bin", "HOME": str(checkout), "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )


def calls(checkout: Path) -> list[str]:
    file = checkout / "calls"
    return file.read_text().splitlines() if file.exists() else []


def test_it_installs_what_is_locked_and_builds(checkout: Path) -> None:
    with_node(checkout)
    done = web(checkout, "build")
    assert done.returncode == 0, done.stderr
    ci, build = calls(checkout)
    assert " ci " in ci
    assert "build" in build


@pytest.mark.parametrize("how", ["build", "try"])
def test_a_second_time_it_does_nothing_and_says_nothing(checkout: Path, how: str) -> None:
    with_node(checkout)
    web(checkout, "build")
    before = calls(checkout)
    done = web(checkout, how)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert calls(checkout) == before


def test_what_changed_is_built_again_with_the_packages_that_are_there(checkout: Path) -> None:
    with_node(checkout)
    web(checkout, "build")
    (checkout / "web/main.ts").write_text("0;")
    before = len(calls(checkout))
    assert web(checkout, "try").returncode == 0
    (again,) = calls(checkout)[before:]
    assert "build" in again


def test_another_lock_is_installed_again(checkout: Path) -> None:
    with_node(checkout)
    web(checkout, "build")
    (checkout / "web/package-lock.json").write_text("{}")
    before = len(calls(checkout))
    web(checkout, "try")
    assert len(calls(checkout)) == before + 2


@pytest.mark.parametrize("node", [None, "exit 1"], ids=["missing", "too old"])
def test_without_a_recent_node_it_says_so_in_one_line_and_goes_on(checkout: Path, node: str | None) -> None:
    if node is not None:
        with_node(checkout, node=node)
    done = web(checkout, "try")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("没有 Node")
    assert done.stdout.count("\n") == 1
    assert web(checkout, "build").returncode == 1
    assert calls(checkout) == []


@pytest.mark.parametrize("broken", ["ci", "build"])
def test_what_fails_is_tried_again_the_next_time(checkout: Path, broken: str) -> None:
    with_node(checkout, npm=f'[[ "$*" != *{broken}* ]] || exit 1')
    assert web(checkout, "try").returncode == 0
    assert web(checkout, "build").returncode == 1
    with_node(checkout)
    assert web(checkout, "try").returncode == 0
    assert (checkout / BUNDLE / "manifest.json").exists()


def test_the_packages_are_locked_and_name_no_registry() -> None:
    lock = json.loads((ROOT / "web/package-lock.json").read_text(encoding="utf-8"))
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert {"node_modules/htmx.org", "node_modules/vite"} <= set(packages)
    assert [name for name, package in packages.items() if "resolved" in package] == []
    assert [name for name, package in packages.items() if not package.get("integrity")] == []
    assert "omit-lockfile-registry-resolved=true" in (ROOT / "web/.npmrc").read_text(encoding="utf-8")
    assert "registry=" not in (ROOT / "web/.npmrc").read_text(encoding="utf-8")


def test_what_is_asked_for_is_what_is_locked() -> None:
    asked = json.loads((ROOT / "web/package.json").read_text(encoding="utf-8"))
    lock = json.loads((ROOT / "web/package-lock.json").read_text(encoding="utf-8"))["packages"]
    for name, version in {**asked["dependencies"], **asked["devDependencies"]}.items():
        assert lock[f"node_modules/{name}"]["version"] == version


def test_the_bundle_is_not_kept_by_git_and_carried_by_the_wheel() -> None:
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {"node_modules/", f"{BUNDLE}/"} <= set(ignored)
    assert f'artifacts = ["{BUNDLE}/**"]' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
