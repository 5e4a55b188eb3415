"""The real Home Assistant of a test session: started once on a free port of this machine, ended by its number."""

from __future__ import annotations

import json
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from zhixing.world.homeassistant.address import Address

CHECKOUT = Path(__file__).parents[2]
PYTHON = CHECKOUT / ".services/ha-venv/bin/python"
HOUSE = Path(__file__).parent / "homeassistant/house.py"


class Assistant:
    """Home Assistant with the house of `house.py`, which can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.token = self.guest = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def address(self) -> Address:
        return Address(self.url, self.token)

    def start(self) -> None:
        """Start it, and come back when it is up."""
        if not PYTHON.exists():
            pytest.fail("没有 Home Assistant，请先运行：scripts/home-assistant", pytrace=False)
        with (self._folder / "log").open("a") as log:
            self._process = subprocess.Popen(
                [PYTHON, HOUSE, self._folder, str(self.port)], stdout=subprocess.PIPE, stderr=log, text=True
            )
        late = threading.Timer(120, self._process.kill)
        late.start()
        line = self._process.stdout.readline()
        late.cancel()
        if not line.startswith("{"):
            pytest.fail(f"Home Assistant 没有起来：{(self._folder / 'log').read_text()[-2_000:]}", pytrace=False)
        told = json.loads(line)
        self.token, self.guest = told["token"], told["guest"]

    def kill(self) -> None:
        """End it as a power cut does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process.stdout.close()
            self._process = None


@pytest.fixture(scope="session")
def assistant(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    """Give the one Home Assistant of the session. It is not to be killed."""
    running = Assistant(tmp_path_factory.mktemp("homeassistant"))
    running.start()
    yield running
    running.kill()


@pytest.fixture
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    """Give a Home Assistant of one's own, which may be killed."""
    running = Assistant(tmp_path_factory.mktemp("mortal"))
    running.start()
    yield running
    running.kill()


@pytest.fixture(scope="session")
def house(assistant: Assistant) -> Iterator[Any]:
    """Give its house behind the hub, as it was left; `house.begin()` puts everything back."""
    from tests.world.homeassistant.place import AssistantPlace

    with closing(AssistantPlace(assistant)) as made:
        yield made
