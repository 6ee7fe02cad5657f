"""What the playground leaves out of pysolve is not needed there."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SITE = Path(__file__).parent.parent / "web/site.py"
LOADED = "import asyncio, sys; sys.platform = 'emscripten'; import pysolve.service.browser; print(*sys.modules)"


def left_out() -> tuple[str, ...]:
    """The beginnings of paths that web/site.py leaves out of pysolve."""
    for node in ast.parse(SITE.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "LEFT_OUT":
            texts = [one.value for one in ast.walk(node.value) if isinstance(one, ast.Constant)]
            return tuple(text for text in texts if isinstance(text, str) and text.startswith(("pysolve/", "dsl/")))
    raise AssertionError("web/site.py has no LEFT_OUT")


@pytest.mark.slow
def test_the_service_of_a_browser_loads_nothing_that_the_playground_leaves_out() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    paths = {module.replace(".", "/").replace("pysolve/dsl/", "dsl/") for module in done.stdout.split()}
    assert "pysolve/service/service" in paths
    assert sorted(path for path in paths if path.startswith(left_out())) == []
