/**
 * What a page asks, and what it hears: the same behind the server at home, the playground and an exported game.
 *
 * Every question is a name and one JSON object, every answer one JSON object; a long question also reports parts while
 * it runs, and can be cancelled.  Names are those of Python: `pysolve/service` answers them, docs/service.md explains
 * them.  The service keeps nothing about a page, but for tables: a game is named by the digest of its rules and options,
 * a position by the way in which it was reached.
 */

export type Word = string;
export type Options = Record<string, string>;

/** How a position was reached: the seed of the random setup, the first position if it is not that, then all moves. */
export interface Line {
  seed: number;
  start: string;
  moves: string[];
  before?: number; // turns before the first position, where that is not the beginning: a record counts on from there
  table?: string; // of a game with secrets that is played: where it is kept, whose moves are not told
}

/** A position of a game.  `game` is `Description.id`; the error `gone` says that it must be checked again. */
export interface Where {
  game: string;
  line: Line;
}

// ------------------------------------------------------------------------------------------------ pictures

/**
 * One SVG element: its tag, its attributes, its text.  Only tags and attributes of `picture.ts` are drawn.
 *
 * A colour has a class, too: what is filled with it has `fill-NAME`, what is drawn with it `stroke-NAME`.  The names are
 * paper, ground-0, ground-1, ground-2 (cells), line (between them), words (coordinates), edge (of things), the colours
 * of `show` (red, blue, black, white, green, yellow, orange, purple, grey, brown, cyan, pink), dark and light (ink on a
 * coloured thing: the same in every scheme), last, last-edge and target.  Groups have the classes pieces, mark and
 * coordinates.  What lies at an edge or a corner of a cell is a group `side` that is moved there by its transform.
 */
export type Part = [tag: string, attributes: Record<string, string | number>, text?: string, parts?: Part[]];

/** The board without anything on it.  Places are those of the picture; cells, and what lies on them, are drawn around 0, 0. */
export interface Board {
  box: [x: number, y: number, width: number, height: number];
  form: string; // square, hexagon … or graph
  points: boolean; // do things lie on points, and not within the lines around a cell?
  cells: { name: string; x: number; y: number; column: number; row: number; parts: Part[]; label: string }[];
  sites: { name: string; x: number; y: number; kind: string; parts: Part[] }[]; // edges and corners that are seen
  below: Part[]; // lines between the cells of a graph
  under: Part[]; // what is drawn once, below the things that come and go; a cell's label says what of it lies there
  between: Part[]; // thicker lines, above what lies on the cells
  above: Part[]; // coordinates
}

/** The part of a large board that is in use: what replaces box, cells and coordinates of the whole one. */
export interface Window {
  box: [x: number, y: number, width: number, height: number];
  cells: string[];
  rim: string[]; // cells beyond which the board goes on
  above: Part[];
}

/** What lies on a cell, and what a screen reader says of it: "red disc, 3". */
export interface Look {
  parts: Part[];
  label: string;
}

/** Cells that the rules mark, or that an answer names. */
export interface Mark {
  cells: string[];
  colour: string; // as CSS
  text: string;
  lasting: boolean; // the same in every position
  parts: Part[]; // drawn in the picture's own place
}

/** Things beside the board, by headings; `player` is whose they are, or "". */
export interface Aside {
  title: string;
  text: string; // all of it in words
  groups: { label: string; player: string; things: Item[] }[];
}

/** A thing beside the board; one without parts is a word, or a number alone. */
export interface Item {
  look: Look;
  count: number;
  value: string; // what it stands for, as `Move.values` has it; or ""
  note: string; // what is written behind it, as a price
}

// ------------------------------------------------------------------------------------------------ rules

export interface Span {
  line: number; // from 1
  column: number; // from 1, in characters
  end_line: number;
  end_column: number; // behind the last character
}

/** A mistake or a warning; `cure` replaces the characters of `span` by `text`. */
export interface Problem extends Span {
  message: string;
  hint: string;
  severity: "error" | "warning";
  source: string; // the name of the rules in which it is: those that are open, or a parent of them
  cure: { label: string; span: Span; text: string } | null;
}

/** What a name of the rules stands for. */
export interface Meaning {
  name: string;
  kind: string; // variable, state, option, definition, effect, column, type, value, move, term, level; or given
  type: string; // "player or none", "set of cell", "condition"; "" if it has none, or it is not known
  head: string; // how it is declared; of what the language gives, how it is called
  params: string[]; // "c: cell"
  value: string; // of a constant
  place: [source: string, line: number, column: number] | null; // of its name where it is declared
  scope: Span | null; // of a variable, where it is known; null if that is its section
}

