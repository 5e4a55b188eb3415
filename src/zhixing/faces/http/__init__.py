"""The HTTP face: the API under /api/v1, and the server that gives the pages of `faces.web` beside it."""

from zhixing.faces.http.application import create_app
from zhixing.faces.http.serving import Server, listen

__all__ = ["Server", "create_app", "listen"]
