/** The board as a picture that can be played on. */

import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { MOST_PREVIEWED } from "../generated/constants.ts";
import { drawn } from "../picture.ts";
import type { Description, Part, State, Window } from "../protocol.ts";
import { paintOf } from "../rail/paint.ts";
import { usePage } from "../store/page.ts";
import type { Play } from "../store/play.ts";
import { aimed, aimOf } from "./aims.ts";
import { Arrows } from "./arrows.tsx";
import { Cells } from "./cells.tsx";
import { type Desk, SLIDE, useDesk } from "./desk.ts";
import { bodies, type Slide, sides } from "./motion.ts";
import { coloursOf, type Dots, dotsOf, dotted } from "./pattern.ts";
import { stepsOf } from "./steps.ts";
import { isGround, type Spot, steady, turnedText, type View, viewOf } from "./view.ts";
import { sinceOwn } from "./words.ts";

const MOST_STEPS = 4; // one for each arrow key

export function Picture({ game, state }: { game: Description; state: State }) {
  const page = usePage();
  const { play } = page;
  const desk = useDesk();
  const svg = useRef<SVGSVGElement>(null);
  const flipped = play.flipped.value;
  const dots = useDots(game, state);
  const shown = useWindow(game, state);
  const view = useMemo(() => viewOf(game.board, flipped, dots, shown), [game, flipped, dots, shown]);
  const measure = () => {
    const picture = svg.current;
    const scale = picture?.getScreenCTM()?.a ?? 1;
    picture?.style.setProperty("--scale", String(scale));
    const empty = (picture?.clientHeight ?? 0) - scale * (picture?.viewBox.baseVal.height ?? 0); // of a wide board
    picture?.closest<HTMLElement>(".board")?.style.setProperty("--below", `${Math.max(0, Math.floor(empty / 2))}px`);
    desk.size.value += 1;
  };
  useLayoutEffect(() => {
    desk.view = view;
    desk.picture = svg.current;
    measure();
  }, [view]);
  useEffect(() => {
    const watched = new ResizeObserver(measure);
    watched.observe(svg.current!);
    return () => watched.disconnect();
  }, []);
  const aimable = useAims(game, state, view);
  useSteps(game, state, view);
  const act = (event: MouseEvent) => {
    if (desk.endsDrag) return;
    if (page.waits && aims(desk, play, event)) return;
    // Where there are edges or corners, the nearest place is meant.
    const nearest = desk.cellUnder(event)?.name;
    const cell = (game.board.sites.length ? nearest : null) ?? cellOf(event.target) ?? nearest;
    if (!cell) play.release();
    else if (page.waits) void play.click(cell, true);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys come to the cells
    <svg
      ref={svg}
      class="picture"
      viewBox={view.box.join(" ")}
      role="grid"
      aria-label={`Board of ${game.title}`}
      data-waits={page.waits}
      data-aims={aimable}
      data-steers={desk.steers.value}
      onPointerDown={(event) => desk.down(event)}
      onPointerMove={(event) => desk.move(event, page.waits)}
      onPointerUp={(event) => desk.up(event)}
      onPointerCancel={() => desk.give()}
      onPointerLeave={(event) => desk.leave(event)}
      onClick={act}
    >
      <Ground view={view} board={game.board} />
      <LastMove view={view} state={state} />
      <Pointed view={view} />
      <g aria-hidden="true" {...(view.turned && { transform: turn(view) })}>
        {drawn(state.ties)}
      </g>
      <Things view={view} state={state} between={game.board.between} />
      <Marks view={view} state={state} />
      <Ghost view={view} state={state} />
      <Signs view={view} state={state} />
      <g aria-hidden="true">
        <Arrows view={view} state={state} />
      </g>
      <Hint view={view} />
      <Moving view={view} />
      <Cells view={view} state={state} />
      <Dragged view={view} state={state} />
    </svg>
  );
}

