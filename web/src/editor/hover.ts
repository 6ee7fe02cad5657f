/** What a word means, when one points at it: the manual's sentence, or how a name is declared. */

import { hoverTooltip } from "@codemirror/view";
import { element, prose } from "./elements.ts";
import { offset } from "./places.ts";
import type { Service } from "./service.ts";

export function hover(service: Pick<Service, "meaning">) {
  return hoverTooltip(async ({ state: { doc } }, position) => {
    const found = await service.meaning(doc, position).catch(() => null);
    if (!found) return null;
    const { line, column, end_column, code, lines } = found;
    const dom = element("div", "told tip", ...(code ? [element("pre", "", code)] : []), ...lines.map(prose));
    return { pos: offset(doc, line, column), end: offset(doc, line, end_column), above: true, create: () => ({ dom }) };
  });
}
