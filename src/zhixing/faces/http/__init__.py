"""The HTTP face: the API under /api/v1 and the page at /."""

from zhixing.faces.http.application import create_app
from zhixing.faces.http.serving import Server, listen

__all__ = ["Server", "create_app", "listen"]