/** A place in a text; line and column count as those of a span. */
export interface Place {
  name: string;
  text: string;
  line: number;
  column: number;
}

/** A game: what a page must know about it, whatever the position. */
export interface Description {
  id: string;
  name: string; // what `load` takes
  title: string;
  author: string;
  about: string;
  players: { name: string; colour: string }[]; // the colour of the player's pieces as CSS, or ""
  options: { name: string; value: string; values: string[]; about: string }[]; // values are empty if any number may be
  kinds: {
    name: string;
    text: string; // the form of its moves, "{from}-{to}"
    line: number; // of the rules that are open; 0 if it is inherited
    parameters: { name: string; type: string; values: string[] }[]; // values are empty for cells and numbers
  }[];
  levels: Record<string, string>; // players that the rules name, as { easy: "minimax:depth=1" }
  board: Board;
  walls: boolean; // moves may put things at the edges and corners of cells, where one points
  draws_lots: boolean; // the setup is random: a seed makes another beginning
  rolls: boolean; // some moves are left to chance: a seed makes other ones
  remembers: boolean; // repetition or a limit of turns may end it
  secret: boolean; // players do not see all
  examples: Example[];
  values: string[]; // of its types, those that begin as a variable of Prolog does
  queries: { name: string; parameters: string[] }[]; // what a query may ask, with its types
  engine: string; // who computes: native, prolog, WebAssembly
}

export interface Example extends Span {
  name: string;
}

export interface ExampleResult extends Example {
  checks: { line: number; holds: boolean; expected: string; found: string }[];
  start: Line | null; // the position that it begins with, and its moves; null if there is none
  options: Options; // with which it is played
}

// ------------------------------------------------------------------------------------------------ rules in prose

/** Some sentences, and the line of the rules that they come from; 0 where they have none of their own. */
export interface Paragraph {
  text: string;
  line: number;
}

/** Something with a name: a kind of move, an ending, an option. */
export interface SheetItem {
  name: string;
  note: string; // how a move is written, how an option is set
  paragraphs: Paragraph[];
  lead: string; // before the answers
  answers: Paragraph[]; // what is said to somebody whose move is not allowed
  line: number;
}

export interface SheetSection {
  key: string; // changes, players, board, beginning, turn, moves, end, values, beside, options, levels
  heading: string;
  paragraphs: Paragraph[];
  items: SheetItem[];
  drawing: string; // a board as text
}

/** The rules of a game for people: text, and no code. */
export interface Sheet {
  name: string;
  title: string;
  author: string;
  about: Paragraph[];
  sections: SheetSection[];
  picture: string; // of the beginning: SVG, for the src of an image
}

// ------------------------------------------------------------------------------------------------ positions

export interface Move {
  text: string; // names the move in every question
  written: string; // as people write it, Nf3
  kind: string;
  cells: string[]; // in the order in which the move names them
  goal: string | null; // the cell to which it leads
  values: string[]; // those of its other parameters that can lie beside the board, "card Tiger", in the order of its text
  pass: boolean; // the pass of somebody who has nothing else
}

export interface Played {
  player: string;
  text: string;
  written: string;
  cells: string[];
  goal: string | null;
  landed: string[]; // cells, edges and corners to which it brought something
  left: string[]; // those that something only left
  turn: number; // number of its turn, from 1
  roll?: number[]; // where nobody chose it: what the dice showed, if it was a roll of dice
}

/** Something that may happen where nobody chooses. */
export interface Roll {
  text: string; // names it in every question, as that of a move
  written: string;
  kind: string;
  share: number; // how likely it is, from 0 to 1
  dice: number[]; // what the dice show, if it is a roll of dice
}

/** Where chance moves: what may happen, and what the seed of the line draws. */
export interface Chance {
  rolls: Roll[];
  drawn: string; // one of their texts
}

/** What a move would change: the looks of cells, edges and corners after it; null where nothing is left. */
export interface Preview {
  move: string;
  landed: string[];
  left: string[];
  looks: Record<string, Look | null>;
}

export interface Outcome {
  winner: string | null; // null is a draw
  text: string; // "Red wins: …"
  reason: string;
  line: number | null; // of the rules
}

