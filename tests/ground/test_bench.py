"""The measuring program, without the libraries it measures against."""

import runpy
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"
bench = runpy.run_path(str(BENCH / "understand.py"), run_name="bench")
FAST = bench["Figures"](median=50.0, p95=150.0, longest=199.0, first=0.1, slowest="慢")
JIONLP = bench["Figures"](median=151.0, p95=900.0, longest=2000.0, first=1.0, slowest="慢")


def measured(ours: object, extract: object = JIONLP, parse: object = JIONLP) -> dict[str, object]:
    return {"ours": ours, "jionlp_extract": extract, "jionlp_parse": parse}


def changed(figures: object, **values: float) -> object:
    return type(figures)(**{**vars(figures), **values})


def test_there_are_sentences_enough_and_no_two_alike() -> None:
    texts = bench["sentences"]()
    assert len(texts) >= 120
    assert len(set(texts)) == len(texts)
    assert max(map(len, texts)) > 150
    assert any("\n" in text for text in texts)


def test_ours_has_an_outcome_for_every_sentence() -> None:
    understand = bench["ours"]()
    assert all(understand(text).outcome for text in bench["sentences"]())


def test_the_figures_are_median_ninety_five_of_a_hundred_and_longest() -> None:
    found = bench["figures"]([(float(number), f"s{number}") for number in range(1, 101)], 0.5)
    assert (found.median, found.p95, found.longest, found.first, found.slowest) == (50.5, 96.0, 100.0, 0.5, "s100")


def test_both_bars_can_be_met() -> None:
    assert bench["verdict"](measured(FAST)) == []


@pytest.mark.parametrize(
    ("missed", "says"),
    [
        (measured(changed(FAST, p95=200.0)), "p95 is 200 µs"),
        (measured(changed(FAST, median=51.0)), "3.0 times faster than JioNLP"),
        (measured(FAST, parse=changed(JIONLP, median=100.0)), "2.0 times faster than JioNLP"),
    ],
)
def test_a_missed_bar_is_said(missed: dict[str, object], says: str) -> None:
    (line,) = bench["verdict"](missed)
    assert says in line


def test_what_is_measured_against_never_gets_into_the_project() -> None:
    names = {line.split("==")[0] for line in (BENCH / "requirements.txt").read_text().splitlines() if "==" in line}
    assert names >= {"dateparser", "jiojio", "jionlp", "time-parser-zh"}
    pinned = {line.split("==")[0] for line in (BENCH.parent / "constraints.txt").read_text().splitlines()}
    assert not names & pinned
