"""Who may use the server: whoever knows the word in the address that `pysolve web` prints, or was let in with it.

In: the headers of a request.  Out: whether its sender is known.

The word, the token, is new each time the server starts.  A browser that opens the address gets a cookie for it, so
that the page, more of its windows and later visits need no word.  The cookie is derived from a secret that is kept in
the user's private folder: it is good for the next server at the same port, too, so an open page goes on when its
server is started again.  A program sends `Authorization: Bearer TOKEN` instead.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from contextlib import suppress

from starlette.datastructures import Headers, QueryParams
from starlette.requests import cookie_parser

from pysolve.dsl.sealed import read_sealed, write_sealed
from pysolve.runtime.cache import cache_folder

SECRET = "web-secret"
BYTES = 32  # of a secret
TOKEN = "token"  # in the query of the address
BEARER = "Bearer "


class Key:
    """The token and the cookie that give access to the server at a port."""

    def __init__(self, port: int, secret: bytes):
        self.token = secrets.token_urlsafe(BYTES)
        self._cookie_name = f"pysolve-{port}"  # a browser keeps the cookies of all ports of a machine together
        self._cookie = hmac.new(secret, f"port {port}".encode(), hashlib.sha256).hexdigest()

    def address(self, place: str) -> str:
        """The address that lets a browser in, of a server at a place."""
        return f"{place}?{TOKEN}={self.token}"

    def cookie(self) -> str:
        """The value of `Set-Cookie` for a browser that has the token.  Pages of other sites cannot use the cookie, and
        no script can read it; it ends with the browser.
        """
        return f"{self._cookie_name}={self._cookie}; Path=/; HttpOnly; SameSite=Strict"

    def knows(self, headers: Headers) -> bool:
        """True if a request comes with the cookie, or says the token as a program does."""
        cookies = cookie_parser(headers.get("cookie", ""))
        said = headers.get("authorization", "")
        return _same(cookies.get(self._cookie_name, ""), self._cookie) or _same(said, BEARER + self.token)

    def is_told(self, query: bytes) -> bool:
        """True if the token stands in the query of an address."""
        return _same(QueryParams(query).get(TOKEN, ""), self.token)


def _same(some: str, other: str) -> bool:
    return hmac.compare_digest(some.encode("utf-8", "replace"), other.encode())


def kept_secret() -> bytes:
    """The secret of this user, made when it is needed first; where nothing can be kept, a new one each time."""
    path = cache_folder() / SECRET
    known = read_sealed(path)
    if known is not None and len(known) == BYTES:
        return known
    made = secrets.token_bytes(BYTES)
    with suppress(OSError):
        write_sealed(path, made)
    return made
