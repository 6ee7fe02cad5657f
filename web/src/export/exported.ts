/** What an exported game carries besides its programs: pysolve/export/description.py writes it. */

import type { Description, Hello, Look, Out, Part, Sheet } from "../protocol.ts";

/** A finite range of numbers, some of them with words; `none` is one below the lowest. */
export interface Sort {
  name: string;
  low: number;
  high: number;
  labels: string[];
  optional: boolean;
  type: string; // its name, or its range of numbers
}

export interface Slot {
  name: string;
  params: number[]; // sorts
  sort: number;
  offset: number;
  width: number; // bytes of a value, base 255
  shift: number; // what is added to a value to make it a byte
  default: number;
  stack: { height: number; items: number; most: number } | null; // slots of what belongs to a stack; its own is the top
  part: boolean; // does it belong to a stack?
}

export interface Probe {
  label: string; // with {0} for the first argument
  off_board: boolean; // is it a step, which has no value where it leads off the board?
  sorts: number[]; // of the arguments
  value: number | null; // the sort of the value
}

export interface Demand {
  number: number;
  text: string;
  reason: string | null;
  line: number;
  negated: boolean;
  probes: Probe[];
  trail: { sort: number; goal: boolean } | null;
  parts: Demand[];
}

export interface Kind {
  name: string;
  text: string; // with {from} for a parameter
  params: { name: string; sort: number; cell: boolean; site: boolean; direction: boolean }[]; // a site is an edge or a corner
  fields: [shift: number, bits: number, low: number][];
  cells: number[]; // the parameters that are cells, edges or corners, in the order in which the text has them
  values: number[]; // the parameters whose values can lie beside the board, in the order of the text
  when: Demand[];
  after: Demand[];
  rests: boolean; // may it end a turn without doing more?
  chance: boolean; // does nobody choose it?
  dice: boolean; // are its parameters what dice show?
}

/** A line of `show`; if it is not `on_cell`, the one slot has at `index` the cell that a glyph is drawn on. */
export interface Layer {
  slots: number[];
  on_cell: boolean;
  flat: boolean; // do things of a stack lie flat?
  glyphs: { values: number[]; text: string; thing: number; index: number }[]; // thing 0 is nothing
}

/** A line of `show` about edges or corners. */
export interface Rim {
  kind: string;
  slots: number[];
  glyphs: { values: number[]; thing: number }[];
}

export interface Ending {
  reason: string | null; // null: the player to move has no legal move
  line: number | null;
  scores: { name: string; least: boolean }[];
  ranks: boolean; // has each player a place by them?
}

/** What the rules mark or tell: rows that a program finds, or that never change. */
export interface Shown {
  text: string;
  program: number | null; // which of those that ps_shown knows
  sorts: number[];
  rows: number[][];
}

/** How a mark is drawn.  A lasting one is always the same. */
export interface Drawn {
  group: Part; // around all of it
  around: Part[][]; // for each cell, where a board has no sides
  sides: [behind: number, part: Part][][]; // for each cell, where the cell behind, from 1, is not marked; 0 is none
}

export interface Marking extends Shown {
  colour: string;
  lasting: boolean;
  drawn: Drawn[]; // by the number of marks before it
}

/** What a definition draws: an answer is a cell and its value, or an argument, if there is one, and a cell. */
export interface Derived extends Shown {
  on_cell: boolean;
  holds: boolean; // is it a condition? Then an answer is a cell for which it holds.
  below: number; // how many layers lie below it
  glyphs: { values: number[]; thing: number }[]; // for the value, or for the argument
}

/** Lines between cells: an answer begins with two of them, and a glyph is for the value behind them, if it has some. */
export interface Ties extends Shown {
  glyphs: { values: number[]; style: Record<string, string> }[];
}

/** What lies beside the board: a count of it, each value, that for which a condition holds, or values with a note. */
export interface Besides extends Shown {
  kind: "count" | "each" | "holds" | "told";
  condition: boolean; // an answer is an argument alone
  headed: boolean; // is the first argument a heading?
  whose: boolean; // is that heading a player?
  sort: number; // the place in an answer of what lies there
  named: boolean; // is it a value, and no number alone?
  arguments: number; // how many there are
  looks: Record<string, Look | null>; // of a value, or of the argument; null is not to be seen
  words: Record<string, string>; // of numbers that have a glyph
}

/** A player that this file has: dsl/player_texts.py says how its settings are written. */
export interface Known {
  refused: string | null; // why it is not for this game
  settings: Record<string, Setting>;
  rules: { key: string; other: string; together: boolean; message: string }[];
}

export interface Setting {
  kind: "flag" | "count" | "amount" | "weight" | "word" | "names" | "text";
  takes: string; // valid values, in a message
  most: number; // the largest count; less than this is an amount or a weight
  least: number; // the smallest count
  words: string[]; // one of which is the word
  refused: string | null; // why it is not for this game
}

/** What was learned as programs read it: memory whose addresses count from its beginning. */
export interface Learned {
  data: string; // deflated, base64
  addresses: number[]; // where they stand in it
}

export interface Exported {
  hello: Hello;
  game: Description;
  sheet: Sheet;
  view: Out<"view">; // of the rules
  digest: string; // of rules and options
  options: Record<string, string>;
  sorts: Sort[];
  slots: Slot[];
  kinds: Kind[];
  size: number;
  bits: number;
  kind_shift: number;
  passes: boolean;
  cells: string[];
  rows: (number | null)[][];
  wide_texts: boolean; // is a cell drawn by more than a character?
  step: Record<string, number>; // "cell direction" to the next cell
  layers: Layer[];
  derived: Derived[];
  ties: Ties[];
  spots: [x: string, y: string][]; // where lines between cells end, if there are some
  asides: Besides[];
  sites: { name: string; side: [kind: string, way: string]; number: number }[]; // edges and corners, from 0 each
  rims: Rim[];
  texts: Record<string, [slot: number, value: number | null, index: number][]>; // of a drawn word; null is the cell
  nevers: { text: string; cases: string[] }[]; // what the drawn values of a cell never are together
  looks: Record<string, Look>; // by the things on a cell, the lowest first; "edge north 2" where a site is meant
  endings: Ending[];
  stuck: Ending | null;
  remembers: boolean;
  ignored: [from: number, to: number][];
  men: [from: number, to: number][];
  base: number[]; // values for what a text of a position leaves out
  sayings: { slot: number; texts: string[] }[];
  beside: number[]; // the slots that a page tells, in order
  drawn: number[]; // the slots that the board shows
  marks: Marking[];
  tells: Shown[];
  outs: number | null; // the question that finds who is out; null where nobody can be
  players: Record<string, Known>;
  learned: Record<string, Learned>; // values and policies, by the names of their files
  techniques: Record<string, number[]>; // of the strong search where a player names none, by the file of its values
  analysing: { strong: boolean; values: string | null; techniques: number[]; tree: string }; // a tree as of this player
  views: Record<string, number[]>; // programs by terms, onesided and stuck, for each player
  unit: number; // payoffs are whole numbers of such parts
  ranks: boolean; // does an ending give each player a place?
  estimates: boolean; // is there an `evaluate` block?
  plays_out: boolean; // do random games say more of a position than it does?
  lead: number; // in points of it, that is usual in this game
  programs: string[]; // WebAssembly, deflated, base64; the last one explains
}
