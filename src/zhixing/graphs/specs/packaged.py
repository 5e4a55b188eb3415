"""Specifications of our own that come with the package, for a virtual hub and for tests.

They are written from the tables of what is known of these models (§3.7); what the tables leave open, such as the names
of some list entries, is made up. A real device has the specification that its hub or folder gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from zhixing.graphs.specs.model import Spec
from zhixing.graphs.specs.reading import read_spec


@cache
def samples() -> Mapping[str, Spec]:
    """Return the specifications by the names of their files, such as `light`."""
    folder = files("zhixing.graphs.specs").joinpath("samples")
    found = sorted((each for each in folder.iterdir() if each.name.endswith(".json")), key=lambda each: each.name)
    return MappingProxyType({each.name.removesuffix(".json"): read_spec(each.read_bytes()) for each in found})
