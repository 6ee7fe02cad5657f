/** The questions of a page, answered by an exported game; nothing is asked of any server. */

import { DEEPEST_COUNT, MOST_LINES, MOST_PREVIEWED, MOST_SECONDS } from "../generated/constants.ts";
import type { Chance, Line, Move, Played, Preview, Questions, Roll, State } from "../protocol.ts";
import { changed, changedBy } from "./changes.ts";
import type { Exported } from "./exported.ts";
import { Game, Position } from "./game.ts";
import { byWeight, lotOf } from "./lots.ts";
import { type Image, Trouble } from "./machine.ts";
import { analysed, chosen } from "./players.ts";
import { parsed } from "./position_text.ts";
import { record, replayed } from "./record.ts";
import { resting } from "./turns.ts";
import { clicked, explained, legalMove } from "./why.ts";

const MOST_KEPT = 4000; // positions

type Heard = (part: unknown) => void;
type Asked = Record<string, unknown>;

export class Answers {
  readonly game: Game;
  private readonly kept = new Map<string, Position>();

  constructor(exported: Exported, modules: WebAssembly.Module[], learned: Record<string, Image>) {
    this.game = new Game(exported, modules, learned);
  }

  /** The answer to a question; raises `Trouble`. */
  answer(question: string, asked: Asked, heard: Heard = () => {}): unknown {
    const { hello, game, sheet, view, options } = this.game.exported;
    switch (question) {
      case "hello":
        return hello;
      case "check":
        return { problems: [], options, game };
      case "sheet":
        return sheet;
      case "view":
        return view;
      case "state":
        return this.state(asked.line as Line);
      case "preview":
        return { previews: this.previews(asked) };
      case "why":
        return this.why(asked);
      case "choose":
        return this.choose(asked, heard);
      case "analyse":
        return this.analyse(asked, heard);
      case "perft":
        return { counts: this.perft(asked, heard) };
      case "place":
        return { line: { seed: 0, start: this.game.line(parsed(this.game, String(asked.text))), moves: [] } };
      case "replay":
        return this.replay(String(asked.text));
      case "record":
        return { text: this.record(asked) };
    }
    throw new Trouble("asked", "an exported game cannot answer this: open its rules in pysolve");
  }

  // --------------------------------------------------------------------------------------- positions

  /** The position to which a line leads as far as it is legal, and how many of its moves were played. */
  private walked(line: Line): [position: Position, count: number] {
    let position = this.first(line);
    let key = `${line.seed}|${line.start}`;
    for (const [count, text] of line.moves.entries()) {
      key += `\n${text}`;
      let next = this.kept.get(key);
      if (!next) {
        const code = legalMove(position, text);
        if (code === null) return [position, count];
        next = this.keep(key, position.play(code));
      }
      position = next;
    }
    return [position, line.moves.length];
  }

  private first(line: Line): Position {
    const key = `${line.seed}|${line.start}`;
    const known = this.kept.get(key);
    if (known) return known;
    const state = line.start ? parsed(this.game, line.start) : this.game.program().start(line.seed);
    return this.keep(key, Position.first(this.game, state));
  }

  private keep(key: string, position: Position): Position {
    if (this.kept.size >= MOST_KEPT) this.kept.clear();
    this.kept.set(key, position);
    return position;
  }

  /** The position that a question is about. */
  private at(asked: Asked): Position {
    const line = asked.line as Line;
    const [position, count] = this.walked(line);
    if (count < line.moves.length) throw new Trouble("illegal", this.illegal(position, line.moves[count]!));
    return position;
  }

  private illegal(position: Position, text: string): string {
    const found = explained(position, text, undefined);
    const failing = found.kinds[0]?.demands.filter((demand) => !demand.holds) ?? [];
    if (!found.kinds.length) return `"${text}" is not a move`;
    return `${text} is not legal: ${found.note || failing.map((one) => one.reason ?? one.text).join("; ")}`;
  }

  private state(line: Line): State {
    const [position, count] = this.walked(line);
    const { game } = this;
    const moves = line.moves.slice(0, count);
    const lost = line.moves[count];
    const played = this.played(position);
    return {
      line: { ...line, moves },
      lost: lost === undefined ? null : { move: lost, message: this.illegal(position, lost) },
      mover: this.name(position.mover),
      moves: position.weights ? [] : position.codes.map((code) => game.move(code)),
      looks: game.looks(position.state),
      ties: game.ties(position.state),
      marks: game.marks(position.state),
      window: null,
      beside: game.beside(position.state),
      facts: game.facts(position.state),
      asides: game.asides(position.state),
      out: game.outs(position.state).map((player) => this.name(player)),
      played,
      turn_began: played.filter((move) => move.turn <= position.turns).length,
      rest: position.weights ? [] : resting(position).map((code) => game.move(code).text),
      outcome: position.outcome,
      position: game.line(position.state),
      ...(position.weights && { chance: this.chance(position, position.weights, line.seed, count) }),
    };
  }

