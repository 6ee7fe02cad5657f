import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { aimAt, aimed, aimOf, atBorder } from "../src/board/aims.ts";
import { bodies, motion, sides } from "../src/board/motion.ts";
import { coloursOf, dotsOf, dotted } from "../src/board/pattern.ts";
import { stepsOf } from "../src/board/steps.ts";
import { cellAt, type Placed, placed, type Rect, steady, towards, turnedText, viewOf } from "../src/board/view.ts";
import { holdingOf, labelOf, newsOf, reasonOf, refusalOf, sinceOwn } from "../src/board/words.ts";
import type { Board, Description, Look, Move, Part, Played, Preview, Reason, State } from "../src/protocol.ts";
import { NAMES, paintOf } from "../src/rail/paint.ts";

// ------------------------------------------------------------------------------------------------ places

function board(cells: [name: string, x: number, y: number][]): Board {
  const named = cells.map(([name, x, y]) => ({ name, x, y, column: x, row: y, parts: [], label: "" }));
  const none = { sites: [], below: [], under: [], between: [], above: [] };
  return { box: [0, 0, 200, 100], form: "square", points: false, cells: named, ...none };
}

const SQUARES = board([
  ["a1", 50, 90],
  ["b1", 110, 90],
  ["a2", 50, 30],
  ["b2", 110, 30],
]);

test("the cell under a place is the nearest one, and none far from the board", () => {
  const view = viewOf(SQUARES, false);
  assert.equal(view.unit, 60);
  assert.equal(cellAt(view, 79, 61)?.name, "a1");
  assert.equal(cellAt(view, 81, 59)?.name, "b2");
  assert.equal(cellAt(view, 200, 30), null);
});

test("a window shows some cells, also from the other side, and does not shrink while it is large enough", () => {
  const window = (...cells: string[]) => ({ box: [20, 0, 120, 60] as Board["box"], cells, rim: ["b2"], above: [] });
  const upper = window("a2", "b2");
  const view = viewOf(SQUARES, false, new Map(), upper);
  assert.deepEqual(
    view.spots.map(({ name, fades }) => [name, fades]),
    [
      ["a2", false],
      ["b2", true],
    ],
  );
  assert.equal(view.box, upper.box);
  assert.deepEqual([viewOf(SQUARES, true, new Map(), upper).at.get("a2")?.x, view.at.get("a2")?.x], [110, 50]);
  assert.equal(steady(upper, window("a2")), upper);
  const other = window("a1");
  assert.equal(steady(upper, other), other);
  assert.equal(steady(null, other), other);
  assert.equal(steady(upper, null), null);
});

test("squares that touch at their corners alone are as wide as others", () => {
  const board = (spots: [string, number, number][]) =>
    viewOf(
      {
        ...SQUARES,
        cells: SQUARES.cells
          .slice(0, spots.length)
          .map((cell, at) => ({ ...cell, name: spots[at]![0], x: spots[at]![1], y: spots[at]![2] })),
      },
      false,
    );
  assert.equal(
    board([
      ["a1", 0, 0],
      ["b2", 60, -60],
      ["c1", 120, 0],
    ]).unit,
    60,
  );
});

test("a board that is turned round shows the cells on the other side", () => {
  const view = viewOf(SQUARES, true);
  assert.deepEqual([view.at.get("a1")?.x, view.at.get("a1")?.y], [150, 10]);
  assert.equal(cellAt(view, 150, 10)?.name, "a1");
});

test("a text turns its place and stays upright", () => {
  const text: Part = ["text", { x: 20, y: 35.5, "font-size": 100 }, "a"];
  const [, , , inside] = turnedText(["g", {}, "", [text]], [0, 0, 200, 100]);
  assert.deepEqual(inside, [["text", { x: 180, y: 135.5, "font-size": 100 }, "a"]]);
});

