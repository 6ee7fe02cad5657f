/**
 * The widget of a position in a notebook, as anywidget starts it: a frame with the board, and the messages between the
 * board and Python.  `pysolve/display/notebook.py` is the other end.
 */

import type { Line } from "../protocol.ts";
import type { Down, Up } from "./messages.ts";

/** The whole document of the frame; the build puts it here. */
declare const FRAME: string;

/** What anywidget gives. */
export interface Model {
  get(name: "game" | "line"): never;
  set(name: "line", value: Line): void;
  save_changes(): void;
  send(content: unknown): void;
  on(event: "msg:custom", heard: (content: Spoken) => void): void;
  off(event: "msg:custom", heard: (content: Spoken) => void): void;
}

type Spoken = Extract<Down, { number: number }> & { view: string };

export default {
  render({ model, el }: { model: Model; el: HTMLElement }): () => void {
    const frame = document.createElement("iframe");
    frame.title = "Board";
    frame.setAttribute("sandbox", "allow-scripts"); // names and texts of rules cannot reach the notebook
    frame.style.cssText = "width: 100%; max-width: 640px; height: 560px; border: 0;";
    frame.srcdoc = FRAME;
    const leave = joined(model, frame, () => {
      const dark = isDark(el);
      frame.style.colorScheme = dark ? "dark" : "light"; // as within: only then the ground of the notebook shines through
      return dark;
    });
    el.append(frame);
    return () => {
      leave();
      frame.remove();
    };
  },
};

/** Carries messages to and fro until the returned function is called. */
export function joined(
  model: Model,
  frame: Pick<HTMLIFrameElement, "contentWindow">,
  dark: () => boolean,
  around: Pick<Window, "addEventListener" | "removeEventListener"> = window,
): () => void {
  const view = Math.random().toString(36).slice(2); // a widget may be shown several times
  const down = (message: Down) => frame.contentWindow?.postMessage(message, "*");
  const heard = ({ view: whose, ...message }: Spoken) => {
    if (whose === view) down(message);
  };
  const said = (event: MessageEvent<Up>) => {
    if (event.source !== frame.contentWindow) return;
    const message = event.data;
    if ("ready" in message) down({ game: model.get("game"), line: model.get("line"), dark: dark() });
    else if ("line" in message) {
      model.set("line", message.line);
      model.save_changes();
    } else model.send({ view, ...message });
  };
  model.on("msg:custom", heard);
  around.addEventListener("message", said as EventListener);
  return () => {
    model.off("msg:custom", heard);
    around.removeEventListener("message", said as EventListener);
  };
}

/** True if what lies behind an element is dark: notebooks have schemes of their own, whatever the system's is. */
function isDark(element: Element | null): boolean {
  for (let at = element; at; at = at.parentElement) {
    const [red = 255, green = 255, blue = 255, alpha = 1] =
      getComputedStyle(at)
        .backgroundColor.match(/[\d.]+/g)
        ?.map(Number) ?? [];
    if (alpha > 0.5) return 0.3 * red + 0.6 * green + 0.1 * blue < 128;
  }
  return false;
}