/** Finds out what one can aim at here; how many moves that are. */
function useAims(game: Description, state: State, view: View): number {
  const page = usePage();
  const { previews, aimed: signal } = page.play;
  const desk = useDesk();
  const moves = useMemo(
    () => (page.waits ? aimed(game, state.moves).slice(0, MOST_PREVIEWED) : []),
    [game, state, page.waits],
  );
  useEffect(() => void previews.want(moves.map(({ text }) => text)), [moves]);
  const known = moves.flatMap(({ text }) => previews.of(text) ?? []);
  const found = useMemo(
    () => known.flatMap((preview) => aimOf(view, state, preview) ?? []),
    [view, state, known.length],
  );
  const coming = moves.filter(({ text }) => !previews.of(text) && previews.comes(text)); // no click means them meanwhile
  useLayoutEffect(() => {
    desk.canAim(found);
    signal.value = new Set([...found.map(({ move }) => move), ...coming.map(({ text }) => text)]);
  }, [found, coming.length]);
  return found.length;
}

/** Finds out whether arrow keys can move something in a puzzle. */
function useSteps(game: Description, state: State, view: View): void {
  const page = usePage();
  const { previews } = page.play;
  const desk = useDesk();
  const few = game.players.length === 1 && page.waits && state.moves.length <= MOST_STEPS;
  const texts = useMemo(() => (few ? state.moves.map(({ text }) => text) : []), [few, state]);
  useEffect(() => void previews.want(texts), [texts]);
  const known = texts.flatMap((text) => previews.of(text) ?? []);
  const whole = known.length === texts.length || texts.some((text) => !previews.comes(text));
  useLayoutEffect(() => {
    if (page.waits) desk.canStep(game.id, whole ? stepsOf(view, known) : null);
  }, [game, state, view, whole]);
}

/** A click between cells plays what it is aimed at; a finger is less sure, and does so when it comes a second time. */
function aims(desk: Desk, play: Play, event: MouseEvent): boolean {
  const aim = desk.aimUnder(event);
  if (!aim) {
    desk.aim.value = null;
    return desk.missesCells(event);
  }
  const sure = (event as PointerEvent).pointerType !== "touch" || desk.aim.value?.move === aim.move;
  play.release();
  desk.aim.value = aim;
  if (sure) void play.play(aim.move);
  return true;
}

/** The part of the board that is shown: what this game has used, also where one goes back in it; or all. */
function useWindow(game: Description, state: State): Window | null {
  const { play } = usePage();
  const seen = useRef({ game: game.id, window: null as Window | null });
  const goesOn = seen.current.game === game.id && state.line.moves.length > 0;
  seen.current = { game: game.id, window: goesOn ? steady(seen.current.window, state.window) : state.window };
  return play.whole.value ? null : seen.current.window;
}

/** The dots of a game; a colour that comes into play later leaves those of the others as they are. */
function useDots(game: Description, state: State): Dots {
  const seen = useRef({ game: game.id, colours: [] as string[] });
  const before = seen.current.game === game.id ? seen.current.colours : [];
  const colours = coloursOf(game.players, state.looks, before);
  seen.current = { game: game.id, colours };
  return useMemo(() => dotsOf(colours), [colours.join()]);
}

function cellOf(target: EventTarget | null): string | undefined {
  return target instanceof Element ? target.closest<SVGElement>("[data-cell]")?.dataset.cell : undefined;
}

/** Turns what has its own places in the picture round the middle of it. */
function turn({ box }: View): string {
  return `rotate(180 ${box[0] + box[2] / 2} ${box[1] + box[3] / 2})`;
}

function moveTo(spot: { x: number; y: number }): string {
  return `translate(${spot.x} ${spot.y})`;
}

// ------------------------------------------------------------------------------------------------ layers

/** What is the same in every position. */
function Ground({ view, board }: { view: View; board: Description["board"] }) {
  return useMemo(() => {
    return (
      <g aria-hidden="true">
        <g {...(view.turned && { transform: turn(view) })}>{drawn(board.below)}</g>
        {view.spots.map((spot) => (
          <g key={spot.name} transform={moveTo(spot)} {...(spot.fades && { class: "fades" })}>
            {drawn(spot.parts)}
          </g>
        ))}
        <g {...(view.turned && { transform: turn(view) })}>{drawn(board.under)}</g>
        <g style={{ "--given": `${fontOf(view.above)}px` }}>
          {drawn(view.turned ? view.above.map((part) => turnedText(part, view.box)) : view.above)}
        </g>
      </g>
    );
  }, [view, board]);
}

