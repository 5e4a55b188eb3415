"""The token that every call needs, and the rule that nobody listens to the network without one."""

from __future__ import annotations

import base64
import hashlib
import hmac
import ipaddress
import os
import secrets
import tempfile
from collections.abc import Mapping
from pathlib import Path

from zhixing.kernel.errors import BadInput, Refused, Unavailable
from zhixing.settings.place import make_home, why

TOKEN_VARIABLE = "ZHIXING_SERVER_TOKEN"  # noqa: S105 - the name of a variable
SHORTEST_TOKEN = 16
_LONGEST_TOKEN = 512


def token_file(home: Path) -> Path:
    """Return the file that holds the token of that home."""
    return home / "token"


def read_token(home: Path, env: Mapping[str, str]) -> str | None:
    """Return the token from the variable, else from the file, else None. A token too short to be one is refused."""
    token = env.get(TOKEN_VARIABLE, "").strip()
    file = token_file(home)
    if not token:
        try:
            token = file.read_text(encoding="ascii").strip()
        except FileNotFoundError:
            return None
        except UnicodeDecodeError as error:
            raise BadInput("token_unusable", place=file, shortest=SHORTEST_TOKEN) from error
        except OSError as error:
            raise Unavailable("settings_unreadable", file=file, why=why(error)) from error
    if not (SHORTEST_TOKEN <= len(token) <= _LONGEST_TOKEN and token.isascii() and token.isprintable()):
        place = TOKEN_VARIABLE if env.get(TOKEN_VARIABLE, "").strip() else file
        raise BadInput("token_unusable", place=place, shortest=SHORTEST_TOKEN)
    return token


def ensure_token(home: Path, env: Mapping[str, str]) -> str:
    """Return the token, made at the first start and kept in a file that only its owner may read."""
    token = read_token(home, env)
    if token is not None:
        return token
    make_home(home)
    made = secrets.token_urlsafe(32)
    file = token_file(home)
    try:
        handle, own = tempfile.mkstemp(prefix=".token.", dir=home)  # only its owner may read it
        try:
            with open(handle, "w", encoding="ascii") as new:  # noqa: PTH123 - a descriptor, not a path
                new.write(made + "\n")
                new.flush()
                os.fsync(new.fileno())
            # Whole or not there; and if another process was first, its token stands.
            os.link(own, file)
        finally:
            Path(own).unlink()
    except FileExistsError:
        return ensure_token(home, env)
    except OSError as error:
        raise Unavailable("settings_not_written", file=file, why=why(error)) from error
    return made


def calendar_token(token: str) -> str:
    """Return the token that opens the calendar feed, and nothing else.

    Calendars send no headers, so it stands in an address and gets around. It is made from the token, which nobody can
    make from it; whoever changes the token closes the addresses that were given away.
    """
    made = hmac.digest(token.encode(), b"zhixing calendar feed", hashlib.sha256)
    return base64.urlsafe_b64encode(made[:24]).decode()


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach `host`. A name other than localhost may lead anywhere."""
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return host.rstrip(".").lower() == "localhost"
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback


def check_binding(host: str, token: str | None, home: Path) -> None:
    """Refuse to listen where others can reach us before there is a token that the owner knows.

    `token` is what `read_token` found before the start, so that a first start on an open address does not count as
    "there is one": nobody has seen it yet.
    """
    if token is None and not is_loopback(host):
        raise Refused(
            "binding_without_token", host=host, variable=TOKEN_VARIABLE, file=token_file(home), shortest=SHORTEST_TOKEN
        )
