// Every command with its arguments and options. The parser, help, completion and the commands of `next` derive from it.
import { FREEZE_COMMANDS } from "../../features/freeze/command-table.ts";
import { SCHEDULE_COMMANDS } from "../../features/schedules/command-table.ts";
import { SERVER_COMMANDS } from "../../features/servers/command-table.ts";
import type { CommandEntry } from "./command.ts";
import { LIBRARY_COMMANDS } from "./library-commands.ts";
import { LOCAL_COMMANDS } from "./local-commands.ts";
import { SOP_COMMANDS } from "./sop-commands.ts";
import { TASK_COMMANDS } from "./task-commands.ts";

export const COMMANDS: readonly CommandEntry[] = [
  ...TASK_COMMANDS,
  ...SOP_COMMANDS,
  ...LIBRARY_COMMANDS,
  ...SCHEDULE_COMMANDS,
  ...SERVER_COMMANDS,
  ...FREEZE_COMMANDS,
  ...LOCAL_COMMANDS,
];
