"""The site of the documents:  python -m docs.site OUT [--boards all | GAME …]

Writes the pages from the documents, the shipped games and the docstrings, lets Zensical build them strictly (a link
that leads nowhere fails), and looks whether a page asks another host for anything.  `--boards` puts boards to play on
into the gallery, as `pysolve export` writes them.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path, PurePosixPath
from shutil import copytree

from docs.site import gallery, steps
from docs.site.blocks import ROOT
from docs.site.links import Places, anchor, chapters, copied, headings, lines, read

HERE = Path(__file__).parent
REPOSITORY = tomllib.loads(read("pyproject.toml"))["project"]["urls"]["Homepage"]
GUIDES = {
    "Learn": ["docs/tutorial.md", "docs/cookbook.md", "docs/comparison.md"],
    "Use": ["docs/python.md", "docs/web.md", "docs/lab.md", "docs/learning.md", "docs/blockade.md", "docs/solver.md",
            "docs/clauses.md", "docs/editors.md", "docs/libraries.md", "docs/engine.md"],
    "Project": ["docs/architecture.md", "docs/service.md", "docs/benchmarks.md", "CONTRIBUTING.md", "CHANGELOG.md"],
}  # fmt: skip
MANUAL, TUTORIAL = "docs/manual.md", "docs/tutorial.md"
PICTURES = ["docs/web.png", "docs/blockade-balance.svg", "docs/blockade-balance.html"]
API = {
    "pysolve": ["pysolve.load", "pysolve.game.Game", "pysolve.position.Position", "pysolve.position"],
    "players": ["pysolve.players.functions"],
    "search": ["pysolve.search.minimax", "pysolve.search.searcher", "pysolve.search.mcts", "pysolve.search.greedy",
               "pysolve.search.proof_number", "pysolve.search.decide", "pysolve.search.retrograde",
               "pysolve.search.playouts"],
    "lab": ["pysolve.lab.match", "pysolve.lab.tournament", "pysolve.lab.balance", "pysolve.lab.ratings"],
    "many positions": ["pysolve.search.batch"],
}  # fmt: skip
COLOURS = "pysolve-rules"  # the lexer of rules
KINDS = dict.fromkeys(("rules", "rules-part", "rules-wrong", "rules-add"), COLOURS)
# What a page loads by itself: links that a reader may follow are not meant.
LOADED = re.compile(r"<(?:script|img|iframe|source|video|audio)\b[^>]*\bsrc=[\"']?(?:https?:)?//"
                    r"|<link\b(?=[^>]*rel=[\"']?(?:stylesheet|icon|preload|preconnect))[^>]*href=[\"']?(?:https?:)?//"
                    r"|url\([\"']?(?:https?:)?//|@import[^;]*//")  # fmt: skip


def main() -> int:
    """Builds the site; 1 if a page has a fault."""
    parser = argparse.ArgumentParser(prog="python -m docs.site", description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path, help="the folder to write")
    parser.add_argument("--games", nargs="+", default=[], metavar="GAME", help="show only these in the gallery")
    parser.add_argument(
        "--boards", nargs="*", default=[], metavar="GAME", help="games with a board; all for all of them"
    )
    asked = parser.parse_args()
    if asked.boards and (why := gallery.no_boards()):
        parser.exit(1, f"--boards: {why}\n")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        nav = sources(work / "pages", asked.games, asked.boards)
        config = (HERE / "zensical.toml").read_text(encoding="utf-8")
        paths = f"\n[project.plugins.mkdocstrings.handlers.python]\npaths = [{json.dumps(str(ROOT))}]\n"
        (work / "zensical.toml").write_text(config.replace("[project]\n", f"[project]\nnav = {nav}\n", 1) + paths)
        built = subprocess.run([sys.executable, "-m", "zensical", "build", "--strict"], cwd=work, check=False)
        if built.returncode:
            return 1
        copytree(work / "html", asked.out, dirs_exist_ok=True)
    faults = list(asking(asked.out))
    for fault in faults:
        sys.stderr.write(f"{fault}\n")
    return 1 if faults else 0


def sources(folder: Path, names: list[str], boards: list[str]) -> str:
    """Writes all pages as Markdown; returns the navigation, as TOML."""
    folder.mkdir()
    games = gallery.catalogue(names)
    places = _places([game["name"] for game in games])
    gallery.write(games, folder / "gallery", [game["name"] for game in games] if boards == ["all"] else boards)
    drawn = steps.pictures(ROOT / TUTORIAL, folder / "steps")
    manual = chapters(read(MANUAL))
    for title, text in manual:
        _write(folder, _chapter(title), text, MANUAL, places)
    for file, page in _pages().items():
        _write(folder, page, _with_pictures(read(file), drawn) if file == TUTORIAL else read(file), file, places)
    for name, modules in API.items():
        text = "\n\n".join(
            [f"# {name.capitalize() if name != 'pysolve' else name}", *(f"::: {one}" for one in modules)]
        )
        _write(folder, f"api/{anchor(name)}.md", text, "", places)
    for picture in PICTURES:
        copied(picture, folder / picture.removeprefix("docs/"))
    for name in ("style.css", "mark.svg"):
        (folder / name).write_bytes((HERE / name).read_bytes())
    return _nav(manual, games)


def _pages() -> dict[str, str]:
    """The page of each document that is one page; those that are not written yet are left out."""
    files = ["README.md", *(file for group in GUIDES.values() for file in group)]
    return {file: "index.md" if file == "README.md" else PurePosixPath(file).name.lower()
            for file in files if (ROOT / file).exists()}  # fmt: skip


def _places(games: list[str]) -> Places:
    places = Places(REPOSITORY)
    for title, text in chapters(read(MANUAL)):
        places.put(MANUAL, _chapter(title), headings(text))
    for file, page in _pages().items():
        places.put(file, page, headings(read(file)))
    for name in games:
        places.put(f"rules/{name}.rules", f"gallery/{name}.md", [])
    for picture in PICTURES:
        places.put(picture, picture.removeprefix("docs/"), [])
    return places


def _chapter(title: str) -> str:
    return f"manual/{anchor(title) or 'index'}.md"


def _write(folder: Path, page: str, text: str, file: str, places: Places) -> None:
    target = folder / page
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(_coloured(places.linked(text, file, page)), encoding="utf-8")


def _coloured(text: str) -> str:
    """The fences with the names of their languages; the name of a block's file is its title."""
    found = []
    for line, quoted in lines(text):
        if quoted and line.startswith("```") and line != "```":
            kind, _, name = line[3:].partition(" ")
            title = f' title="{name}"' if name and kind != "console" and not name.startswith("with ") else ""
            line = f"```{KINDS.get(kind, kind)}{title}"
        found.append(line)
    return "\n".join(found)


