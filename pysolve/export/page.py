"""One HTML file that opens from disk and needs no network.

In: what an exported game carries, and the built page.  Out: the text of the file.

Style, script, core and game are deflated and lie in elements that no browser runs.  A small script puts the first two
in place; a policy allows just these, by their digests, and no connection to anywhere.  What comes from rules stands in
the deflated part, and in title and description, where it is escaped; the page makes text of it and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from pysolve.dsl.model.move_codes import TooLarge
from pysolve.engines.build import BuildError, NoCompiler
from pysolve.export.errors import ExportError
from pysolve.export.programs import packed
from pysolve.export.whole import whole
from pysolve.runtime.paths import PAGE
from pysolve.runtime.progress import doing
from pysolve.service.games import Opened

LOADER = Path(__file__).with_name("loader.js")
PARTS = {"style": "export.css", "script": "export.js", "core": "export-core.js"}


def exported(opened: Opened, seats: Mapping[str, str]) -> str:
    """The file of a game with players at some of its seats; raises `ExportError`, or `UnknownPlayer` for a seat."""
    try:
        with doing(f"compiling {opened.game.title} to WebAssembly"):
            return html(whole(opened, seats))
    except (NoCompiler, BuildError) as error:
        raise ExportError(str(error)) from None
    except TooLarge as error:
        raise ExportError(f"{opened.game.title} is too large for C, and so for an export: {error}") from None


def html(carried: Mapping[str, Any]) -> str:
    """The file that carries a game; raises `ExportError` if the built page is missing."""
    parts = {name: _built(file) for name, file in PARTS.items()}
    loader = LOADER.read_text(encoding="utf-8")
    game = carried["game"]
    title = escape(game["title"])
    policy = "; ".join([
        "default-src 'none'", f"script-src {_digest(loader)} {_digest(parts['script'])} 'wasm-unsafe-eval'",
        f"style-src {_digest(parts['style'])}", "worker-src blob:", "img-src data:", "base-uri 'none'",
        "form-action 'none'",
    ])  # fmt: skip
    parts["game"] = json.dumps(carried, ensure_ascii=False, separators=(",", ":"))
    data = "\n".join(
        f'<script type="text/plain" id="{name}">{packed(text.encode())}</script>' for name, text in parts.items()
    )
    return f"""<!doctype html>
<!-- A game of pysolve (MIT licence) in one file, with Preact (MIT licence); it needs no network. -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="{escape(game["about"])}">
<title>{title}</title>
</head>
<body>
<div id="app"><noscript>{title} needs JavaScript.</noscript></div>
{data}
<script>{loader}</script>
</body>
</html>
"""


def _built(name: str) -> str:
    try:
        return (PAGE / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ExportError("the page is not built: cd web && npm ci && npm run build") from None


def _digest(text: str) -> str:
    """The source expression of a Content-Security-Policy that allows a script or style with this content."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
