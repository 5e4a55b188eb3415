"""mcp: the home as tools for an agent, over standard input and output."""

from __future__ import annotations

from zhixing.faces.cli.options import AtDesk
from zhixing.kernel.errors import Unavailable

_PARTS = ("mcp", "mcp_types")
"""What the extra `mcp` brings along."""


def mcp(*, desk: AtDesk) -> None:
    """Serve the tools of the home until standard input ends."""
    try:
        from zhixing.faces.mcp.stdio import serve  # noqa: PLC0415 - needs an optional package
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _PARTS:
            raise
        raise Unavailable("mcp_missing") from error
    serve(desk)