  /** What may happen where chance moves, and what the seed draws for this move of the game. */
  private chance({ game, codes }: Position, weights: number[], seed: number, count: number): Chance {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const rolls = codes.map((code, at): Roll => {
      const { text, written, kind } = game.move(code);
      return { text, written, kind, share: weights[at]! / total, dice: game.faces(code) };
    });
    return { rolls, drawn: rolls[byWeight(lotOf(seed, count), weights)]!.text };
  }

  private name(player: number): string {
    return this.game.exported.game.players[player - 1]!.name;
  }

  private played(position: Position): Played[] {
    const found: Played[] = [];
    for (let at = position; at.from; at = at.from.position) {
      const { text, written, cells, goal }: Move = this.game.move(at.from.code);
      const before = at.from.position;
      const { landed, left } = changedBy(before, at);
      const roll = this.game.isChance(at.from.code) ? { roll: this.game.faces(at.from.code) } : {};
      const turn = before.turns + 1;
      found.push({ player: this.name(before.mover), text, written, cells, goal, landed, left, turn, ...roll });
    }
    return found.reverse();
  }

  // --------------------------------------------------------------------------------------- questions

  /** What the moves of a position would change. */
  private previews(asked: Asked): Preview[] {
    const position = this.at(asked);
    const texts = asked.moves as string[];
    if (texts.length > MOST_PREVIEWED) throw new Trouble("limit", `at most ${MOST_PREVIEWED} moves are previewed`);
    return texts.map((move) => {
      const code = legalMove(position, move);
      if (code === null) throw new Trouble("illegal", this.illegal(position, move));
      const after = position.play(code);
      const { landed, left } = changed(this.game, position.state, after.state);
      const looks = this.game.looks(after.state);
      return {
        move,
        landed,
        left,
        looks: Object.fromEntries([...landed, ...left].map((one) => [one, looks[one] ?? null])),
      };
    });
  }

  private why(asked: Asked): Questions["why"]["out"] {
    const position = this.at(asked);
    const kind = asked.kind as string | undefined;
    const { kinds, cells, sites, passes } = this.game.exported;
    const known = new Set([...cells, ...sites.map((site) => site.name)]);
    if (kind !== undefined && !kinds.some((one) => one.name === kind) && !(passes && kind === "pass"))
      throw new Trouble("asked", `there is no kind of move "${kind}"`);
    if (asked.move !== undefined) return explained(position, String(asked.move), kind);
    const clicks = (asked.cells ?? []) as string[];
    const values = (asked.values ?? []) as string[];
    if (!clicks.length && !values.length) throw new Trouble("asked", "why needs a move or cells");
    for (const cell of clicks) if (!known.has(cell)) throw new Trouble("asked", `the board has no cell "${cell}"`);
    return clicked(position, clicks, values, kind);
  }

  private choose(asked: Asked, heard: Heard): Questions["choose"]["out"] {
    const seconds = asked.seconds === undefined ? undefined : Number(asked.seconds);
    return chosen(this.at(asked), String(asked.player), seconds, Number(asked.seed ?? randomSeed()), heard);
  }

  private analyse(asked: Asked, heard: Heard): Questions["analyse"]["out"] {
    const lines = Number(asked.lines ?? 1);
    if (!(Number.isInteger(lines) && lines >= 1 && lines <= MOST_LINES))
      throw new Trouble("asked", `lines must be an integer from 1 to ${MOST_LINES}, not ${asked.lines}`);
    return analysed(this.at(asked), Number(asked.seconds ?? MOST_SECONDS), lines, heard);
  }

  private perft(asked: Asked, heard: Heard): Questions["perft"]["out"]["counts"] {
    const position = this.at(asked);
    const deepest = Number(asked.depth);
    if (!(Number.isInteger(deepest) && deepest >= 1 && deepest <= DEEPEST_COUNT))
      throw new Trouble("asked", `depth must be an integer from 1 to ${DEEPEST_COUNT}, not ${asked.depth}`);
    const machine = this.game.fresh();
    const past = this.game.exported.remembers ? position.past : null;
    const counts: Questions["perft"]["out"]["counts"] = [];
    for (let depth = 1; depth <= deepest; depth++) {
      const began = performance.now();
      const count = machine.perft(position.state, depth, past).toString();
      counts.push({ depth, count, seconds: (performance.now() - began) / 1000 });
      heard(counts.at(-1));
    }
    return counts;
  }

  private replay(text: string): Questions["replay"]["out"] {
    const { game, options } = this.game.exported;
    const found = replayed(text);
    const differs = Object.entries(found.options).some(([name, value]) => options[name] !== value);
    if (found.name !== game.name || differs)
      throw new Trouble(
        "asked",
        `this is a record of another game, or with other options: this file has ${game.title}`,
      );
    return { ...found, options };
  }

  private record(asked: Asked): string {
    const line = asked.line as Line;
    const players = asked.players as Record<string, string>;
    return record(this.game.exported.game.name, line, players, this.at(asked));
  }
}

function randomSeed(): number {
  return Math.floor(Math.random() * 2 ** 32);
}