test("an arrow key leads to the nearest cell on its side", () => {
  const view = viewOf(SQUARES, false);
  assert.equal(towards(view, "a1", "ArrowRight")?.name, "b1");
  assert.equal(towards(view, "a1", "ArrowUp")?.name, "a2");
  assert.equal(towards(view, "a1", "ArrowLeft"), null);
  const hexagons = viewOf(
    board([
      ["low", 60, 100],
      ["left", 30, 48],
      ["right", 90, 48],
      ["top", 60, -4],
    ]),
    false,
  );
  assert.ok(["left", "right"].includes(towards(hexagons, "low", "ArrowUp")!.name));
  assert.equal(towards(hexagons, "left", "ArrowRight")?.name, "right");
});

const WINDOW: Rect = { left: 0, top: 0, width: 400, height: 600 };

function inside(place: Placed, width: number): boolean {
  const { left, top, height } = place;
  return left >= 0 && top >= 0 && left + width <= WINDOW.width && top + height <= WINDOW.height;
}

test("a bubble lies within the window and not over its cell, wherever that is", () => {
  for (let x = 0; x <= 360; x += 40)
    for (let y = 0; y <= 560; y += 40)
      for (const size of [
        { width: 120, height: 80 },
        { width: 368, height: 260 },
        { width: 368, height: 900 },
      ]) {
        const cell = { left: x, top: y, width: 40, height: 40 };
        const place = placed(cell, size, WINDOW);
        assert.ok(inside(place, size.width), JSON.stringify([cell, size, place]));
        const apart =
          place.left >= x + 40 || place.left + size.width <= x || place.top >= y + 40 || place.top + place.height <= y;
        assert.ok(apart, JSON.stringify([cell, size, place]));
      }
});

test("a bubble points at the middle of its cell", () => {
  const place = placed({ left: 200, top: 100, width: 40, height: 40 }, { width: 100, height: 50 }, WINDOW);
  assert.deepEqual([place.side, place.left + place.tip, place.top], ["below", 220, 150]);
});

test("a bubble leaves to be seen what it speaks of, where it can", () => {
  const rect = (left: number, top: number) => ({ left, top, width: 40, height: 40 });
  const size = { width: 150, height: 80 };
  assert.equal(placed(rect(180, 200), size, WINDOW, [rect(180, 260)]).side, "above");
  assert.equal(placed(rect(180, 200), size, WINDOW, [rect(180, 260), rect(180, 140)]).side, "right");
  assert.equal(placed(rect(180, 200), size, WINDOW, [rect(180, 260), rect(180, 140), rect(240, 200)]).side, "left");
});

// ------------------------------------------------------------------------------------------------ patterns

test("players of colours that are alike in lightness differ by dots, others do not", () => {
  assert.deepEqual(
    [...dotsOf(["#c0392b", "#2b62ad"])],
    [
      ["#c0392b", 0],
      ["#2b62ad", 1],
    ],
  );
  assert.equal(dotsOf(["#2a2a2a", "#fbfaf6"]).size, 0);
  assert.equal(dotsOf(["#c0392b", ""]).size, 0);
});

test("where players have no colours, the discs have dots, whichever of them is seen first", () => {
  const disc = (fill: string): Look => ({ label: "disc", parts: [["g", {}, "", [["circle", { fill }]]]] });
  const star: Look = { label: "star", parts: [["polygon", { fill: "#e3b92f" }]] };
  const nobody = [
    { name: "Offence", colour: "" },
    { name: "Defence", colour: "" },
  ];
  const first = coloursOf(nobody, { a1: disc("#c0392b"), b1: disc("#2b62ad"), c1: star }, []);
  assert.deepEqual(first, ["#2b62ad", "#c0392b"]);
  assert.deepEqual(coloursOf(nobody, { a1: disc("#123456") }, first), [...first, "#123456"]);
  const colours = nobody.map((player, place) => ({ ...player, colour: ["#2a2a2a", "#fbfaf6"][place]! }));
  assert.deepEqual(coloursOf(colours, { a1: disc("#c0392b") }, []), ["#2a2a2a", "#fbfaf6"]);
});

