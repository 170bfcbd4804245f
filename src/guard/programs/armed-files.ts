// Files that something runs without being named: scheduled work, settings of git. What is proved dangerous in them counts
// when they are written, because nothing asks again when they run.
import type { Machine, Output } from "../interpreter/machine.ts";
import { deeper, fork, type State } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { UNKNOWN } from "../words/symbols.ts";
import { rememberConfiguration, settingsIn } from "./git-runs.ts";

const CRON_TABLE = /^\/(etc\/crontab|etc\/cron\.d\/|var\/spool\/cron\/|etc\/anacrontab)/;
const CRON_SCRIPT =
  /^\/etc\/(cron\.(hourly|daily|weekly|monthly)\/|rc\.local$|init\.d\/|profile\.d\/|update-motd\.d\/|network\/if-\S+\.d\/|NetworkManager\/dispatcher\.d\/)/;
const TIMES = /^\s*(?:@\w+\s+|(?:\S+\s+){5})/;
const GIT_SETTINGS = /(^|[/.])git\/?config$/;

export function wroteFile(path: string, texts: Output, state: State, machine: Machine): void {
  rememberConfiguration(path, texts, state);
  if (!/cron|init\.d|rc\.local|profile\.d|\.d\/|git/.test(path)) return;
  const files = state.location.cwd.map((cwd) => absolute(path, cwd));
  const commands = texts
    .filter((text) => text !== UNKNOWN)
    .flatMap((text) => files.flatMap((file) => commandsIn(file, text)));
  for (const command of new Set(commands))
    machine.provedOnly().runText(command, deeper(fork(state), { io: { stdin: null } }));
}

function commandsIn(file: string, text: string): readonly string[] {
  if (CRON_SCRIPT.test(file)) return [text];
  if (CRON_TABLE.test(file)) return cronCommands(file, text);
  return GIT_SETTINGS.test(file) ? settingsIn(text) : [];
}

/** A table of the system has an account before the command. */
function cronCommands(file: string, text: string): readonly string[] {
  const lines = text.split("\n").filter((line) => TIMES.test(line) && !/^\s*#/.test(line));
  const commands = lines.map((line) => line.replace(TIMES, ""));
  return file.startsWith("/var/") ? commands : commands.map((command) => command.replace(/^\S+\s+/, ""));
}

/** `ExecStart=-/bin/x`: the marks before the program are not part of it. */
export const unitCommands = (text: string): readonly string[] =>
  [...text.replace(/\\\n/g, " ").matchAll(/^[^\S\n]*Exec\w+\s*=\s*[-@:+!|]*(.+)$/gm)].map(([, command = ""]) =>
    command.replaceAll("%%", "%").replaceAll("$$", "$"),
  );
