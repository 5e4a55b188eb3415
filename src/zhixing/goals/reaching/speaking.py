"""One answer of one bot, whatever goes wrong on the way; scenarios answer for bots that are only a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zhixing.goals.bots.profiles import BotKind, Profile
from zhixing.goals.contracts.extracting import json_values
from zhixing.goals.contracts.shapes import compact
from zhixing.goals.loop.limits import Spent
from zhixing.goals.overlays.answering import answer
from zhixing.goals.overlays.model import Overlay
from zhixing.goals.overlays.signals import Part, part_of, signals
from zhixing.goals.reaching.directory import Directory
from zhixing.goals.reaching.rows import bounded
from zhixing.goals.running.ports import Heard
from zhixing.world.bots.hearing import plain
from zhixing.world.bots.port import FAILED, Errand, NotSent, Said, Unclear

BOT_UNKNOWN = "bot_unknown"


class Speaking:
    """Asks bots of a directory."""

    def __init__(self, directory: Directory, overlays: Sequence[Overlay] = ()) -> None:
        self._directory = directory
        self._overlays = overlays

    def ask(self, bot_id: str, errand: Errand) -> Said:
        """Give an errand and wait for its end; every failure is a `Said` that says so, but for what is `Unclear`.

        `errand.seconds` is a bound on top of the bot's own.
        """
        try:
            contact = self._directory.contact(bot_id)
            if contact is None:
                return failed(BOT_UNKNOWN)
            fixed = self._fixed(contact.profile, errand.text)
            if fixed is not None:
                return fixed
            said = contact.bot.ask(replace(errand, seconds=min(errand.seconds, contact.profile.seconds)))
            return bounded(unechoed(said, errand.text))
        except NotSent as error:
            return failed(error.reason)
        except Unclear:
            raise
        # A bot that breaks is a run that failed, not a job to be done again: it may have changed something already.
        except Exception as error:  # noqa: BLE001
            return failed(f"bot_exception:{type(error).__name__}")

    def _fixed(self, profile: Profile, text: str) -> Said | None:
        """Return what a scenario has a model say to a text, as the end of a run; None when no scenario does."""
        if profile.kind is not BotKind.MODEL or part_of(text) is not Part.ANSWER:
            return None
        overlay = signals(text, self._overlays)
        reply = None if overlay is None else answer(overlay, text)
        if reply is None:
            return None
        data = next(iter(json_values(reply)), reply)
        return Said(compact({"success": True, "data": data, "gaps": []}))


def unechoed(said: Said, text: str) -> Said:
    """Return what a bot said without the errand where it repeats that: what was asked is no answer."""
    asked = plain(text).strip()
    return replace(said, content=said.content.replace(asked, "")) if asked else said


def failed(error: str) -> Said:
    """Return the end of a run that failed."""
    return Said("", FAILED, error)


def heard(said: Said) -> Heard:
    """Return what a bot said as goals hear it."""
    said = bounded(said)
    return Heard(said.content, said.run_status, said.error, Spent(said.tokens, said.cost))