test("a dot lies in the middle of a piece, in the corner of a ground, and not below words", () => {
  const dots = dotsOf(["#c0392b", "#2b62ad"]);
  const [red, blue]: Part[] = [
    ["circle", { fill: "#c0392b" }],
    ["circle", { fill: "#2b62ad" }],
  ] as [Part, Part];
  const ground: Part = ["rect", { fill: "#2b62ad", width: 58 }];
  const words: Part = ["text", {}, "3"];
  assert.deepEqual(dotted([red], dots, 60), [red]);
  assert.deepEqual(dotted([blue], dots, 60).at(-1), ["circle", { cx: 0, cy: 0, r: 4.5, class: "dot" }]);
  assert.deepEqual(dotted([blue, words], dots, 60), [blue, words]);
  assert.equal(dotted([ground, words], dots, 60).length, 3);
});

// ------------------------------------------------------------------------------------------------ motion

const RED: Part = ["circle", { fill: "red" }];
const BLUE: Part = ["circle", { fill: "blue" }];
const LAND: Part = ["rect", { fill: "green" }];

function state(looks: Record<string, Part[]>): State {
  const drawn = Object.entries(looks).map(([cell, parts]): [string, Look] => [
    cell,
    { parts: [["g", { class: "pieces" }, "", parts]], label: "" },
  ]);
  return { looks: Object.fromEntries(drawn), played: [], mover: "Red", outcome: null } as unknown as State;
}

function played(cells: string[], goal: string | null = null) {
  return { player: "Red", text: "", written: cells.join("-"), cells, goal, landed: [], left: [], turn: 1 };
}

test("what left a cell and appeared on another one slides, what is captured is gone", () => {
  const found = motion(state({ a: [RED], b: [BLUE] }), state({ b: [RED] }), [played(["a", "b"])]);
  assert.deepEqual(found, {
    slides: [{ from: "a", to: "b", parts: [RED] }],
    gone: [{ cell: "b", parts: [BLUE] }],
  });
});

test("of pieces that look alike the one slides that the move names", () => {
  const [before, after] = [state({ a: [RED], b: [RED] }), state({ c: [RED] })];
  assert.deepEqual(motion(before, after, [played(["b"], "c")]).slides, [{ from: "b", to: "c", parts: [RED] }]);
});

test("the ground below a piece stays where it is", () => {
  const [before, after] = [state({ a: [LAND, RED], b: [LAND] }), state({ a: [LAND], b: [LAND, RED] })];
  assert.deepEqual(motion(before, after, [played(["a", "b"])]), {
    slides: [{ from: "a", to: "b", parts: [RED] }],
    gone: [],
  });
});

test("a pile that is sown slides to every cell that it reaches", () => {
  const pile = (count: string): Part[] => [RED, ["text", {}, count]];
  const found = motion(state({ a: pile("3") }), state({ b: pile("1"), c: pile("2") }), [played(["a"])]);
  assert.deepEqual(
    found.slides.map((slide) => [slide.from, slide.to]),
    [
      ["a", "b"],
      ["a", "c"],
    ],
  );
});

test("a new piece slides from nowhere", () => {
  assert.deepEqual(motion(state({}), state({ a: [RED] }), [played(["a"])]), { slides: [], gone: [] });
});

// ------------------------------------------------------------------------------------------------ words

function demand(holds: boolean, reason: string | null, parts: Reason[] = []): Reason {
  return { holds, text: "", line: 1, reason, values: [], parts };
}

test("the author's words come first, from within a demand if it has none of its own", () => {
  const explanation = (demands: Reason[]) => ({
    move: "",
    legal: false,
    note: "no move names z",
    kinds: [{ kind: "", demands }],
  });
  assert.equal(reasonOf(explanation([demand(true, "holds"), demand(false, "too far")])), "too far");
  assert.equal(reasonOf(explanation([demand(false, null, [demand(false, "blocked")])])), "blocked");
  assert.equal(reasonOf(explanation([demand(false, null)])), "no move names z");
  assert.equal(reasonOf({ ...explanation([]), kinds: [] }), "no move names z");
});

test("the news are the last move and whose turn it is, or how it ended", () => {
  assert.equal(newsOf(state({})), "Red to move.");
  const after = { ...state({}), played: [played(["a", "b"])], mover: "Blue" };
  assert.equal(newsOf(after), "Red played a-b. Blue to move.");
  const fell = (roll: number[]) => newsOf({ ...after, played: [{ ...played(["a", "b"]), written: "6", roll }] });
  assert.deepEqual([fell([6]), fell([])], ["Red rolled 6. Blue to move.", "By chance: 6. Blue to move."]);
  const unread = { ...after, played: [{ ...played(["a", "b"]), written: "" }] };
  assert.equal(newsOf(unread), "Red has moved. Blue to move.");
  const over = { ...after, outcome: { winner: "Red", text: "The winner: Red (all is won)", reason: "", line: 3 } };
  assert.equal(newsOf(over), "Red played a-b. The winner: Red (all is won)");
});

