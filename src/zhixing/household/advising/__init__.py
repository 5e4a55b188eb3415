"""Tips in words: what was decided without the user, why, and the sentence that changes it (H-TIP). Pure."""

from __future__ import annotations

from zhixing.household.advising.advice import advise, sentence

__all__ = ["advise", "sentence"]
