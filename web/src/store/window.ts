/** How large the window is. */

import { signal } from "@preact/signals";

const phone = matchMedia("(max-width: 699.9px), (max-height: 479.9px)");

/** True where one part of the page is shown at a time, as in styles/page.css. */
export const narrow = signal(phone.matches);

phone.addEventListener("change", () => {
  narrow.value = phone.matches;
});