test("a cell whose content is not seen is told in words", () => {
  const signs = { held: false, target: false, begins: false };
  const hidden = { ...state({}), looks: { a1: { parts: [], label: "?" } } };
  assert.equal(labelOf({ name: "a1", label: "" }, hidden, signs), "a1, not seen");
});

test("what is held is told with the cells to go on to, the first of them by name", () => {
  assert.equal(holdingOf(["e2"], ["e3", "e4"]), "e2 held. It can go on to e3, e4.");
  assert.equal(holdingOf(["e2"], []), "e2 held.");
  assert.equal(holdingOf(["a"], [..."bcdefghijk"]), "a held. It can go on to b, c, d, e, f, g, h, i and 2 more.");
});

test("a refusal is told with its reason", () => {
  const explanation = { move: "", legal: false, note: "no move leads there", kinds: [] };
  assert.equal(refusalOf(["e2", "e5"], explanation), "e2 to e5 is not legal. no move leads there");
});

test("players have the colours of their pieces, which are brighter in the dark", () => {
  const styles = readFileSync(new URL("../src/styles/page.css", import.meta.url), "utf8");
  for (const [colour, name] of Object.entries(NAMES))
    assert.match(styles, RegExp(`--${name}: light-dark\\(${colour}, `));
  assert.equal(paintOf("#c0392b"), "var(--red)");
  assert.equal(paintOf("#123456"), "#123456");
});

// ------------------------------------------------------------------------------------------------ edges and corners

const WALL: Part = ["g", { class: "side", transform: "translate(30 -30)" }, "", [["rect", { width: 110 }]]];

test("what lies at a corner is no piece, and lies at the other corner of a turned board", () => {
  const look = { parts: [["g", { class: "pieces" }, "", [RED, WALL]] as Part], label: "" };
  assert.deepEqual(bodies(look), [RED]);
  assert.deepEqual(sides(look, false), [WALL]);
  assert.equal(sides(look, true)[0]?.[1].transform, "translate(-30 30)");
});

// ------------------------------------------------------------------------------------------------ the last moves

function turns(...players: string[]): Played[] {
  return players.map((player, number) => ({ ...played([`${number}`]), player, turn: number + 1 }));
}

test("what all others have done since one's own last move is the last move", () => {
  const seen = (mover: string, moves: Played[], began = moves.length) =>
    sinceOwn({ ...state({}), mover, played: moves, turn_began: began }).map(({ cells }) => cells[0]);
  assert.deepEqual(seen("Red", turns("Red", "Blue", "Green")), ["1", "2"]);
  assert.deepEqual(seen("Blue", turns("Red")), ["0"]);
  assert.deepEqual(seen("Red", turns("Red", "Blue", "Red", "Red"), 2), ["3"]); // within the own turn
  assert.deepEqual(seen("Keeper", turns("Keeper", "Keeper")), ["1"]); // a puzzle
  assert.deepEqual(seen("Red", []), []);
});

// ------------------------------------------------------------------------------------------------ aiming

/** A wall whose middle is the northeastern corner of its cell. */
function wall(turn: number): Look {
  const rect: Part = ["rect", { x: -55, y: -4, width: 110, height: 8, ...(turn && { transform: `rotate(${turn})` }) }];
  const side: Part = ["g", { class: "side", transform: "translate(30 -30)" }, "", [rect]];
  return { parts: [["g", { class: "pieces" }, "", [side]]], label: "" };
}

function puts(move: string, cell: string, look: Look): Preview {
  return { move, landed: [cell], left: [], looks: { [cell]: look } };
}

