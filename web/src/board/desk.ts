/** What happens at the board and is no part of the game: where the pointer is, what is dragged, what slides. */

import { signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { State } from "../protocol.ts";
import type { Play, Step } from "../store/play.ts";
import { type Aim, aimAt, atBorder } from "./aims.ts";
import { type Motion, motion, STILL } from "./motion.ts";
import type { Steps } from "./steps.ts";
import { cellAt, type Direction, type Rect, type Spot, type View } from "./view.ts";

const MOST_PRESSED = 4;
const FAR = 6; // pixels from where a pointer went down: then it drags

export interface Drag {
  cell: string;
  x: number; // in the picture
  y: number;
}

interface Press {
  cell: string;
  pointer: number;
  x: number; // in the window
  y: number;
}

export class Desk {
  readonly cursor = signal<string | null>(null); // the cell that the keys are at
  readonly drag = signal<Drag | null>(null);
  readonly moving = signal<Motion>(STILL);
  readonly size = signal(0); // counts changes of size, upon which what lies beside cells is placed again
  readonly keys = signal(false); // the list of keys is open
  readonly focused = signal<string | null>(null); // the cell that has the focus of the keys
  readonly offered = signal(""); // the move of the menu that has it
  readonly aim = signal<Aim | null>(null); // what is meant by pointing between cells
  readonly steers = signal(false); // arrow keys move what can be moved
  private steps: Steps | null = null;
  private stepping = { game: "", decided: false };
  private readonly pressed: Direction[] = []; // arrow keys that came too early
  private aims: Aim[] = []; // all that can be meant so
  private pointer: { clientX: number; clientY: number } | null = null; // where a pointer hovers
  view: View | null = null;
  picture: SVGSVGElement | null = null;
  private press: Press | null = null;
  private dragged = false; // the click that follows means nothing
  private shown: Step | null = null;

  constructor(private readonly play: Play) {}

  /** The cell under the pointer. */
  get over(): Play["over"] {
    return this.play.over;
  }

  /** The cell under a place in the window. */
  cellUnder(event: { clientX: number; clientY: number }): Spot | null {
    const [x, y] = this.inPicture(event);
    return this.view && cellAt(this.view, x, y);
  }

  private inPicture(event: { clientX: number; clientY: number }): [number, number] {
    const matrix = this.picture?.getScreenCTM();
    if (!matrix) return [0, 0];
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return [x, y];
  }

  /** The steps that arrow keys mean here, null until they are known; the first position of a game decides if they do. */
  canStep(game: string, steps: Steps | null): void {
    if (this.stepping.game !== game) {
      this.stepping = { game, decided: false };
      this.steers.value = false;
    }
    if (steps && !this.stepping.decided) {
      this.stepping.decided = true;
      this.steers.value = steps.size > 0;
    }
    this.steps = steps;
    if (steps) this.go(this.pressed.shift());
  }

  /** An arrow key; false where it has another meaning.  A key that comes too early waits for its position. */
  arrow(key: string): boolean {
    const way = (["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"] as const).find((name) => name === key);
    if (!way || !this.steers.value) return false;
    if (this.steps) this.go(way);
    else if (this.pressed.length < MOST_PRESSED) this.pressed.push(way);
    return true;
  }

  private go(way: Direction | undefined): void {
    const move = way && this.steps?.get(way);
    if (!move) return;
    this.steps = null;
    void this.play.play(move);
  }

  /** What one can aim at in this position; a pointer may be there already. */
  canAim(aims: Aim[]): void {
    this.aims = aims;
    if (this.pointer) this.aim.value = this.aimUnder(this.pointer);
  }

  /** What is aimed at here, where something can be. */
  aimUnder(event: { clientX: number; clientY: number }): Aim | null {
    return this.view && this.aims.length ? aimAt(this.view, this.aims, ...this.inPicture(event)) : null;
  }

  /** True where one aims at nothing, and yet so near to the border of a cell that none is meant. */
  missesCells(event: { clientX: number; clientY: number }): boolean {
    return this.view !== null && this.aims.length > 0 && atBorder(this.view, ...this.inPicture(event));
  }

  /** Where a cell is in the window, or a thing beside the board. */
  rectOf(cell: string): Rect | null {
    const matrix = this.picture?.getScreenCTM();
    const spot = this.view?.at.get(cell);
    if (!spot) return document.querySelector(`[data-place="${CSS.escape(cell)}"]`)?.getBoundingClientRect() ?? null;
    if (!matrix || !this.view) return null;
    const side = this.view.unit * matrix.a;
    const { x, y } = new DOMPoint(spot.x, spot.y).matrixTransform(matrix);
    return { left: x - side / 2, top: y - side / 2, width: side, height: side };
  }

  // ---------------------------------------------------------------------------------------------- pointers

  /** What would be dragged from here, if anything is. */
  down(event: PointerEvent): void {
    const cell = event.button === 0 && event.isPrimary ? this.cellUnder(event)?.name : undefined;
    this.dragged = false;
    this.press = cell ? { cell, pointer: event.pointerId, x: event.clientX, y: event.clientY } : null;
  }

  move(event: PointerEvent, may: boolean): void {
    this.over.value = this.cellUnder(event)?.name ?? null;
    if (event.pointerType !== "touch") {
      this.pointer = may && !this.drag.value ? event : null;
      this.aim.value = this.pointer && this.aimUnder(event);
    }
    const { press } = this;
    if (!press || press.pointer !== event.pointerId || !may) return;
    if (!this.dragged) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < FAR || !this.drags(press.cell)) return;
      this.dragged = true;
      this.picture?.setPointerCapture(event.pointerId);
      this.play.hold(press.cell);
    }
    const [x, y] = this.inPicture(event);
    this.drag.value = { cell: press.cell, x, y };
  }

  /** Only what lies on a cell is dragged, and nothing that a click alone would play. */
  private drags(cell: string): boolean {
    const there = this.play.state.value?.looks[cell] !== undefined;
    return there && (!this.play.begins.value.has(cell) || this.play.after([cell]).size > 0);
  }

  up(event: PointerEvent): void {
    const from = this.drag.value?.cell;
    const to = this.cellUnder(event)?.name;
    this.give();
    if (from && to && to !== from) void this.play.drop(from, to);
  }

  /** Ends a drag without a move. */
  give(): void {
    this.press = null;
    this.drag.value = null;
  }

  leave(event: PointerEvent): void {
    this.over.value = null;
    this.pointer = null;
    if (event.pointerType !== "touch") this.aim.value = null;
  }

  /** True for a click that is the end of a drag. */
  get endsDrag(): boolean {
    const ends = this.dragged;
    this.dragged = false;
    return ends;
  }

  // ---------------------------------------------------------------------------------------------- motion

  /** Lets slide what differs from the position before, if that is next to this one in the tree. */
  follow(step: Step | null): void {
    const before = this.shown;
    this.shown = step;
    this.aim.value = null;
    const found = before && step && still() === false ? between(before, step) : STILL;
    this.moving.value = found;
    if (found !== STILL) {
      setTimeout(() => {
        if (this.moving.value === found) this.moving.value = STILL;
      }, SLIDE);
    }
  }
}

export const SLIDE = 160; // ms, as --quick

function still(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function between(before: Step, after: Step): Motion {
  if (!before.state || !after.state) return STILL;
  const [upper, lower] = leads(before, after) ? [before.state, after.state] : [after.state, before.state];
  if (!leads(before, after) && !leads(after, before)) return STILL;
  return motion(before.state, after.state, playedSince(upper, lower));
}

/** True if moves were played from one to the other. */
function leads(from: Step, to: Step): boolean {
  for (let step = to.parent; step; step = step.parent) if (step === from) return true;
  return false;
}

function playedSince(from: State, to: State): State["played"] {
  return to.played.slice(from.played.length);
}

export const DeskContext = createContext<Desk | null>(null);

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (!desk) throw new Error("there is no desk around this part");
  return desk;
}
