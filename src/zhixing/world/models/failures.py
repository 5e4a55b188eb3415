"""What can become of a question to a model, other than an answer.

ModelFailure (kernel.errors.Unavailable)
├── ModelUnavailable   nobody answered, or whoever answered is broken or busy now: ask again later
├── ModelRefused       it will not answer until a person changes something: never asked again by itself
└── ModelGarbled       it answered, and neither that nor the repair is what was asked for

None of them holds a key, an address, a prompt or a reply.
"""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum

from zhixing.kernel.errors import Unavailable
from zhixing.kernel.wording import Language, wording


class Why(StrEnum):
    """The reason, which is a key of section `models`; `…_fix` beside it says what to do."""

    # of ModelUnavailable
    HOST_UNKNOWN = "host_unknown"
    UNREACHABLE = "unreachable"
    TLS_FAILED = "tls_failed"
    NO_ANSWER = "no_answer"
    ANSWER_BROKEN = "answer_broken"
    BUSY = "busy"
    SERVER_FAILED = "server_failed"
    NOT_A_MODEL = "not_a_model"
    """Something answered that is no chat completion: a page of a gateway, or of whoever lives at a wrong address."""

    # of ModelRefused
    KEY = "key"
    FORBIDDEN = "forbidden"
    QUOTA = "quota"
    NOT_FOUND = "not_found"
    MOVED = "moved"
    NO_VISION = "no_vision"
    """No model for images is configured."""
    NO_IMAGES = "no_images"
    """The configured model for images does not take any."""
    REQUEST = "request"
    TOO_LONG = "too_long"
    DECLINED = "declined"
    """The model, or whoever watches over it, will not speak about this."""

    # of ModelGarbled
    TRUNCATED = "truncated"
    TOO_BIG = "too_big"
    EMPTY = "empty"
    UNREADABLE = "unreadable"
    MISSHAPEN = "misshapen"
    UNCONVINCING = "unconvincing"
    """The shape was right, and the asker's own check was not satisfied."""


_ABOUT_THE_PROMPT = frozenset({Why.REQUEST, Why.TOO_LONG, Why.DECLINED})


class ModelFailure(Unavailable):
    """There is no answer. `detail` is ours, such as an HTTP status; never what a server or a model said."""

    def __init__(self, why: Why, detail: str = "") -> None:
        super().__init__(f"model_{why.value}", detail=detail)
        self.why = why
        self.detail = detail

    def __str__(self) -> str:
        return self.text()

    def text(self, language: Language = "zh") -> str:
        """Return the one line that says what happened."""
        return wording(f"models.{self.why.value}", language, detail=self.detail)

    def how_to_fix(self, language: Language = "zh") -> str:
        """Return the one line that says what to do about it."""
        return wording(f"models.{self.why.value}_fix", language)


class ModelUnavailable(ModelFailure):
    """Asking again later may help; not before `after`, when the server said so."""

    def __init__(self, why: Why, detail: str = "", after: timedelta | None = None) -> None:
        super().__init__(why, detail)
        self.after = after

    def pause(self, attempt: int, longest: timedelta = timedelta(minutes=10)) -> timedelta:
        """Return how long to wait after so many attempts: what the server said, else 2 s, doubled up to `longest`."""
        return self.after or min(longest, timedelta(seconds=2) * 2 ** min(attempt - 1, 12))


class ModelRefused(ModelFailure):
    """Asking the same again is pointless until a person has changed something."""

    @property
    def concerns_prompt(self) -> bool:
        """Whether only this prompt is refused; otherwise every other one of its kind will be, too."""
        return self.why in _ABOUT_THE_PROMPT


class ModelGarbled(ModelFailure):
    """The last reply was not what was asked for.

    `complaint` says what was wrong with it, in the words the model was told; it may repeat words of the reply when the
    asker's check does.
    """

    def __init__(self, why: Why, complaint: str = "") -> None:
        super().__init__(why)
        self.complaint = complaint
