"""Rules put together from cards, and what is known about putting them together well (mijia §7). Pure.

cards, device_cards, time_cards   → Sketch    one card of each type, by named parameters
builder.Builder                   → Rule      cards with ids, wires, variables, written as the gateway has them
design                            → Design    what has to be settled before the first card, and what is missing of it
patterns                          → Fragment  known ways to build, with what goes wrong in each
"""
