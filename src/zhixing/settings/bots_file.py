"""The file that describes the bots: read when it is asked for, and again when it has changed."""

from __future__ import annotations

import threading
from pathlib import Path

from zhixing.goals.bots.profiles import Catalog
from zhixing.goals.bots.reading import read_catalog
from zhixing.goals.bots.tables import Form
from zhixing.kernel.errors import Unavailable, ZhixingError
from zhixing.settings.described import read_described, unreadable

FILE = "bots.toml"
"""Where bots are looked for in the home folder."""

_FORMS = {".toml": Form.TOML, ".yaml": Form.YAML, ".yml": Form.YAML, ".json": Form.JSON}
_Stamp = tuple[int, int, int]


class BotsFile:
    """The bots of a home. A file that cannot be used does not end the bots that were read before."""

    def __init__(self, named: str, home: Path, zone: str) -> None:
        self.path = Path(named).expanduser() if named else home / FILE
        self._is_named = bool(named)
        self._zone = zone
        self._turn = threading.Lock()
        self._stamp: _Stamp | None = None
        self._catalog = Catalog()
        self._fault: ZhixingError | None = None

    def catalog(self) -> Catalog:
        """Return the bots as they were when the file last could be used; none before that."""
        with self._turn:
            self._look()
            return self._catalog

    def fault(self) -> ZhixingError | None:
        """Return what is wrong with the file as it is now."""
        with self._turn:
            self._look()
            return self._fault

    def _look(self) -> None:
        try:
            found = self.path.stat()
        except FileNotFoundError as error:
            self._stamp = None
            if not self._is_named:
                # Nobody asked for bots.
                self._catalog, self._fault = Catalog(), None
                return
            self._fault = unreadable(self.path, "bots", error)
            return
        except (OSError, ValueError) as error:
            self._stamp, self._fault = None, unreadable(self.path, "bots", error)
            return
        stamp = (found.st_mtime_ns, found.st_size, found.st_ino)
        if stamp == self._stamp:
            return
        self._stamp = stamp
        try:
            self._catalog, self._fault = self._read(), None
        except Unavailable as fault:
            # It may be allowed later, and look the same then.
            self._stamp, self._fault = None, fault
        except ZhixingError as fault:
            self._fault = fault

    def _read(self) -> Catalog:
        text = read_described(self.path, "bots")
        return read_catalog(text, _FORMS.get(self.path.suffix.lower(), Form.TOML), self._zone)
