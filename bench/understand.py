"""How long it takes to understand a sentence: ours beside three libraries, in one run on the same sentences.

    make bench-understand [ARGS='--json']

Each library is asked what one of its users would ask it about a sentence that somebody typed. Ours does more than that
in the measured call: it also decides between reminding, asking and passing on, and plans the reminders. Per sentence
the figure is the median of five warm calls; every library has its turn at a sentence before the next one comes, so
that a busy machine slows all of them. Import and first call are measured in processes of their own.

Exit code 1 when ours is slower than the bars below.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from statistics import median

SENTENCES = Path(__file__).with_name("sentences.txt")
SUBMITTED = datetime.fromisoformat("2026-10-12T10:00:00+08:00")
WARM_CALLS = 5
FRESH_STARTS = 3
FIRST_SENTENCE = "明天下午3点提醒我参加部门例会"

P95_BAR = 200.0
"""Microseconds that 95 of 100 sentences must stay under."""
RATIO_BAR = 3.0
"""How many times faster than JioNLP, at the median."""

Understand = Callable[[str], object]


def ours() -> Understand:
    from zhixing.notices.model import Source, Submission
    from zhixing.notices.understand import understand

    now = SUBMITTED.astimezone(UTC)
    return lambda text: understand(Submission(text, Source.DIRECT, SUBMITTED, "Asia/Shanghai"), now)


def jionlp_extract() -> Understand:
    import jionlp

    base = SUBMITTED.timestamp()
    return lambda text: jionlp.ner.extract_time(text, time_base=base)


def jionlp_parse() -> Understand:
    """Read the whole sentence as one time; a sentence it cannot read raises, which is its way of saying so."""
    import jionlp

    base = SUBMITTED.timestamp()

    def parse(text: str) -> object:
        try:
            return jionlp.parse_time(text, time_base=base)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError):
            return None

    return parse


def time_parser_zh() -> Understand:
    """Ask for a moment; if there is none for a duration, then for a range of dates."""
    import time_parser_zh as parser

    today = SUBMITTED.replace(tzinfo=None)

    def parse(text: str) -> object:
        point = parser.extract_datetime_point(text, today=today)
        if point.datetime:
            return point
        relative = parser.extract_relative_time(text, anchor=today)
        if relative.resolved_at:
            return relative
        dates = parser.extract_date_range_v2(text, today=today)
        return dates if dates.start or dates.end else None

    return parse


def dateparser() -> Understand:
    from dateparser.search import search_dates

    settings = {"RELATIVE_BASE": SUBMITTED.replace(tzinfo=None)}
    return lambda text: search_dates(text, languages=["zh"], settings=settings)


@dataclass(frozen=True)
class Library:
    name: str
    package: str
    load: Callable[[], Understand]


LIBRARIES = {
    "ours": Library("zhixing understand", "zhixing", ours),
    "jionlp_extract": Library("jionlp ner.extract_time", "jionlp", jionlp_extract),
    "jionlp_parse": Library("jionlp parse_time", "jionlp", jionlp_parse),
    "time_parser_zh": Library("time-parser-zh", "time-parser-zh", time_parser_zh),
    "dateparser": Library("dateparser search_dates zh", "dateparser", dateparser),
}
JIONLP = ("jionlp_extract", "jionlp_parse")


def sentences() -> list[str]:
    lines = SENTENCES.read_text(encoding="utf-8").splitlines()
    return [line.replace("\\n", "\n") for line in lines if line and not line.startswith("#")]


def warm(understand: Understand, text: str) -> float:
    """Return the median of the warm calls on one sentence, in microseconds."""
    understand(text)
    took = []
    for _ in range(WARM_CALLS):
        begin = time.perf_counter_ns()
        understand(text)
        took.append(time.perf_counter_ns() - begin)
    return median(took) / 1000


def first_call(key: str) -> float:
    """Return the seconds that import and first call take in a fresh process, the best of a few."""
    command = [sys.executable, __file__, "--first", key]
    return min(float(subprocess.check_output(command, text=True).splitlines()[-1]) for _ in range(FRESH_STARTS))


def print_first_call(key: str) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        begin = time.perf_counter()
        LIBRARIES[key].load()(FIRST_SENTENCE)
        took = time.perf_counter() - begin
    print(took)


@dataclass(frozen=True)
class Figures:
    median: float
    p95: float
    longest: float
    first: float
    slowest: str


def measure() -> dict[str, Figures]:
    texts = sentences()
    with contextlib.redirect_stdout(io.StringIO()):  # jionlp prints where to follow it
        loaded = {key: library.load() for key, library in LIBRARIES.items()}
        logging.disable()  # and writes a traceback for a sentence it cannot read, which would only slow it
        for understand in loaded.values():
            understand(FIRST_SENTENCE)
        gc.collect()
        took: dict[str, list[tuple[float, str]]] = {key: [] for key in loaded}
        for text in texts:
            for key, understand in loaded.items():
                took[key].append((warm(understand, text), text))
    return {key: figures(rows, first_call(key)) for key, rows in took.items()}


def figures(rows: list[tuple[float, str]], first: float) -> Figures:
    ordered = sorted(rows)
    times = [each for each, _ in ordered]
    return Figures(median(times), times[int(len(times) * 0.95)], times[-1], first, ordered[-1][1])


def table(measured: dict[str, Figures]) -> str:
    base = measured["ours"]
    lines = [
        "| library | version | median µs | p95 µs | max µs | × ours, median | × ours, p95 | import + first call s |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for key, each in measured.items():
        library = LIBRARIES[key]
        lines.append(
            f"| {library.name} | {metadata.version(library.package)} | {each.median:,.0f} | {each.p95:,.0f} "
            f"| {each.longest:,.0f} | {each.median / base.median:.1f} | {each.p95 / base.p95:.1f} | {each.first:.2f} |"
        )
    return "\n".join(lines)


def verdict(measured: dict[str, Figures]) -> list[str]:
    """Return the bars that were missed, in words."""
    base = measured["ours"]
    ratio = min(measured[key].median for key in JIONLP) / base.median
    missed = []
    if base.p95 >= P95_BAR:
        missed.append(f"p95 is {base.p95:.0f} µs, not below {P95_BAR:.0f} µs (slowest: {base.slowest[:40]!r})")
    if ratio < RATIO_BAR:
        missed.append(f"{ratio:.1f} times faster than JioNLP at the median, not {RATIO_BAR:.0f} times")
    return missed


def main() -> int:
    arguments = argparse.ArgumentParser(description="How long it takes to understand a sentence.")
    arguments.add_argument("--json", action="store_true", help="print the figures as JSON")
    arguments.add_argument("--first", metavar="LIBRARY", choices=LIBRARIES, help=argparse.SUPPRESS)
    chosen = arguments.parse_args()
    os.environ.setdefault("TZ", "Asia/Shanghai")  # what jionlp reads its base time in
    time.tzset()
    if chosen.first:
        print_first_call(chosen.first)
        return 0
    measured = measure()
    missed = verdict(measured)
    if chosen.json:
        print(json.dumps({key: vars(each) for key, each in measured.items()}, ensure_ascii=False, indent=2))
    else:
        python = ".".join(map(str, sys.version_info[:3]))
        print(f"{len(sentences())} sentences, Python {python}, tzdata {metadata.version('tzdata')}\n")
        print(table(measured))
        print("\n" + ("\n".join(f"MISSED: {line}" for line in missed) or "Both bars are met."))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
