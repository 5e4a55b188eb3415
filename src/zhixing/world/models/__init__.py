"""Models: who is asked about what the rules of this house cannot read."""
