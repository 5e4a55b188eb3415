"""Chinese text to tokens with spans to unresolved structures; knows words, not tasks. Pure."""