def _with_pictures(text: str, drawn: dict[int, str]) -> str:
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        found.append(line)
        if number in drawn:
            found += ["", f'<img class="step" src="steps/{drawn[number]}" alt="The board after this step">']
    return "\n".join(found)


def _nav(manual: list[tuple[str, str]], games: list[dict[str, str]]) -> str:
    """The navigation, as TOML."""
    pages = _pages()
    entry = lambda title, page: f"{{ {json.dumps(title, ensure_ascii=False)} = {json.dumps(page)} }}"
    group = lambda title, entries: f"{{ {json.dumps(title)} = [{', '.join(entries)}] }}"
    guides = {
        title: [entry(_title(read(file)), pages[file]) for file in files if file in pages]
        for title, files in GUIDES.items()
    }
    return "[" + ", ".join([
        entry("Start", "index.md"),
        group("Learn", guides["Learn"]),
        group("Manual", [entry(title or "The rules language", _chapter(title)) for title, _ in manual]),
        group("Gallery", [entry("All games", "gallery/index.md"),
                          *(entry(game["title"], f"gallery/{game['name']}.md") for game in games)]),
        group("Use", guides["Use"]),
        group("Python API", [entry(name, f"api/{anchor(name)}.md") for name in API]),
        group("Project", guides["Project"]),
    ]) + "]"  # fmt: skip


def _title(text: str) -> str:
    return next(line for line, quoted in lines(text) if line.startswith("# ") and not quoted)[2:]


def asking(folder: Path) -> list[str]:
    """What of a built site asks another host, a line for each place."""
    texts = [path for path in sorted(folder.rglob("*")) if path.suffix in (".html", ".css")]
    return [
        f"{path.relative_to(folder)}: {found.group()}"
        for path in texts
        for found in LOADED.finditer(path.read_text(encoding="utf-8"))
    ]


if __name__ == "__main__":
    sys.exit(main())