/** The size of the first text, which all of them have. */
function fontOf(parts: Part[]): number {
  for (const [tag, attributes, , inside] of parts) {
    const size = tag === "text" ? Number(attributes["font-size"]) : fontOf(inside ?? []);
    if (size) return size;
  }
  return 0;
}

/** The outline of a cell, to be filled or drawn in another way. */
export function Outline({ view, spot, of }: { view: View; spot: Spot; of: string }) {
  const [tag, attributes] = spot.parts[0] ?? ["circle", {}];
  const shape: Part = view.points
    ? ["circle", { cx: 0, cy: 0, r: (of === "last" ? 0.6 : 0.51) * view.unit, class: of }] // is seen around a large stone
    : [tag, { ...attributes, class: of, fill: "none", stroke: "none" }];
  return <g transform={moveTo(spot)}>{drawn([shape])}</g>;
}

/** What has changed since the player to move moved last: strong where something has come, pale where it has left. */
function LastMove({ view, state }: { view: View; state: State }) {
  const moves = sinceOwn(state);
  const landed = new Set(moves.flatMap((move) => move.landed));
  const left = new Set(moves.flatMap((move) => move.left).filter((place) => !landed.has(place)));
  const isWall = ({ name }: Spot) => sides(state.looks[name], false).length > 0 && !bodies(state.looks[name]).length;
  const spots = spotsOf(view, landed);
  return (
    <g aria-hidden="true">
      {spotsOf(view, left).map((spot) => (
        <Outline key={spot.name} view={view} spot={spot} of="last left" />
      ))}
      {spots.map((spot) =>
        isWall(spot) ? (
          <g key={spot.name} class="last wall" transform={moveTo(spot)}>
            {drawn(sides(state.looks[spot.name], view.turned))}
          </g>
        ) : (
          <Outline key={spot.name} view={view} spot={spot} of="last" />
        ),
      )}
    </g>
  );
}

/** What a click would do, half transparent: what it puts where something lies already is seen by other signs. */
function Ghost({ view, state }: { view: View; state: State }) {
  const page = usePage();
  const { play } = page;
  const desk = useDesk();
  const pointed = desk.over.value ?? desk.focused.value;
  const quiet = !page.waits || desk.drag.value !== null;
  const text = quiet ? "" : (desk.aim.value?.move ?? (desk.offered.value || (pointed && play.meant(pointed)) || ""));
  useEffect(() => {
    if (text) void play.previews.want([text]);
  }, [text, state]);
  const preview = text ? play.previews.of(text) : undefined;
  if (!preview) return null;
  const places = preview.landed.filter((name) => !preview.left.length || !bodies(state.looks[name]).length);
  return (
    <g class="ghost" aria-hidden="true">
      {spotsOf(view, places).map((spot) => {
        const [now, then] = [state.looks[spot.name], preview.looks[spot.name] ?? undefined];
        const parts = [
          ...newIn(bodies(now), bodies(then)),
          ...newIn(sides(now, view.turned), sides(then, view.turned)),
        ];
        return (
          <g key={spot.name} transform={moveTo(spot)}>
            {drawn(dotted(parts, view.dots, view.unit))}
          </g>
        );
      })}
    </g>
  );
}

/** The parts that come. */
function newIn(now: Part[], then: Part[]): Part[] {
  const known = new Set(now.map((part) => JSON.stringify(part)));
  return then.filter((part) => !known.has(JSON.stringify(part)));
}

function spotsOf(view: View, cells: Iterable<string>): Spot[] {
  return [...cells].flatMap((cell) => view.at.get(cell) ?? []);
}

