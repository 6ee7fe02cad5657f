/** Draws the parts of a picture as SVG elements.  What comes from rules is text; nothing else is let in. */

import { h, type VNode } from "preact";
import type { Part } from "./protocol.ts";

const TAGS = new Set(["g", "circle", "rect", "polygon", "path", "line", "text"]);
const ATTRIBUTES = new Set([
  "class", "cx", "cy", "r", "x", "y", "width", "height", "rx", "x1", "y1", "x2", "y2", "points", "d", "transform",
  "fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap", "stroke-linejoin",
  "paint-order", "font-size", "font-weight", "text-anchor", "opacity",
]); // biome-ignore format: a table

export function drawn(parts: Part[]): VNode[] {
  return parts
    .filter(([tag]) => TAGS.has(tag))
    .map(([tag, attributes, text, inside]) => {
      const allowed = Object.entries(attributes).filter(
        ([name, value]) => ATTRIBUTES.has(name) && !/url\(/i.test(String(value)),
      );
      return h(tag, Object.fromEntries(allowed), text ?? "", inside ? drawn(inside) : null);
    });
}
