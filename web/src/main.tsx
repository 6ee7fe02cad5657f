/** The page at home: answers come from the server that sent it. */

import { show } from "./app.tsx";
import { askOver } from "./ask.ts";

// The token has let this browser in, and is not needed any more: it shall not stand in addresses that are shared.
if (new URLSearchParams(location.search).has("token"))
  history.replaceState(null, "", location.pathname + location.hash);

void show(askOver("./"));
