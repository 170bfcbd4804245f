// Every command with its arguments and options: help, completion, the parser and the commands in `next` are made from this.
// The code of a command is loaded only when it runs, so that each starts fast.
import type { CommandEntry } from "./table/command.ts";
import { LOCAL_COMMANDS } from "./table/local-commands.ts";
import { SOP_COMMANDS } from "./table/sop-commands.ts";
import { TASK_COMMANDS } from "./table/task-commands.ts";

export const COMMANDS: readonly CommandEntry[] = [...TASK_COMMANDS, ...SOP_COMMANDS, ...LOCAL_COMMANDS];
