"""Talking about a home: a sentence is kept, understood, asked about where something is missing, and done."""