export interface State {
  line: Line; // the asked one, cut before the first move that is not legal here
  lost: { move: string; message: string } | null; // that move
  mover: string;
  moves: Move[]; // of the player to move; none where chance moves
  chance?: Chance; // where no player moves
  looks: Record<string, Look>; // cells on which something lies
  ties: Part[]; // lines between cells, in the picture's own place
  marks: Mark[];
  window: Window | null; // the part of the board that this game has used so far; null is all of it
  beside: string[]; // what the author's words say and the board does not show, a line each
  facts: string[]; // what no line of the rules shows or says, in the words of its states: "clock: 3"
  asides: Aside[]; // what lies beside the board
  out: string[]; // the players who are out: the turn passes over them
  played: Played[];
  turn_began: number; // how many moves had been played when this turn began
  rest: string[]; // the moves that end this turn without doing more; empty if it has no such moves
  outcome: Outcome | null;
  position: string; // one line that reads back as this position; "" at a table
  veil?: Veil; // at a table: all of this is what one person sees
}

/** Who looks at a table, where that is somebody, and who plays there: the text of a program, or "" for a person. */
export interface Veil {
  viewer: string | null;
  seats: Record<string, string>;
}

export interface Reason {
  holds: boolean;
  text: string;
  line: number;
  reason: string | null; // the author's words
  values: string[];
  parts: Reason[];
}

export interface Explanation {
  move: string;
  legal: boolean;
  note: string;
  kinds: { kind: string; demands: Reason[] }[]; // the nearest kind first
}

/** What a search has found so far. */
export interface Thought {
  move: string; // "" where chance moves
  written: string;
  depth: number;
  value: number | null; // points of `evaluate` for the player to move; null where a player has no such number
  share: number; // from 0 to 1, of the player to move: what the bar shows
  shares?: Record<string, number>; // of each of three players or more, together 1
  sure: boolean; // a proven win, draw or loss
  line: string[]; // the best line, as people write it
  moves: string[]; // the same as texts that name the moves in questions
  lines?: Thought[]; // several lines, the best first, each from another move; where they were asked for
  positions: number;
  seconds: number;
}

export interface Count {
  depth: number;
  count: string; // a whole number; it may be larger than a float holds
  seconds: number;
}

export interface Standing {
  played: number;
  asked: number;
  players: { name: string; wins: number; share: number; low: number; high: number }[]; // with a 95 % interval
  draws: number;
  endings: Ended[]; // those of the rules in their order, then what else ended games
  moves: number; // on average
}

export interface Ended {
  ending: string; // its reason
  kind: "rule" | "stuck" | "other" | "adjudicated" | "stopped";
  games: number;
  won_as: Record<string, number>; // by the players of the rules, alone
  draws: number; // the games that nobody won alone
}

// ------------------------------------------------------------------------------------------------ everything

export interface Card {
  name: string;
  title: string;
  author: string;
  about: string;
  players: string[];
  seats: number[]; // how many may play, by the options of the game; rising
  cells: number;
  mechanisms: string[];
  lines: number;
  turns: number; // of a game that is played at random; 0 of a puzzle, and where it is not known
  extends: string | null;
  picture: string; // SVG, for the src of an image; empty where nothing is drawn
  place: "shipped" | "folder";
}

export interface Hello {
  product: "web" | "playground" | "export";
  version: string;
  /** What there is: edit or read, files, save, query, clauses, balance, examples, why. */
  can: string[];
  players: { text: string; about: string }[]; // that may be written for a seat
  home: boolean; // a page begins with the list of games; else it opens `first` at once
  place: string; // whose games these are: what a browser keeps of those of one place is not seen at another
  /** What a page opens first, or shows first in the list, and who plays there besides people. */
  first: {
    name: string;
    text: string;
    digest?: string;
    options: Options;
    line?: Line;
    seats?: Record<string, string>;
  };
}

/**
 * Each question: what goes in, what comes out, and what is heard meanwhile.
 *
 * Files of the folder are named by their path within it, "mine.rules", and shipped games by their name, "zola".  `save`
 * fails as `changed` unless `digest` is that of the file on disk, or `force` is set; the digest of a new file is "".
 * `watch` reports the file at once and then after each change, our own included; it never ends, and keeps one of the
 * six connections that a browser opens to a server, so a page watches only while it is visible.
 */
export interface Questions {
  hello: { in: Record<string, never>; out: Hello };

  games: { in: Record<string, never>; out: { games: Card[] } };
  open: { in: { name: string }; out: { name: string; text: string; digest: string } };
  begin: { in: { title: string; template?: string; extends?: string; like?: string }; out: { text: string } };
  save: { in: { name: string; text: string; digest: string; force?: boolean }; out: { digest: string } };
  watch: { in: { name: string }; out: Record<string, never>; part: { name: string; text: string; digest: string } };

