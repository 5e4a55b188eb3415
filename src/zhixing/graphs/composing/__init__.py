"""A sentence about the home becomes a rule graph, by rules and from what the devices can do. Pure.

tokens, reading   → Request    what the words say; nothing that they do not
finding, deciding → Plan       which devices, which members of them; or one question
graphing, tabling → Rule       the cards, and the table that stands before them
smoke             → Smoke      whether it does on a simulated hub what it should, and not what it should not
composing         → Composed | Asked | NeedsModel
"""
