"""The zhixing command."""
