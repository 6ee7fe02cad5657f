"""The application: the files of the built page, and its questions.

In: a folder with the built page, who answers, the port, what opens it.  Out: an ASGI application that only the page can
use.
"""

from __future__ import annotations

from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from pysolve.web.asking import Asking
from pysolve.web.guard import Guard
from pysolve.web.key import Key

NONCE = '<meta name="csp-nonce" content="" />'  # in web/src/index.html


def application(page: Path, asking: Asking, port: int, key: Key) -> ASGIApp:
    """Everything that the server answers."""

    def index(request: Request) -> Response:
        text = (page / "index.html").read_text(encoding="utf-8")
        return HTMLResponse(text.replace(NONCE, NONCE.replace('""', f'"{request.state.nonce}"')))

    routes = [
        Route("/", index),
        Route("/index.html", index),
        Route("/ask/{question}", asking, methods=["POST"]),
        Mount("/", GZipMiddleware(StaticFiles(directory=page))),
    ]
    return Guard(Starlette(routes=routes), port, key)
