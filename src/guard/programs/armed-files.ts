// Files that something runs without being named: scheduled work, settings of git. What is proved dangerous in them counts
// when they are written, because nothing asks again when they run.
import type { Machine, Output } from "../interpreter/machine.ts";
import { deeper, fork, type State } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { UNKNOWN } from "../words/symbols.ts";
import { armedCommands, mayBeArmed } from "./armed-table.ts";
import { rememberConfiguration, settingsIn } from "./git-runs.ts";

export function wroteFile(path: string, texts: Output, state: State, machine: Machine): void {
  rememberConfiguration(path, texts, state);
  if (!mayBeArmed(path)) return;
  const files = state.location.cwd.map((cwd) => absolute(path, cwd));
  const commands = texts
    .filter((text) => text !== UNKNOWN)
    .flatMap((text) => files.flatMap((file) => commandsIn(file, text)));
  for (const command of new Set(commands))
    machine.provedOnly().runText(command, deeper(fork(state), { io: { stdin: null } }));
}

const commandsIn = (file: string, text: string): readonly string[] => [
  ...armedCommands(file, text),
  ...(GIT_SETTINGS.test(file) ? settingsIn(text) : []),
];

const GIT_SETTINGS = /(^|[/.])git\/?config$/;
