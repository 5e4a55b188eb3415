"""Who may see the pages: a cookie that only somebody with the token could have got, and a proof for every form."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import deque
from datetime import UTC, datetime, timedelta
from threading import Lock

from zhixing.faces.web.password import Password
from zhixing.kernel.clock import Clock

COOKIE = "zhixing"
LASTS = timedelta(days=30)
RENEWED_AFTER = timedelta(days=1)
MOST_FAILURES = 10
WINDOW = 60.0
"""Seconds in which so many wrong tokens may be tried."""


class Sessions:
    """Sessions are kept nowhere but in the cookies: each is signed with a key made of the token and the password.

    Another token ends them all, and so does another password.
    """

    def __init__(self, token: str, clock: Clock, password: Password | None = None) -> None:
        self.password = password or Password(None)
        self._token = token.encode()
        self._clock = clock
        self._failures: deque[float] = deque()
        self._lock = Lock()

    def opened_by(self, word: str) -> bool | None:
        """Whether this is the token or the password; None, unlooked at, when too many wrong ones were tried.

        It counts as wrong until it has been found right, so that trying many at once is trying many.
        """
        with self._lock:
            if self._is_full():
                return None
            tried = self._clock.monotonic()
            self._failures.append(tried)
        opened = hmac.compare_digest(word.strip().encode(errors="replace"), self._token) or self.password.opens(word)
        if opened:
            with self._lock:
                if tried in self._failures:
                    self._failures.remove(tried)
        return opened

    def issue(self) -> str:
        """Return the value of a new cookie."""
        over = int((self._clock.now() + LASTS).timestamp())
        claim = f"{over}.{secrets.token_urlsafe(12)}"
        return f"{claim}.{self._sign('cookie', claim)}"

    def is_valid(self, cookie: str) -> bool:
        """Whether that cookie was issued here and is not over."""
        claim, _, signature = cookie.rpartition(".")
        signed = self._sign("cookie", claim)
        return hmac.compare_digest(signature.encode(), signed.encode()) and self._over(claim) > self._clock.now()

    def is_aging(self, cookie: str) -> bool:
        """Whether a valid cookie should be replaced, so that who comes every week never has to log in again."""
        return self._over(cookie.rpartition(".")[0]) < self._clock.now() + LASTS - RENEWED_AFTER

    def form_proof(self, cookie: str) -> str:
        """Return what a form of this session carries, so that no other site can send it."""
        return self._sign("form", cookie)

    def is_own_form(self, cookie: str, proof: str) -> bool:
        """Whether a form comes from a page of this session."""
        return hmac.compare_digest(proof.encode(), self.form_proof(cookie).encode())

    def _is_full(self) -> bool:
        start = self._clock.monotonic() - WINDOW
        while self._failures and self._failures[0] <= start:
            self._failures.popleft()
        return len(self._failures) >= MOST_FAILURES

    def _over(self, claim: str) -> datetime:
        return datetime.fromtimestamp(int(claim.partition(".")[0]), UTC)

    def _sign(self, purpose: str, text: str) -> str:
        mark = self.password.mark
        key = hashlib.blake2b(self._token, digest_size=32, salt=mark, person=b"zhixing session").digest()
        return hmac.new(key, f"{purpose}:{text}".encode(), hashlib.sha256).hexdigest()
