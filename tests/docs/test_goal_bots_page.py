"""What the page about bots shows is so: its list is read, its bots run, its messages are those of the protocol."""

from __future__ import annotations

import re
import runpy
import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from zhixing.goals.bots.profiles import BotKind
from zhixing.goals.bots.reading import read_catalog
from zhixing.goals.bots.tables import Form
from zhixing.kernel.clock import SystemClock
from zhixing.world.bots.commanding import CommandBot
from zhixing.world.bots.http import HttpBot
from zhixing.world.bots.port import Errand, Receipt, Said
from zhixing.world.bots.wire import read_object, read_receipt, read_said, request_of
from zhixing.world.sandbox.bare import Unconfined

PAGE = (Path(__file__).parents[2] / "docs" / "goal-bots.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```\w+ ([\w.-]+\.\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
CLOCK = SystemClock()
SERVE = 'ThreadingHTTPServer(("127.0.0.1", 8800), Bot).serve_forever()\n'


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    source, serve = FILES["market.py"][: -len(SERVE)], FILES["market.py"][-len(SERVE) :]
    assert serve == SERVE
    (tmp_path / "market.py").write_text(source, encoding="utf-8")
    bot = runpy.run_path(str(tmp_path / "market.py"))["Bot"]
    bot.log_message = lambda *_: None
    server = ThreadingHTTPServer(("127.0.0.1", 0), bot)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_list_can_be_used_as_it_stands():
    catalog = read_catalog(FILES["bots.toml"], Form.TOML)
    assert {each.kind for each in catalog} == set(BotKind)
    assert catalog.get("market").relay


def test_every_kind_has_a_section():
    assert set(re.findall(r"^## .*`(\w+)`$", PAGE, re.MULTILINE)) == {each.value for each in BotKind}


def test_the_messages_are_those_of_the_protocol():
    errand = Errand("task_1:node_2:1", "看看明年要多少灯", "task_1", 1)
    assert read_object(request_of(errand)) == read_object(FILES["errand.json"].encode())
    assert read_receipt(read_object(FILES["receipt.json"].encode())) == Receipt("r-17", "s-3")
    assert read_said(read_object(FILES["said.json"].encode())) == Said("明年要三千盏", tokens=1200, cost=0.02)


def test_the_bot_in_python_runs_and_is_short(url):
    assert len([line for line in FILES["market.py"].splitlines() if line]) <= 25
    bot = HttpBot(url, "", CLOCK)
    errand = Errand("k", "明年要多少灯", seconds=30)
    assert bot.whereabouts(errand) == "not_sent"
    assert bot.ask(errand) == bot.whereabouts(errand) == Said("看过了：明年要多少灯")


def test_the_program_runs(tmp_path):
    (tmp_path / "count.sh").write_text(FILES["count.sh"], encoding="utf-8")
    (tmp_path / "count.sh").chmod(0o755)
    bot = CommandBot(("./count.sh",), Unconfined(CLOCK), tmp_path)
    assert bot.ask(Errand("k", "要多少灯", attempt=2, seconds=30)) == Said("第 2 次做，原话 4 个字")
