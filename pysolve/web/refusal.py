"""What somebody sees who has not opened the address with the token.

In: the path of a request.  Out: a page for people, a line of JSON for a page that asks.
"""

from __future__ import annotations

from starlette.responses import HTMLResponse, Response

from pysolve.runtime import wire

ASKED = (
    "this page has not been let in, as after another start of pysolve web: "
    "open the address that it printed where it was started"
)
_PAGE = """\
<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>pysolve</title>
    <style nonce="{nonce}">
      :root {{ color-scheme: light dark; }}
      body {{ margin: 0; background: light-dark(#fbfaf7, #16181d); color: light-dark(#1d1b18, #e8e6e1);
        font: 16px/1.5 system-ui, sans-serif; }}
      main {{ max-width: 34rem; margin: 12vh auto; padding: 0 20px; }}
      h1 {{ font-size: 22px; }}
      code {{ overflow-wrap: anywhere; background: light-dark(#f3f1eb, #2a2e37); padding: 2px 5px; }}
    </style>
  </head>
  <body>
    <main>
      <h1>This address needs its token</h1>
      <p>Open the whole address that <code>pysolve web</code> printed in the terminal where it was started. It looks
      like this:</p>
      <p><code>{place}?token=…</code></p>
      <p>This browser then remembers it.</p>
    </main>{again}
  </body>
</html>
"""
# A browser keeps its cookie back from a link of another site, but not from the page to which it has led.
_AGAIN = """
    <script nonce="{nonce}">
      if (performance.getEntriesByType("navigation")[0]?.type !== "reload") location.reload();
    </script>"""


def refusal(path: str, place: str, nonce: str, linked: bool) -> Response:
    """The answer to somebody who is not known, by the path that he asks for; `linked` if another site led him here."""
    if path.startswith("/ask/"):
        line = wire.failure("asked", ASKED)
        return Response(line, status_code=403, media_type="application/x-ndjson")
    again = _AGAIN.format(nonce=nonce) if linked else ""
    return HTMLResponse(_PAGE.format(nonce=nonce, place=place, again=again), status_code=403)
