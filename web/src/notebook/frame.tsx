/** The board in a notebook: in a frame of its own, so that neither its keys nor its looks meet those of the notebook. */

import { effect } from "@preact/signals";
import { render } from "preact";
import "../styles/page.css";
import "./frame.css";
import { BoardPart } from "../board/board.tsx";
import type { Hello } from "../protocol.ts";
import { Page, PageContext, usePage } from "../store/page.ts";
import { Trouble } from "../trouble.tsx";
import { Answers } from "./answers.ts";
import type { Down, Up } from "./messages.ts";

const HELLO: Hello = {
  product: "web",
  version: "",
  can: ["why"],
  players: [],
  home: false,
  place: "",
  first: { name: "", text: "", options: {} },
};

const say = (message: Up) => parent.postMessage(message, "*");
const answers = new Answers((message) => say(message));

addEventListener("message", (event: MessageEvent<Down>) => {
  if (event.source !== parent) return;
  if ("number" in event.data) answers.hear(event.data);
  else void begin(event.data);
});
say({ ready: true });

async function begin({ game, line, dark }: Extract<Down, { game: unknown }>): Promise<void> {
  document.documentElement.dataset.scheme = dark ? "dark" : "light";
  const page = new Page(answers.ask, HELLO);
  page.thinking.seconds.value = 1; // meanwhile nothing else can be computed in the notebook
  render(
    <PageContext.Provider value={page}>
      <BoardPart />
      <WhatWentWrong />
    </PageContext.Provider>,
    document.getElementById("app")!,
  );
  await page.play.stands(game, line);
  effect(() => say({ line: page.play.line.value }));
}

/** There is no foot and no rail that would say it. */
function WhatWentWrong() {
  const { play, thinking } = usePage();
  return <Trouble text={play.trouble.value || thinking.trouble.value} />;
}