/** What lies on the cells.  What slides is drawn elsewhere meanwhile, what has done its part of this turn is dim. */
function Things({ view, state, between }: { view: View; state: State; between: Part[] }) {
  const desk = useDesk();
  const { play } = usePage();
  const sliding = new Map(desk.moving.value.slides.map((slide) => [slide.to, slide]));
  const done = doneThisTurn(state, play.begins.value);
  const dragged = desk.drag.value?.cell;
  return (
    <g class="things" aria-hidden="true">
      {view.spots.map((spot) => {
        const look = state.looks[spot.name];
        if (!look) return null;
        const parts = withoutSlide(bodies(look), sliding.get(spot.name));
        const names = [done.has(spot.name) && "done", dragged === spot.name && "dragged"].filter(Boolean).join(" ");
        return (
          <g key={spot.name} transform={moveTo(spot)} class={names}>
            {drawn(dotted(parts, view.dots, view.unit))}
          </g>
        );
      })}
      <g {...(view.turned && { transform: turn(view) })}>{drawn(between)}</g>
      {view.spots.map((spot) => {
        const beside = sides(state.looks[spot.name], view.turned);
        if (!beside.length) return null;
        return (
          <g key={`${spot.name} beside`} transform={moveTo(spot)}>
            {drawn(beside)}
          </g>
        );
      })}
    </g>
  );
}

function withoutSlide(parts: Part[], slide: Slide | undefined): Part[] {
  if (!slide) return parts;
  const away = slide.parts.map((part) => JSON.stringify(part));
  return parts.filter((part) => {
    const place = away.indexOf(JSON.stringify(part));
    if (place >= 0) away.splice(place, 1);
    return place < 0;
  });
}

/**
 * The cells of this turn's moves from which nothing can be done any more, while the turn goes on; none where a move may
 * have shown a piece of another player.
 */
function doneThisTurn(state: State, begins: Set<string>): Set<string> {
  const now = state.played.slice(state.turn_began);
  const cells =
    state.outcome || state.veil ? [] : now.flatMap((move) => [...move.cells, ...(move.goal ? [move.goal] : [])]);
  return new Set(cells.filter((cell) => !begins.has(cell)));
}

/** Cells that an answer beside the board marks, or a text speaks of. */
function Pointed({ view }: { view: View }) {
  const { play, thinking } = usePage();
  const pointed = thinking.hinted.value ? [] : play.pointed.value;
  return (
    <g aria-hidden="true">
      {play.marked.value.flatMap((mark) =>
        spotsOf(view, mark.cells).map((spot) => (
          <Outline key={`${mark.text} ${spot.name}`} view={view} spot={spot} of="pointed" />
        )),
      )}
      {spotsOf(view, pointed).map((spot) => (
        <Outline key={spot.name} view={view} spot={spot} of="pointed" />
      ))}
    </g>
  );
}

/** A hint: an arrow along the cells of a move, or a ring around its only one. */
function Hint({ view }: { view: View }) {
  const { play, thinking } = usePage();
  const spots = thinking.hinted.value ? spotsOf(view, play.pointed.value) : [];
  const [last, before] = [spots.at(-1), spots.at(-2)];
  if (!last) return null;
  if (!before) return <circle class="hint" cx={last.x} cy={last.y} r={0.3 * view.unit} />;
  const [first, second] = [spots[0]!, spots[1]!];
  const begin = shortened(second, first, 0.25 * view.unit);
  const way = [begin, ...spots.slice(1, -1), shortened(before, last, 0.3 * view.unit)];
  return (
    <g class="hint" aria-hidden="true">
      <polyline points={way.map(({ x, y }) => `${x},${y}`).join(" ")} />
      <path d="M-16 -13 6 0 -16 13Z" transform={`${moveTo(way.at(-1)!)} rotate(${angle(before, last)})`} />
    </g>
  );
}

function shortened(from: Spot, to: Spot, by: number): { x: number; y: number } {
  const share = 1 - by / Math.hypot(to.x - from.x, to.y - from.y);
  return { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) };
}

function angle(from: Spot, to: Spot): number {
  return (180 / Math.PI) * Math.atan2(to.y - from.y, to.x - from.x);
}

/** What the rules mark. */
function Marks({ view, state }: { view: View; state: State }) {
  return (
    <g aria-hidden="true">
      {state.marks.map((mark) => (
        <g
          key={mark.text}
          class="mark"
          {...(view.turned && { transform: turn(view) })}
          style={{ stroke: paintOf(mark.colour) }}
        >
          <title>{mark.text}</title>
          {drawn(mark.parts)}
        </g>
      ))}
    </g>
  );
}

