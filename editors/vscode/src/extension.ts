/** Starts the language server of pysolve, and stops it with the editor. */

import { homedir } from "node:os";
import { commands, type ExtensionContext, window, workspace } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    commands.registerCommand("pysolve.restart", restart),
    workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("pysolve") && restart()),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await stop();
}

async function start(): Promise<void> {
  const settings = workspace.getConfiguration("pysolve");
  const [command, ...args] = settings.get<string[]>("command", ["pysolve", "lsp"]);
  if (!command) return;
  client = new LanguageClient(
    "pysolve",
    "pysolve",
    { command, args, options: { cwd: homedir() } }, // Windows would run a program of that name in the open folder
    {
      documentSelector: [{ scheme: "file", language: "pysolve-rules" }],
      initializationOptions: { runExamples: settings.get<boolean>("runExamples", true) },
    },
  );
  try {
    await client.start();
  } catch {
    client = undefined;
    const shown = [command, ...args].join(" ");
    window.showWarningMessage(
      `“${shown}” could not be started, so rules are only coloured. ` +
        `Install it (pip install "pysolve-games[editor]"), or set pysolve.command.`,
    );
  }
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function restart(): Promise<void> {
  await stop();
  await start();
}
