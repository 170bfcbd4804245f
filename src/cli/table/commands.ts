// Every command with its arguments and options. The parser, help, completion and the commands of `next` derive from it.
import { APPROVAL_COMMANDS, MESSAGE_COMMANDS } from "../../features/approvals/command-table.ts";
import { CONSOLE_COMMANDS } from "../../features/console/command-table.ts";
import { FREEZE_COMMANDS } from "../../features/freeze/command-table.ts";
import { ANCHOR_COMMANDS, KEEPING_COMMANDS } from "../../features/keeping/command-table.ts";
import { LIBRARY_COMMANDS, PROCEDURE_COMMANDS } from "../../features/procedures/command-table.ts";
import { PROOF_COMMANDS } from "../../features/proof/command-table.ts";
import { SCHEDULE_COMMANDS } from "../../features/schedules/command-table.ts";
import { SCORECARD_COMMANDS } from "../../features/scorecard/command-table.ts";
import { DRAIN_COMMANDS, SERVER_COMMANDS } from "../../features/servers/command-table.ts";
import { SKILL_COMMANDS } from "../../features/skills/command-table.ts";
import { VERIFICATION_COMMANDS } from "../../features/verification/command-table.ts";
import type { CommandEntry } from "./command.ts";
import { JUDGING_COMMANDS, SERVER_START_COMMANDS } from "./local-commands.ts";
import { CONTRACT_COMMANDS, RUNNING_TASK_COMMANDS, TASK_COMMANDS } from "./task-commands.ts";

export const COMMANDS: readonly CommandEntry[] = [
  ...TASK_COMMANDS,
  ...APPROVAL_COMMANDS,
  ...RUNNING_TASK_COMMANDS,
  ...VERIFICATION_COMMANDS,
  ...SCORECARD_COMMANDS,
  ...MESSAGE_COMMANDS,
  ...PROCEDURE_COMMANDS,
  ...PROOF_COMMANDS,
  ...CONTRACT_COMMANDS,
  ...LIBRARY_COMMANDS,
  ...SCHEDULE_COMMANDS,
  ...SERVER_COMMANDS,
  ...CONSOLE_COMMANDS,
  ...ANCHOR_COMMANDS,
  ...DRAIN_COMMANDS,
  ...FREEZE_COMMANDS,
  ...SERVER_START_COMMANDS,
  ...KEEPING_COMMANDS,
  ...SKILL_COMMANDS,
  ...JUDGING_COMMANDS,
];
