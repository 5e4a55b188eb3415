"""Channels: ways to tell somebody something."""
