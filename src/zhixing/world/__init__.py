"""Ports to the outside, each with an in-memory twin."""
