"""Known ways to build a part of a rule (mijia §7.2, §7.3). Pure.

`library` says of each what it is for, how well it is known and what goes wrong; `index` finds one to three for what a
design needs. The other modules build: each function puts cards into a builder and returns a `Fragment` with the pins to
go on from. What is known to go wrong is refused there, or cannot be built.
"""
