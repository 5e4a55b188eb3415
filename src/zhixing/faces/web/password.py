"""A password for the pages, which people can remember where they cannot remember the token.

Only what scrypt makes of it is kept, in a file of the home that its owner alone may read; nothing can show it. Who
forgot it comes in with the token, which always works, and sets another one. Without the file there is none.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata
from pathlib import Path

from zhixing.kernel.errors import BadInput, TooLarge, Unavailable
from zhixing.settings.place import make_home, why, write_whole

SHORTEST, LONGEST = 8, 200
"""Characters."""
_COST, _BLOCK, _LANES = 2**14, 8, 1
_MEMORY = 64 * 1024 * 1024
_LENGTH = 64
_NAME = "scrypt"


def password_file(home: Path) -> Path:
    """Return the file that keeps the password of that home."""
    return home / "password"


class Password:
    """The password of one home; without a file it is forgotten when the program ends."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._salt, self._made = b"", b""
        if file is not None:
            self._read(file)

    @property
    def is_set(self) -> bool:
        """Whether there is one."""
        return bool(self._made)

    @property
    def mark(self) -> bytes:
        """What changes when the password does, and says nothing about it."""
        return hashlib.blake2b(self._salt + self._made, digest_size=16, person=b"zhixing password").digest()

    def opens(self, word: str) -> bool:
        """Whether this is the password. Takes some 50 ms and 16 MB on purpose."""
        return self.is_set and len(word) <= LONGEST and hmac.compare_digest(_make(word, self._salt), self._made)

    def put(self, word: str) -> None:
        """Set the password. Raises `BadInput`, `TooLarge`, and `Unavailable` when it cannot be kept."""
        if len(word) < SHORTEST:
            raise BadInput("web_password_short", shortest=SHORTEST)
        if len(word) > LONGEST:
            raise TooLarge("web_password_long", longest=LONGEST)
        salt = secrets.token_bytes(16)
        made = _make(word, salt)
        if self._file is not None:
            _write(self._file, f"{_NAME} {salt.hex()} {made.hex()}\n")
        self._salt, self._made = salt, made

    def _read(self, file: Path) -> None:
        try:
            text = file.read_text(encoding="ascii")
        except FileNotFoundError:
            return
        except UnicodeDecodeError as error:
            raise BadInput("web_password_file", file=file) from error
        except OSError as error:
            raise Unavailable("settings_unreadable", file=file, why=why(error)) from error
        try:
            name, salt, made = text.split()
            self._salt, self._made = bytes.fromhex(salt), bytes.fromhex(made)
        except ValueError as error:
            raise BadInput("web_password_file", file=file) from error
        if name != _NAME or len(self._made) != _LENGTH:
            raise BadInput("web_password_file", file=file)


def _make(word: str, salt: bytes) -> bytes:
    # The same word is one word, however a keyboard puts it together.
    told = unicodedata.normalize("NFKC", word).encode(errors="replace")
    return hashlib.scrypt(told, salt=salt, n=_COST, r=_BLOCK, p=_LANES, maxmem=_MEMORY, dklen=_LENGTH)


def _write(file: Path, text: str) -> None:
    make_home(file.parent)
    try:
        write_whole(file, text, 0o600)
    except OSError as error:
        raise Unavailable("settings_not_written", file=file, why=why(error)) from error
