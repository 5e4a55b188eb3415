"""The program that measures rules, without Home Assistant."""

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"
bench = runpy.run_path(str(BENCH / "rules.py"), run_name="bench")
GOOD = {
    "arm": {"batched": 30_000.0, "single": 2_000.0},
    "write": {"batched": 6_000.0, "fires": 3_000.0, "p50": 1.0, "p99": 2.0, "max": 9.0},
    "call": {"batched": 6_000.0, "fires": 3_000.0, "p50": 1.0, "p99": 3.0, "max": 9.0},
    "one": {"batched": 500.0},
    "due": {"last": 250.0},
}
PEER = {
    "peer arm": {"batched": 10_000.0, "single": 9_000.0},
    "peer fire": {"batched": 6_000.0, "fires": 3_000.0, "p50": 0.1, "p99": 0.4, "max": 5.0},
    "peer one": {"batched": 20.0},
    "peer due": {"last": 300.0},
}


def missed(found: dict[str, dict[str, float]]) -> list[str]:
    return [bar for bar, is_missed in bench["bars"](found) if is_missed]


def changed(case: str, **figures: float) -> dict[str, dict[str, float]]:
    found = GOOD | PEER
    return found | {case: found[case] | figures}


def test_every_bar_can_be_met() -> None:
    assert missed(GOOD | PEER) == []
    assert len(bench["bars"](GOOD | PEER)) == 6


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (changed("arm", batched=29_999.0), "without a fire"),
        (changed("write", fires=2_999.0), "fires/s"),
        (changed("call", fires=2_999.0), "fires/s"),
        (changed("write", p99=2.1), "a written property ≤ 2 ms"),
        (changed("call", p99=3.1), "a called action ≤ 3 ms"),
        (changed("due", last=251.0), "250 ms"),
        (changed("one", batched=499.0), "500 events/s"),
    ],
)
def test_a_missed_bar_is_said(found: dict[str, dict[str, float]], says: str) -> None:
    (bar,) = missed(found)
    assert says in bar


def test_without_the_peer_only_our_own_bars_are_looked_at() -> None:
    assert len(bench["bars"](GOOD)) == 4
    assert missed(GOOD | {"arm": {"batched": 1.0, "single": 1.0}}) == []


def test_the_table_has_a_row_for_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    bench["show"](GOOD | PEER, 1_000, 3, "the peer")
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + sum(map(len, GOOD.values()))
    assert "| arm | events/s | 30,000 | 10,000 | 3.00 |" in rows


def test_the_middle_of_the_rounds_is_shown() -> None:
    rounds = [{"due": {"last": last, "version": "2024.3.3"}} for last in (1.0, 9.0, 2.0)]
    assert bench["middle"](rounds) == {"due": {"last": 2.0}}


@pytest.mark.parametrize("case", sorted(bench["CASES"]))
def test_ours_can_be_measured(case: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, BENCH / "our_rules.py", case, "--rules", "5", "--events", "40", "--disk", tmp_path],
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    assert set(json.loads(done.stdout)) == {*GOOD[case], "memory"}
    assert list(tmp_path.iterdir()) == []


def test_the_peer_never_gets_into_the_project() -> None:
    names = {line.split("==")[0] for line in (BENCH / "ha-requirements.txt").read_text().splitlines() if "==" in line}
    assert "homeassistant" in names
    both = (BENCH.parent / "constraints.txt").read_text() + (BENCH / "requirements.txt").read_text()
    assert "homeassistant" not in both
