"""Demonstration scenarios laid over the trunk as data folders: off by default, and no name of theirs in any code."""
