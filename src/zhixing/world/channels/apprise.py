"""A channel over one address of Apprise: Bark, ntfy, 企业微信, 钉钉, 飞书, Server酱, e-mail and a hundred more.

Apprise is an extra of this package and slow to load, so it is loaded when the first letter goes out. Each letter is
tried once, without the retries that the address may ask for: trying again is for the outbox to decide. Proxies named
by the environment are taken, unlike for webhooks, because the services decide that among themselves.
"""

from __future__ import annotations

import re
import threading
from importlib.util import find_spec
from typing import TYPE_CHECKING

from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import BadInput, Unavailable
from zhixing.world.channels.port import Letter, NotSent, Reason, Receipt, Refused, Unknown
from zhixing.world.channels.watching import BUSY_PAUSE, receipt, watched

if TYPE_CHECKING:
    from apprise import NotifyBase

SECONDS = 30.0
"""How long one send may take. Services pause between letters, and e-mail takes several answers."""

LONGEST_ADDRESS = 2_000
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S+")


class Apprise:
    """Tells one address. The address never appears in a receipt, an error, a log line or the `repr`.

    Raises `Unavailable` when the package is not installed and `BadInput` when `url` does not look like an address;
    whether Apprise knows the service shows at `service` or at the first send.
    """

    idempotent = False

    def __init__(self, name: str, url: str, clock: Clock, *, seconds: float = SECONDS) -> None:
        if find_spec("apprise") is None:
            raise Unavailable("apprise_missing", name=name)
        if len(url) > LONGEST_ADDRESS or _ADDRESS.fullmatch(url.strip()) is None:
            raise BadInput("apprise_address_unreadable", name=name)
        self.name = name
        self._url = url.strip()
        self._clock = clock
        self._seconds = seconds
        self._service: NotifyBase | None = None
        self._stuck: threading.Thread | None = None

    def __repr__(self) -> str:
        return f"Apprise({self.name!r})"

    def service(self) -> str:
        """Return what Apprise calls the service; raise `BadInput` when it knows none of that address."""
        with watched():
            return str(self._made().service_name)

    def send(self, letter: Letter) -> Receipt:
        """Tell `letter` once. A service that does not come back in time is left alone until it does."""
        if self._stuck is not None and self._stuck.is_alive():
            return NotSent(Reason("service_stuck"), BUSY_PAUSE)
        found: list[Receipt] = []
        done = threading.Event()

        def work() -> None:
            try:
                found.append(self._tell(letter))
            finally:
                done.set()

        worker = threading.Thread(target=work, name=f"zhixing-apprise-{self.name}", daemon=True)
        worker.start()
        end = self._clock.monotonic() + self._seconds
        while not done.is_set() and self._clock.monotonic() < end:
            self._clock.wait(done, end - self._clock.monotonic())
        if found:
            return found[0]
        # It may still be using what it was made with.
        self._stuck, self._service = worker, None
        return Unknown(Reason("no_answer"))

    def _tell(self, letter: Letter) -> Receipt:
        with watched() as trail:
            try:
                service = self._made()
            # Nothing has been sent yet, and a service that cannot be made now cannot be made later.
            except Exception:  # noqa: BLE001
                return Refused(Reason("service_unknown"))
            body = "\n".join(part for part in (letter.text, letter.url) if part)
            try:
                accepted = service.notify(body=body, title=letter.title, body_format="text")
            # A service may fail in any way, and what it has sent by then nobody knows.
            except Exception:  # noqa: BLE001
                return Unknown(Reason("not_confirmed"))
            if service.overflow_mode == "split":
                # Several letters out of one: an error of the last says nothing about the first.
                trail.handled.clear()
            return receipt(trail, _names(service), accepted=bool(accepted))

    def _made(self) -> NotifyBase:
        if self._service is None:
            import apprise  # noqa: PLC0415 - an extra, and slow

            asset = apprise.AppriseAsset(app_id="zhixing", app_desc="知行", http_redirects=False)
            self._service = apprise.Apprise.instantiate(self._url, asset=asset)
            if self._service is None:
                raise BadInput("apprise_address_unreadable", name=self.name)
        return self._service


def _names(service: NotifyBase) -> list[str]:
    """Return the schemes that a service goes by."""
    names: list[str] = []
    for scheme in (service.protocol, service.secure_protocol):
        names += [scheme] if isinstance(scheme, str) else scheme or ()
    return names