test("of walls the one is meant whose line is nearest, and none from the middle of a cell", () => {
  const view = viewOf(SQUARES, false); // the walls have their middle at 80, 60
  const previews = [puts("a1h", "a1", wall(0)), puts("a1v", "a1", wall(90))];
  const aims = previews.flatMap((preview) => aimOf(view, state({}), preview) ?? []);
  assert.deepEqual(
    aims.map(({ move, ends }) => [move, ends.map((end) => end.map(Math.round))]),
    [
      [
        "a1h",
        [
          [25, 60],
          [135, 60],
        ],
      ],
      [
        "a1v",
        [
          [80, 5],
          [80, 115],
        ],
      ],
    ],
  );
  assert.equal(aimAt(view, aims, 50, 65)?.move, "a1h");
  assert.equal(aimAt(view, aims, 84, 90)?.move, "a1v");
  assert.equal(aimAt(view, aims, 86, 62)?.move, "a1h");
  assert.equal(aimAt(view, aims, 82, 68)?.move, "a1v");
  assert.equal(aimAt(view, aims, 50, 90), null);
  assert.equal(atBorder(view, 50, 90), false);
  assert.equal(atBorder(view, 77, 90), true);
});

test("on a board that is turned round a wall lies on the other side", () => {
  const view = viewOf(SQUARES, true);
  const found = aimOf(view, state({}), puts("a1h", "a1", wall(0)));
  assert.deepEqual(
    found?.ends.map((end) => end.map(Math.round)),
    [
      [65, 40],
      [175, 40],
    ],
  );
});

test("what moves, or lies in a cell, is not aimed at", () => {
  const view = viewOf(SQUARES, false);
  const disc: Look = { parts: [["g", { class: "pieces" }, "", [RED]]], label: "" };
  assert.equal(aimOf(view, state({}), puts("a1", "a1", disc)), null);
  assert.equal(aimOf(view, state({}), { ...puts("a1h", "a1", wall(0)), left: ["b1"] }), null);
});

test("moves are aimed whose cell does not say all, where things can stand between cells", () => {
  const parameter = (name: string, values: string[]) => ({ name, type: "", values });
  const kinds = [
    { name: "step", text: "", line: 1, parameters: [parameter("to", [])] },
    { name: "build", text: "", line: 2, parameters: [parameter("c", []), parameter("way", ["h", "v"])] },
  ];
  const game = { kinds, walls: true } as unknown as Description;
  const moves = ["step", "build"].map((kind) => ({ kind, text: kind, cells: ["a1"] }) as unknown as Move);
  assert.deepEqual(
    aimed(game, moves).map(({ kind }) => kind),
    ["build"],
  );
  assert.deepEqual(aimed({ ...game, walls: false }, moves), []);
});

// ------------------------------------------------------------------------------------------------ steps

function step(move: string, left: string[], landed: string[]): Preview {
  return { move, left, landed, looks: {} };
}

test("arrow keys mean the steps of one thing, or into one gap, and nothing else", () => {
  const view = viewOf(SQUARES, false);
  const walks = [step("north", ["a1"], ["a2"]), step("east", ["a1"], ["b1"])];
  assert.deepEqual(
    [...stepsOf(view, walks)],
    [
      ["ArrowUp", "north"],
      ["ArrowRight", "east"],
    ],
  );
  assert.deepEqual(
    [...stepsOf(viewOf(SQUARES, true), walks)],
    [
      ["ArrowDown", "north"],
      ["ArrowLeft", "east"],
    ],
  );
  const gap = [step("a1", ["a1"], ["b1"]), step("b2", ["b2"], ["b1"])];
  assert.deepEqual(
    [...stepsOf(view, gap)],
    [
      ["ArrowRight", "a1"],
      ["ArrowDown", "b2"],
    ],
  );
  assert.equal(stepsOf(view, [step("a1", ["a1"], ["b1"]), step("b2", ["b2"], ["a2"])]).size, 0); // two pieces
  assert.equal(stepsOf(view, [...walks, step("far", ["a1"], ["b2"])]).size, 0); // aslant
  assert.equal(stepsOf(view, [...walks, step("also north", ["a1"], ["a2"])]).size, 0); // which one?
  assert.equal(stepsOf(view, [step("jump", ["a1", "b1"], ["a2"])]).size, 0);
});
