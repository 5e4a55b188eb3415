"""What only a model can read: the question, the shape of its answer, and how far the answer is believed. Pure.

    question_about(request)                   what to ask
    check_for(request, site)                  the complaint that a reply deserves, for its one repair
    read_reply(value, request, site)          an `Assembly` like the assembler's own, or `Misread`

A model only names facts of the words, each with the words it rests on. What follows from facts (mode, hold, debounce,
sources, questions, tips) is decided by the same functions as without a model.
"""

from __future__ import annotations

from zhixing.household.modelling.misreading import Fault, Misread
from zhixing.household.modelling.prompting import check_for, question_about
from zhixing.household.modelling.reading import read_reply

__all__ = ["Fault", "Misread", "check_for", "question_about", "read_reply"]
