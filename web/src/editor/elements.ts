/** Small pieces of the document that CodeMirror is handed. */

export function element<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  name: string,
  ...content: (string | Node)[]
): HTMLElementTagNameMap[T] {
  const made = document.createElement(tag);
  made.className = name;
  made.append(...content);
  return made;
}

/** A sentence of the manual; what stands between ` and ` is code. */
export function prose(text: string): HTMLElement {
  const parts = text.split("`").map((part, place) => (place % 2 ? element("code", "", part) : part));
  return element("p", "", ...parts.filter((part) => part !== ""));
}

/** What stands under a line, from a column on. */
export function noted(note: HTMLElement, column: number): HTMLElement {
  const frame = element("div", "noted", note);
  frame.style.setProperty("--column", `${column}ch`);
  return frame;
}
