/** Players by their texts, as `minimax:depth=3`: those of Python that need nothing but the programs of this file. */

import {
  BIAS,
  DEPTH,
  EVEN,
  EXPLORE,
  EXPLORE_ALONE,
  FARTHEST,
  GRAVE,
  MOST_THINKING,
  PLAYOUTS,
  PRIOR,
  PUCT,
  VALUE_UNIT,
  WIN,
} from "../generated/constants.ts";
import type { Thought } from "../protocol.ts";
import { ChanceDepths, expected } from "./chance.ts";
import { keyOf, type Position } from "./game.ts";
import { type Code, type Machine, Trouble } from "./machine.ts";
import { divided } from "./points.ts";
import { Depths, endsForSure, type Found, search, several } from "./search.ts";
import { read, type Settings } from "./settings.ts";
import { strong, techniquesOf } from "./strong.ts";
import { preferred } from "./ties.ts";
import { type Grown, grown } from "./tree.ts";
import { turnPositions } from "./turns.ts";

type Heard = (thought: Thought) => void;

interface Asked {
  position: Position;
  settings: Settings;
  seed: number;
  heard: Heard;
}

const TIMED = ["minimax", "maxn", "mcts"]; // players that can be told how long to think, unless they have another limit
const LIMITS = ["depth", "nodes", "turns", "playouts"];

/** The move that a player chooses; one that can think for a time has so many seconds. */
export function chosen(
  position: Position,
  player: string,
  seconds: number | undefined,
  seed: number,
  heard: Heard,
): Thought {
  if (position.outcome) throw new Trouble("asked", `the game is over; ${position.result}`);
  if (position.weights) throw new Trouble("asked", "chance moves here, and no player");
  const [name, own] = read(position.game, player);
  const timed = TIMED.includes(name) && !LIMITS.some((limit) => limit in own);
  const settings = seconds !== undefined && timed ? { ...own, time: seconds } : own;
  const asked = { position, settings, seed, heard };
  if (name === "random") return silent(position, position.codes[Math.floor(lots(seed)() * position.codes.length)]!);
  if (name === "greedy") return "turn" in settings || "replies" in settings ? greedyTurn(asked) : greedy(asked);
  return name === "mcts" ? mcts(asked) : searching(asked, name === "maxn");
}

