"""Whom the server answers, and what a browser may do with its page.

In: an application.  Out: the same one for requests that come from the page itself, and from those who know the token.

The server listens to 127.0.0.1, which every program of this machine can reach, every page in its browsers among them.
Such a page must neither read nor write rules:

* `Host` must name this server.  A page whose own name leads to 127.0.0.1 (DNS rebinding) sends its own name.
* `Origin`, where there is one, must be this server's.  Browsers send it with each POST.
* `Sec-Fetch-Site`, where there is one, must not name another site.  A link that leads here may be followed: it shows
  the page, which is as harmless as its address typed in.
* Questions are JSON by their content type.  A form of another page cannot send that, and a script of another page only
  after it has asked for permission, which it does not get.

Programs of other accounts of this machine can send all this as well, so a request must also come from somebody who
knows the address with the token: see `pysolve.web.key`.  Nothing of any other request is read but its head.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pysolve.web.key import Key
from pysolve.web.refusal import refusal


def policy(nonce: str, scripts: bool = False) -> str:
    """The `Content-Security-Policy` of a page: its own files, and styles with the nonce of this answer.

    With `scripts`, inline scripts with the nonce are allowed, too: only for pages without texts of others.
    """
    own = f" 'nonce-{nonce}'" if scripts else ""
    return "; ".join([
        "default-src 'none'", f"script-src 'self'{own}", f"style-src 'self' 'nonce-{nonce}'", "img-src 'self' data:",
        "connect-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ])  # fmt: skip


class Guard:
    """Refuses requests of others, and adds headers to each answer; `state["nonce"]` of a request is for its styles."""

    def __init__(self, app: ASGIApp, port: int, key: Key):
        self._app = app
        self._key = key
        names = ("127.0.0.1", "localhost", "[::1]")
        self._hosts = {f"{name}:{port}" for name in names} | (set(names) if port == 80 else set())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or refuses it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        nonce = secrets.token_urlsafe(16)
        scope.setdefault("state", {})["nonce"] = nonce

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = MutableHeaders(scope=message)
                _add_headers(added, policy(nonce, scripts=refused))
                if told:
                    added.append("set-cookie", self._key.cookie())
            await send(message)

        headers = Headers(scope=scope)
        told = scope["path"] == "/" and scope["method"] == "GET" and self._key.is_told(scope["query_string"])
        complaint, refused = self._complaint(headers, scope["method"]), False
        if complaint is not None:
            told, app = False, _refused(complaint)
        elif told or self._key.knows(headers):
            app = self._app
        else:
            refused, linked = True, headers.get("sec-fetch-site", "none") in ("cross-site", "same-site")
            app = refusal(scope["path"], f"http://{headers['host']}/", nonce, linked)
        await app(scope, receive, send_guarded)

    def _complaint(self, headers: Headers, method: str) -> str | None:
        """Why a request is refused; None if it is not."""
        hosts, origins, sites = (headers.getlist(name) for name in ("host", "origin", "sec-fetch-site"))
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return "this address is not the server's"
        if not _all_in(origins, {f"http://{hosts[0].lower()}"}):
            return "another page may not ask this server"
        followed = method == "GET" and headers.get("sec-fetch-mode") == "navigate"
        if not followed and not _all_in(sites, {"same-origin", "none"}):
            return "another site may not ask this server"
        return None


def _refused(complaint: str) -> ASGIApp:
    return PlainTextResponse(f"pysolve: {complaint}\n", status_code=403)


def _all_in(found: Iterable[str], allowed: set[str]) -> bool:
    return all(value.lower() in allowed for value in found)


def _add_headers(headers: MutableHeaders, allowed: str) -> None:
    headers["content-security-policy"] = allowed
    headers["x-content-type-options"] = "nosniff"
    headers["referrer-policy"] = "no-referrer"
    headers["cross-origin-opener-policy"] = "same-origin"
    headers["cross-origin-resource-policy"] = "same-origin"
    headers.setdefault("cache-control", "no-store")
