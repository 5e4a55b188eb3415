"""What the local assembler knows about homes: words as data, one file per kind, no code."""
