// Runs the commands that options and variables of programs hold: `rsync -e "ssh -p 22"`, `BORG_PASSCOMMAND="cat key"`.
import type { Machine, Output } from "../../interpreter/machine.ts";
import { deeper, type State, startedShell } from "../../interpreter/state.ts";
import { isForeign, isOpen } from "../../words/symbols.ts";
import type { CommandsRow } from "../record.ts";
import { commandVariable, recordOf } from "../registry.ts";
import { isMeant, onlyOptions, rowsIn, selected } from "./select.ts";

/** Of what is not wholly known, only what is proved counts: `ssh $OPTIONS`. */
function runCommand(text: string, state: State, machine: Machine): void {
  // `LESSOPEN="|-lesspipe %s"`: the marks are not part of it.
  const command = text.replace(/^\s*\|{1,2}[-\s]*/, "");
  const runs = isOpen(command) && !isForeign(command) ? machine.provedOnly() : machine;
  runs.runText(command, deeper(state, { bindings: startedShell(state), io: { stdin: null } }));
}

const commandsIn = (text: string, within: RegExp | undefined): readonly string[] =>
  within === undefined
    ? [text]
    : [...text.matchAll(within)].flatMap(([, ...groups]) => groups.find((group) => group !== undefined) ?? []);

export function runCommandsIn([name = "", ...args]: readonly string[], state: State, machine: Machine): void {
  for (const row of rowsIn<CommandsRow>(recordOf(name)?.commands, onlyOptions)) {
    if (!isMeant(args, row)) continue;
    const texts = [...selected(args, row), ...(row.input === true ? (state.io.stdin ?? []) : [])];
    for (const text of texts.flatMap((one) => commandsIn(one, row.within))) runCommand(text, state, machine);
  }
}

/** Names that programs give to such variables of their own. */
const BY_NAME =
  /(?:PAGER|EDITOR|PASSCOMMAND|PASSWORD_COMMAND|ASKPASS|SSH_COMMAND|(?:^|_)(?:RSH|BROWSER)|RUSTC_WRAPPER)$/;

export function commandAssigned(name: string, texts: Output, state: State, machine: Machine): void {
  const rows = commandVariable(name);
  if (rows === undefined && !BY_NAME.test(name)) return;
  for (const { within } of rows ?? [{ within: undefined }])
    for (const text of texts.flatMap((one) => commandsIn(one, within))) runCommand(text, state, machine);
}
