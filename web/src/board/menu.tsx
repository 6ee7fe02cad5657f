/** The moves that the clicks may mean, at the cell, in the words of the moves. */

import { useEffect, useRef } from "preact/hooks";
import type { Move } from "../protocol.ts";
import { usePage } from "../store/page.ts";
import { Beside } from "./beside.tsx";
import { focus } from "./cells.tsx";
import { useDesk } from "./desk.ts";

export function Menu() {
  const { play } = usePage();
  const desk = useDesk();
  const list = useRef<HTMLDivElement>(null);
  const moves = play.menu.value;
  const cell = play.held.value.at(-1);
  useEffect(() => {
    list.current?.querySelector("button")?.focus();
    return () => {
      desk.offered.value = "";
    };
  }, [moves]);
  const offer = (move: Move) => {
    desk.offered.value = move.text;
  };
  if (!moves.length || !cell) return null;
  const walk = (event: KeyboardEvent) => {
    const items = [...list.current!.querySelectorAll("button")];
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    items.at(to % items.length)?.focus();
  };
  const choose = (move: Move) => {
    focus(desk.picture, cell);
    void play.play(move.text);
  };
  return (
    <Beside cell={cell} of="menu" role="menu" label="Which move?" keep={play.held.value} about={moves}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys come from its items */}
      <div ref={list} onKeyDown={walk}>
        {moves.map((move) => (
          <button
            key={move.text}
            type="button"
            role="menuitem"
            tabIndex={-1}
            onFocus={() => offer(move)}
            onPointerEnter={() => offer(move)}
            onClick={() => choose(move)}
          >
            {nameOf(move, moves)}
          </button>
        ))}
      </div>
    </Beside>
  );
}

/** As people write it, unless that says the same of two moves. */
export function nameOf(move: Move, moves: Move[]): string {
  const alike = moves.filter((other) => other.written === move.written);
  return alike.length > 1 ? move.text : move.written;
}
