// Where a Python of this machine keeps the packages that pysolve needs.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const ASK = "import lark, platformdirs, pathlib; print(pathlib.Path(lark.__file__).parent.parent)";

/** The Pythons that may have them, the wanted one first: another one of the machine is only a last resort. */
export function pythons(environment = process.env) {
  if (environment.PYTHON) return [environment.PYTHON];
  const folders = [environment.VIRTUAL_ENV, join(root, ".venv")].filter(Boolean);
  const within = ["bin/python", "Scripts/python.exe"];
  return [...folders.flatMap((folder) => within.map((name) => join(folder, name))), "python3"];
}

/** The folder with Lark and platformdirs of the first Python that has them. */
export function packages(candidates = pythons()) {
  for (const python of candidates) {
    try {
      return execFileSync(python, ["-c", ASK], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    } catch {} // it is not there, or has none
  }
  throw new Error(
    `no Python has the packages of pysolve (looked for: ${candidates.join(", ")}). ` +
      `Install them: python3 -m venv .venv && .venv/bin/pip install -e .   or set PYTHON to a Python that has them.`,
  );
}