/** Rings round what can move, dots where something can go, or come if that is possible in few places. */
function Signs({ view, state }: { view: View; state: State }) {
  const page = usePage();
  const { play } = page;
  const { over, drag, aim } = useDesk();
  if (!page.waits) return null;
  const held = play.held.value;
  const begins = play.opens.value;
  const pointed = aim.value ? "" : (over.value ?? "");
  const taken = (cell: string) => bodies(state.looks[cell]).some((part) => !isGround(part, view.unit));
  const free = [...begins].filter((cell) => view.at.has(cell) && !taken(cell));
  const few = free.length <= view.spots.filter((spot) => !taken(spot.name)).length / 2;
  const goals = held.length ? play.targets.value : begins.has(pointed) ? play.after([pointed]) : new Set<string>();
  const shown = pointed && !drag.value && play.previews.of(play.meant(pointed)) ? pointed : ""; // as it would be
  const near = held.length || drag.value || !goals.size ? pointed : "";
  const isShown = (spot: Spot) => spot.name === shown;
  return (
    <g class="signs" aria-hidden="true">
      {!held.length &&
        spotsOf(view, begins).map((spot) => {
          if (taken(spot.name)) return <Ring key={spot.name} view={view} spot={spot} of="movable" />;
          return (
            (few || spot.name === near) &&
            !isShown(spot) && <Dot key={spot.name} view={view} spot={spot} of="open" near={near} />
          );
        })}
      {spotsOf(view, held).map((spot) => (
        <Ring key={spot.name} view={view} spot={spot} of="held" />
      ))}
      {spotsOf(view, goals).map((spot) => {
        const of = `${taken(spot.name) ? "capture" : "target"}${held.length ? "" : " offered"}`;
        if (!taken(spot.name))
          return !isShown(spot) && <Dot key={spot.name} view={view} spot={spot} of={of} near={near} />;
        return <Ring key={spot.name} view={view} spot={spot} of={spot.name === near ? `${of} near` : of} />;
      })}
    </g>
  );
}

/** A ring around a cell, and a pale one below it, so that it is seen on every colour. */
function Ring({ view, spot, of }: { view: View; spot: Spot; of: string }) {
  const place = { cx: spot.x, cy: spot.y, r: (spot.kind === "cell" ? 0.44 : 0.2) * view.unit };
  return (
    <g class={of}>
      <circle class="halo" {...place} />
      <circle {...place} />
    </g>
  );
}

function Dot({ view, spot, of, near }: { view: View; spot: Spot; of: string; near: string }) {
  const radius = (spot.name === near ? 0.2 : 0.13) * (spot.kind === "cell" ? 1 : 0.8) * view.unit;
  return <circle class={of} cx={spot.x} cy={spot.y} r={radius} />;
}

/** What slides from cell to cell, and what is gone. */
function Moving({ view }: { view: View }) {
  const desk = useDesk();
  const { slides, gone } = desk.moving.value;
  return (
    <g aria-hidden="true">
      {gone.map((change) =>
        spotsOf(view, [change.cell]).map((spot) => (
          <g key={spot.name} class="gone" transform={moveTo(spot)}>
            {drawn(dotted(change.parts, view.dots, view.unit))}
          </g>
        )),
      )}
      {slides.map((slide) => (
        <Sliding key={`${slide.from} ${slide.to}`} view={view} slide={slide} />
      ))}
    </g>
  );
}

function Sliding({ view, slide }: { view: View; slide: Slide }) {
  const group = useRef<SVGGElement>(null);
  const [from, to] = [view.at.get(slide.from), view.at.get(slide.to)];
  useLayoutEffect(() => {
    if (!from || !to) return;
    const way = [from, to].map((spot) => ({ transform: `translate(${spot.x}px, ${spot.y}px)` }));
    group.current?.animate(way, { duration: SLIDE, easing: "ease-in-out", fill: "both" });
  }, []);
  return (
    <g ref={group} class="sliding">
      {drawn(dotted(slide.parts, view.dots, view.unit))}
    </g>
  );
}

/** What follows the pointer. */
function Dragged({ view, state }: { view: View; state: State }) {
  const { drag } = useDesk();
  const { value } = drag;
  if (!value) return null;
  return (
    <g class="follows" transform={moveTo(value)} aria-hidden="true">
      {drawn(dotted(bodies(state.looks[value.cell]), view.dots, view.unit))}
    </g>
  );
}