/** Random numbers from a seed: mulberry32. */
function lots(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The seconds that a player may think, if it has a time. */
function time({ time }: Settings): number | undefined {
  return time === undefined ? undefined : Math.min(time, MOST_THINKING);
}

/** The number of the program by which a player looks at the game: one of other rules, unless the game is over by them. */
function eyes({ position, settings }: Asked, player = position.mover, own = true): number {
  const { terms = [], onesided = [], stuck } = settings;
  const view = [terms.join("+"), own ? onesided.join("+") : "", own && stuck ? "stuck" : ""];
  const other = settings.by ? position.game.view([...view, settings.by].join("|"), player) : null;
  if (other !== null && !position.game.program(other).expand(position.state).ending) return other;
  const found = position.game.view(view.join("|"), player);
  if (found !== null && (!settings.by || other !== null)) return found;
  throw new Trouble(
    "asked",
    "this file has no program for a player who looks at other lines or rules: export it with that player",
  );
}

/** The program with which a player compares positions. */
function scales(asked: Asked, player = asked.position.mover, own = true): Machine {
  return asked.position.game.program(eyes(asked, player, own), asked.settings.values);
}

/** The program with which a player searches, with memory of its own. */
function searcher(asked: Asked): Machine {
  return asked.position.game.fresh(eyes(asked), asked.settings.values);
}

/** The moves that a player considers: by other rules some of them. */
function considered(asked: Asked): Code[] {
  const { position } = asked;
  return asked.settings.by ? position.game.program(eyes(asked)).expand(position.state).codes : position.codes;
}

// -------------------------------------------------------------------------------------- minimax and max-n

function searching(asked: Asked, each: boolean, analyses = false): Thought {
  const { position, settings, heard } = asked;
  const { turns, nodes } = settings;
  const seconds = time(settings);
  const depth = settings.depth ?? ((turns ?? nodes ?? seconds) === undefined ? DEPTH : undefined);
  const codes = considered(asked);
  if (codes.length === 1 && !analyses) return silent(position, codes[0]!);
  const began = performance.now();
  const wanted = { depth, turns, nodes, seconds, each, ...horizon(asked) };
  const machine = searcher(asked);
  const { search: by, techniques, values } = settings;
  const said = (found: Found) => searched(position, found, began, values);
  const hears = (one: Found) => heard(said(one));
  const { exported } = position.game;
  if (by === "strong") {
    const usual = exported.techniques[values ?? ""] ?? exported.techniques[""]!;
    const how = techniques ? techniquesOf(techniques) : usual;
    const told = { ...wanted, lines: 1, earlier: earlier(position), techniques: how };
    const [found] = strong(machine, position.state, told, ([one]) => hears(one!));
    return said(found!);
  }
  return said((exported.game.rolls ? expected : search)(machine, position.state, wanted, hears));
}

/** The states that have occurred in the game so far. */
function earlier(position: Position): Uint8Array[] {
  return position.past.before.map(([state]) => state);
}

/** Thinks for a time: the strong search, minimax where that does not apply or values are not for it, max-n where three
 * players or more play, or random games where they say more than `evaluate`. */
export function analysed(position: Position, seconds: number, lines: number, heard: Heard): Thought {
  if (position.outcome) throw new Trouble("asked", `the game is over; ${position.result}`);
  const { analysing, estimates, game, plays_out } = position.game.exported;
  const values = analysing.values ?? undefined;
  const asked = { position, settings: { time: seconds, ...(values && { values }) }, seed: 0, heard };
  const each = game.players.length > 2;
  if (game.rolls && (each || !estimates))
    throw new Trouble("asked", "this file can analyse a game with chance if it has `evaluate` and two players at most");
  if (plays_out) {
    const { playouts: _, nodes: __, ...tree } = read(position.game, analysing.tree)[1];
    const guided = { ...asked, settings: { ...tree, time: seconds } };
    const astray = considered(guided).some((code) => !position.codes.includes(code)); // by other rules
    return mcts(astray ? asked : guided, true, lines);
  }
  if (!each && analysing.strong && position.game.program().has("strong")) return strongest(asked, seconds, lines);
  return (lines > 1 && !position.weights && ranking(asked, each, seconds, lines)) || searching(asked, each, true);
}

/** One line or several by the strong search. */
function strongest(asked: Asked, seconds: number, lines: number): Thought {
  const { position, settings, heard } = asked;
  const began = performance.now();
  const told = (found: Found[]) =>
    lines > 1 ? together(asked, found, began)! : searched(position, found[0]!, began, settings.values);
  const { techniques } = position.game.exported.analysing;
  const wanted = { seconds, lines, back: [], earlier: earlier(position), techniques };
  return told(strong(searcher(asked), position.state, wanted, (found) => heard(told(found))));
}

/** Several lines as a thought, that of the best one; null if there are none. */
function together({ position, settings }: Asked, found: Found[], began: number): Thought | null {
  const all = found.map((one) => searched(position, one, began, settings.values));
  return all[0] ? { ...all[0], lines: all } : null;
}

/** Several lines; null if not one was found in the time. */
function ranking(asked: Asked, each: boolean, seconds: number, lines: number): Thought | null {
  const began = performance.now();
  const told = (found: Found[]) => together(asked, found, began);
  const report = (found: Found[]) => asked.heard(told(found)!);
  const { state, mover, game } = asked.position;
  const [machine, until] = [searcher(asked), began + 1000 * seconds];
  const { rolls } = game.exported.game;
  const depths = rolls ? new ChanceDepths(machine, mover, until) : new Depths(machine, mover, each, until);
  return told(several(machine, state, depths, { lines, unit: game.exported.unit }, report));
}

function horizon(asked: Asked) {
  const { position, settings } = asked;
  const { game } = position;
  const { kinds, men } = game.exported;
  const names = settings.quiet ?? [];
  const known = kinds.map((kind) => kind.name);
  const captures = names.includes("captures") && !known.includes("captures");
  for (const name of names)
    if (!known.includes(name) && !(name === "captures" && men.length))
      throw new Trouble("asked", `quiet of minimax: there is no kind of move "${name}"`);
  const quiet = known.reduce((bits, name, place) => (names.includes(name) ? bits | (1 << place) : bits), 0);
  return { kinds: quiet, captures, order: ordered(asked), back: "onward" in settings ? leftBefore(asked) : [] };
}

/** Indices of the first moves in the order in which they are tried; none if that is left to the search. */
function ordered(asked: Asked): number[] {
  const { position, settings, seed } = asked;
  if (!settings.ties) return [];
  const moves = considered(asked).map((code) => position.game.decoded(code));
  return preferred(position.game.exported, moves, settings.ties, lots(seed));
}

/** Indices of the moves that lead to a position to which the player has moved before; none if all do. */
function leftBefore(asked: Asked): number[] {
  const { position } = asked;
  const left = new Set<string>();
  for (let at: Position | null = position; at?.from; at = at.from.position)
    if (at.from.position.mover === position.mover) left.add(keyOf(at.state));
  const codes = considered(asked);
  const found = codes.flatMap((code, index) => (left.has(keyOf(position.play(code).state)) ? [index] : []));
  return found.length < codes.length ? found : [];
}

function searched(position: Position, found: Found, began: number, values?: string): Thought {
  return {
    ...thought(position, found.line),
    depth: found.depth,
    ...valued(position, found.value, found.line, values),
    positions: found.nodes,
    seconds: (performance.now() - began) / 1000,
  };
}

/** What a value for the player to move, at the end of a line, is to the bar.  That of learned values is no number of
 * points: they say what share of them they expect. */
function valued(position: Position, value: number, line: Code[], values?: string): Standing {
  const sure = endsForSure(value);
  if (values && !sure) return { value: null, sure, share: (1 + Math.tanh(value / VALUE_UNIT)) / 2 };
  if (position.game.exported.game.players.length > 2) return { value, sure, ...told(position, parts(position, line)) };
  return { value, sure, share: sure ? Number(value > 0) : shareOf(position, value) };
}

type Standing = Pick<Thought, "value" | "sure" | "share" | "shares">;

/** How three players or more stand at the end of a line, as parts of 1. */
function parts(position: Position, line: Code[]): number[] {
  let here = position;
  for (const code of line) if (!here.outcome) here = here.play(code);
  const { game } = position;
  const { paid } = here;
  if (paid) return divided(paid, game.exported.ranks);
  const estimates = game.program().estimates(here.state);
  const scale = (estimates.length - 1) / estimates.length / game.exported.lead;
  const grown = estimates.map((value) => Math.exp(Math.max(-FARTHEST, Math.min(FARTHEST, value * scale))));
  const whole = grown.reduce((sum, one) => sum + one, 0);
  return grown.map((one) => one / whole);
}

/** The parts of all players, for the bar. */
function told({ game, mover }: Position, parts: number[]): Pick<Thought, "share" | "shares"> {
  const shares = Object.fromEntries(game.exported.game.players.map(({ name }, at) => [name, parts[at]!]));
  return { share: parts[mover - 1]!, shares };
}

/** A move, and a line of play, in words. */
function thought(position: Position, line: Code[]): Thought {
  const { game } = position;
  const [first] = line;
  const { text, written } = first === undefined ? { text: "", written: "" } : game.move(first); // chance moves
  const played: Code[] = []; // a search may not know that the game ends on the way
  for (let here = position; !here.outcome && played.length < line.length; here = here.play(played.at(-1)!))
    played.push(line[played.length]!);
  const words = played.map((one) => game.move(one).written);
  const moves = played.map((one) => game.move(one).text);
  const nothing = { depth: 0, value: null, share: 0.5, sure: false, positions: 0, seconds: 0 };
  return { move: text, written, ...nothing, line: words, moves };
}

/** What is known where a player searches for nothing: what `evaluate` says of the position. */
function silent(position: Position, code: Code): Thought {
  const { game, state, mover } = position;
  const said = { ...thought(position, [code]), line: [], moves: [] };
  const value = game.exported.estimates ? game.program().estimates(state)[mover - 1]! : null;
  if (game.exported.game.players.length > 2) return { ...said, value, ...told(position, parts(position, [])) };
  return value === null ? said : { ...said, value, share: shareOf(position, value) };
}

/** A lead in points of `evaluate` as a share. */
function shareOf({ game }: Position, value: number): number {
  return 1 / (1 + Math.exp(-Math.max(-FARTHEST, Math.min(FARTHEST, value / game.exported.lead))));
}

// ------------------------------------------------------------------------------------------------ greedy

/** The value of states that a player can reach, without looking further. */
function worth(asked: Asked, machine: Machine, player: number, state: Uint8Array, turns: number): number {
  const result = resultOf(asked, state, turns);
  if (result !== null) return asked.position.game.paid(result)[player - 1]! * WIN;
  return machine.estimates(state)[player - 1]!;
}

/** The result after so many turns of the whole game; null while it goes on. */
function resultOf({ position }: Asked, state: Uint8Array, turns: number): number | null {
  const { exported } = position.game;
  const program = position.game.program();
  if (exported.remembers) {
    const judged = program.judge(state, turns, timesOf(position, state) + 1);
    if (judged) return judged[1];
  }
  const { ending, result } = program.expand(state);
  return ending ? result : null;
}

/** How often a state has occurred, the present position included. */
function timesOf(position: Position, state: Uint8Array): number {
  const own = position.game.identity(state);
  return (position.seen.get(own) ?? 0) + Number(position.identity === own);
}

function greedy(asked: Asked): Thought {
  const { position } = asked;
  const machine = scales(asked);
  const values = position.codes.map((code) => {
    const after = position.play(code);
    return worth(asked, machine, position.mover, after.state, after.turns);
  });
  const code = position.codes[bestOf(asked, values)]!;
  const value = valued(position, Math.max(...values), [code], asked.settings.values);
  return { ...thought(position, [code]), depth: 1, ...value, positions: values.length };
}

/** The index of the best move; of equal ones the one that `ties` prefers. */
function bestOf({ position, settings, seed }: Asked, values: number[]): number {
  const most = Math.max(...values);
  const best = values.flatMap((value, index) => (value === most ? [index] : []));
  const chance = lots(seed);
  const ties = settings.ties ?? "random";
  if (ties === "random") return best[Math.floor(chance() * best.length)]!;
  const { game, codes } = position;
  const moves = best.map((index) => game.decoded(codes[index]!));
  return best[preferred(game.exported, moves, ties, chance)[0]!]!;
}

/** The first move of the turn after which the estimate is highest; with replies after those, too. */
function greedyTurn(asked: Asked): Thought {
  const { position, settings } = asked;
  const { replies } = settings;
  if (!replies) {
    const [turn] = bestTurn(asked, scales(asked), position.state, position.turns);
    return silent(position, turn![0]);
  }
  const values = position.codes.map((code) => {
    const after = position.play(code);
    let [state, turns] = [after.state, after.turns];
    while (turns <= position.turns + replies && resultOf(asked, state, turns) === null) {
      const turn = bestTurn(asked, scales(asked, state[0]!), state, turns);
      state = turn.at(-1)![1];
      turns += 1;
    }
    return worth(asked, scales(asked, position.mover, false), position.mover, state, turns);
  });
  return silent(position, position.codes[bestOf(asked, values)]!);
}

/** A turn that leads to one of the positions of the highest value: its moves, with the position after each. */
function bestTurn(asked: Asked, machine: Machine, state: Uint8Array, turns: number): [Code, Uint8Array][] {
  const { game } = asked.position;
  const program = game.program();
  const ends = turnPositions(program, state);
  const player = state[0]!;
  const values = ends.map((end) => worth(asked, machine, player, end, turns + Number(end[0] !== player)));
  const most = Math.max(...values);
  const best = ends.filter((_, index) => values[index] === most);
  const chance = lots(asked.seed);
  const ties = asked.settings.ties ?? "random";
  const goals = ties === "random" ? [best[Math.floor(chance() * best.length)]!] : best;
  const order = (codes: Code[]) =>
    ties === "random"
      ? codes
      : preferred(
          game.exported,
          codes.map((code) => game.decoded(code)),
          ties,
          chance,
        ).map((index) => codes[index]!);
  return way(program, state, new Set(goals.map(keyOf)), order);
}

/** The first moves, in an order, that lead to one of these ends of the turn and visit no position twice. */
function way(
  program: Machine,
  state: Uint8Array,
  goals: Set<string>,
  order: (codes: Code[]) => Code[],
): [Code, Uint8Array][] {
  const met = new Set([keyOf(state)]);
  const leads = (here: Uint8Array) => turnPositions(program, here).some((end) => goals.has(keyOf(end)));
  const walk = (here: Uint8Array): [Code, Uint8Array][] | null => {
    for (const code of order(program.expand(here).codes)) {
      const after = program.after(here, code);
      const key = keyOf(after);
      if (goals.has(key)) return [[code, after]];
      if (met.has(key) || after[0] !== state[0]) continue;
      met.add(key);
      if (!leads(after)) continue;
      const rest = walk(after);
      if (rest) return [[code, after], ...rest];
    }
    return null;
  };
  const found = walk(state);
  if (!found) throw new Trouble("internal", "a turn does not lead to its end");
  return found;
}

// -------------------------------------------------------------------------------------------------- mcts

function mcts(asked: Asked, analyses = false, lines = 1): Thought {
  const { position, settings, seed, heard } = asked;
  const { nodes } = settings;
  const seconds = time(settings);
  const visits = settings.playouts ?? ((seconds ?? nodes) === undefined ? PLAYOUTS : undefined);
  const codes = considered(asked);
  if (codes.length === 1 && !analyses) return silent(position, codes[0]!);
  const { game } = position;
  const grave = settings.grave ?? GRAVE;
  const policy = settings.policy === undefined ? null : game.image(settings.policy);
  const estimates = game.exported.estimates || settings.values !== undefined;
  const how = {
    evaluates: (settings.leaf ?? (settings.values === undefined ? "playout" : "evaluate")) === "evaluate",
    takesBest: settings.backup === "max",
    explore: settings.explore ?? (policy ? 0 : grave ? EXPLORE : EXPLORE_ALONE),
    bias: estimates ? (settings.bias ?? BIAS) : 0,
    grave,
    even: settings.even ?? EVEN,
    differ: game.exported.ranks,
    prior: estimates ? (settings.prior ?? PRIOR) : 0,
    policy,
    puct: settings.puct ?? PUCT,
  };
  const began = performance.now();
  const said = (found: Grown): Thought => ({
    ...thought(position, found.line.length ? found.line : position.codes.slice(0, 1)),
    depth: found.line.length,
    value: null,
    ...sampled(position, found),
    sure: found.proven !== null && !settings.by, // other rules prove nothing here
    positions: found.visits,
    seconds: (performance.now() - began) / 1000,
    ...(found.lines.length && { lines: found.lines.map(said) }),
  });
  const report = (found: Grown) => heard(said(found));
  const limits = { visits, nodes, seconds, lines };
  return said(grown(searcher(asked), position.state, position.past, how, limits, seed, report));
}

/** What the bar shows of a tree. */
function sampled(position: Position, { values, proven }: Grown): Pick<Thought, "share" | "shares"> {
  if (values.length > 2) return told(position, divided(values, position.game.exported.ranks));
  return { share: ((proven ?? values[position.mover - 1]!) + 1) / 2 };
}
