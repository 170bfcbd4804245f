// Runs the commands that options and variables of programs hold: `rsync -e "ssh -p 22"`, `BORG_PASSCOMMAND="cat key"`.
import type { Machine, Output } from "../../interpreter/machine.ts";
import { deeper, type State, startedShell } from "../../interpreter/state.ts";
import { isForeign, isOpen } from "../../words/symbols.ts";
import { isCommandVariable, recordOf } from "../registry.ts";
import { isMeant, onlyOptions, rowsIn, selected } from "./select.ts";

/** Of what is not wholly known, only what is proved counts: `ssh $OPTIONS`. */
function runCommand(text: string, state: State, machine: Machine): void {
  // `LESSOPEN="|-lesspipe %s"`: the marks are not part of it.
  const command = text.replace(/^\s*\|{1,2}[-\s]*/, "");
  const runs = isOpen(command) && !isForeign(command) ? machine.provedOnly() : machine;
  runs.runText(command, deeper(state, { bindings: startedShell(state), io: { stdin: null } }));
}

export function runCommandsIn([name = "", ...args]: readonly string[], state: State, machine: Machine): void {
  for (const row of rowsIn(recordOf(name)?.commands, onlyOptions))
    if (isMeant(args, row)) for (const text of selected(args, row)) runCommand(text, state, machine);
}

/** Names that programs give to such variables of their own. */
const BY_NAME =
  /(?:PAGER|EDITOR|PASSCOMMAND|PASSWORD_COMMAND|ASKPASS|SSH_COMMAND|(?:^|_)(?:RSH|BROWSER)|RUSTC_WRAPPER)$/;

export function commandAssigned(name: string, texts: Output, state: State, machine: Machine): void {
  if (BY_NAME.test(name) || isCommandVariable(name)) for (const text of texts) runCommand(text, state, machine);
}