  check: {
    in: { name: string; text: string; options: Options };
    out: { problems: Problem[]; options: Options; game: Description | null };
  };
  /** What each name means, also in rules with mistakes; `name` of mentions and `untyped` is a number among the names. */
  understand: {
    in: { name: string; text: string };
    out: {
      problems: Problem[];
      names: Meaning[];
      mentions: [source: string, line: number, column: number, name: number, declares: number][];
      untyped: [line: number, column: number, name: number][]; // where a type could be written and is not
      types: Record<string, string[]>; // and their values
    };
  };
  /**
   * What an editor shows of a text: for each line triples of two columns, from 0, and the number of a kind; the first and
   * the last line of each block that folds.  `read` reads the text first, so that all names have the kind of what they
   * mean; without it they have what was known of the last text of this name.
   */
  view: {
    in: { name: string; text: string; read: boolean };
    out: {
      kinds: string[];
      colours: number[][];
      folds: [first: number, last: number][];
      sections: { line: number; section: string; name: string }[];
    };
  };
  /** What can stand at a place, for what begins at a column of its line; the least rank fits best. */
  complete: {
    in: Place;
    out: { column: number; offers: { label: string; detail: string; text: string; code: string; rank: number }[] };
  };
  explain: {
    in: Place;
    out: { meaning: { line: number; column: number; end_column: number; code: string; lines: string[] } | null };
  };
  /** Where the name at a place stands, if it can have another one; `asked` is the failure if it cannot. */
  rename: { in: Place & { new: string }; out: { places: [line: number, column: number, length: number][] } };
  format: { in: { text: string }; out: { text: string | null; problems: Problem[] } };
  examples: { in: { game: string }; out: { examples: ExampleResult[] }; part: ExampleResult };
  example: { in: Where & { move: string; legal: boolean; title: string }; out: { text: string } };

  state: { in: Where; out: State };
  place: { in: { game: string; text: string }; out: { line: Line } };
  /**
   * A game with secrets that is played has a table: its line names it, and has no moves.  `sit` lays one, for people
   * where a text is empty; `move` is one of who looks and is to move; `reply` lets programs move until a person is asked,
   * or who looks notices something; `look` says who looks now, a person who is to move; `reveal` ends the secrets.  Of
   * the other questions about a line `state`, `analyse` and `why` have an answer, by what that person knows.
   */
  sit: { in: { game: string; seats: Record<string, string> }; out: State };
  move: { in: Where & { move: string }; out: State };
  reply: { in: Where & { seconds?: number }; out: State };
  look: { in: Where & { player: string }; out: State };
  reveal: { in: Where; out: { line: Line } };
  /** What the board looks like after each of these moves, where they change it; of at most 512 moves. */
  preview: { in: Where & { moves: string[] }; out: { previews: Preview[] } };
  why: { in: Where & { move?: string; cells?: string[]; values?: string[]; kind?: string }; out: Explanation };
  choose: { in: Where & { player: string; seconds?: number; seed?: number }; out: Thought; part: Thought };
  analyse: { in: Where & { seconds?: number; lines?: number }; out: Thought; part: Thought };
  perft: { in: Where & { depth: number }; out: { counts: Count[] }; part: Count };
  balance: { in: { game: string; games: number; player?: string }; out: Standing; part: Standing };

  sheet: { in: { game: string }; out: Sheet };
  clauses: { in: { game: string; kind: string }; out: { text: string } };
  query: {
    in: Where & { goal: string };
    out: { variables: string[]; answers: { values: string[]; cells: string[] }[]; more: boolean };
  };

  record: { in: Where & { players: Record<string, string> }; out: { text: string } };
  replay: {
    in: { text: string };
    out: { name: string; options: Options; line: Line; players: Record<string, string> };
  };
}

export type Question = keyof Questions;
export type In<Q extends Question> = Questions[Q]["in"];
export type Out<Q extends Question> = Questions[Q]["out"];
export type PartOf<Q extends Question> = Questions[Q] extends { part: infer P } ? P : never;

/** What went wrong; `kind` says whose fault it is.  `changed`: a file was written by somebody else since it was read. */
export interface Failure {
  kind: "asked" | "rules" | "illegal" | "gone" | "limit" | "cancelled" | "internal" | "changed";
  message: string;
}

export class AskError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

/** How a question is asked: `heard` gets each part, `signal` cancels. */
export interface How<Q extends Question> {
  heard?: (part: PartOf<Q>) => void;
  signal?: AbortSignal;
}

/** The one door between a page and whatever answers.  It rejects with `AskError`. */
export type Ask = <Q extends Question>(question: Q, asked: In<Q>, how?: How<Q>) => Promise<Out<Q>>;

/**
 * On the wire, each a line of JSON: any number of `{"part": …}`, then one `{"answer": …}` or `{"failure": …}`.
 */
export type Heard = { part: unknown } | { answer: unknown } | { failure: Failure };
