/** The page at home: answers come from the server that sent it. */

import { show } from "./app.tsx";
import { askOver } from "./ask.ts";

void show(askOver("./"));
