// Commands that freeze and thaw.
import { readAgain } from "../../cli/option-values.ts";
import { ALL, type CommandEntry, LIMIT } from "../../cli/table/command.ts";

export const FREEZE_COMMANDS: readonly CommandEntry[] = [
  {
    name: "freeze",
    summary: "let no task start, on any server, until it is thawed",
    run: async () => (await import("./commands.ts")).freeze,
    examples: [
      "orch freeze --reason 'the disk of the NAS is replaced'",
      "orch freeze --intent deploy --target service=web --reason 'not before Monday' --now",
    ],
    options: [
      ["--reason <text>", "why; every held task shows it (required)"],
      ["--intent <intent>", "only tasks of this intent"],
      ["--target <key=value>", "only tasks whose target has this attribute; may be repeated", readAgain],
      ["--except-diagnostics", "diagnostic intents, which only look, start all the same"],
      ["--now", "cancel what runs: its steps are killed"],
    ],
    more: "What runs finishes, unless --now is given. Tasks may be submitted; they start by themselves after the thaw, the oldest first. Uses ORCH_APPROVER_TOKEN when it is set.",
    calls: [{ operation: "freeze", parameters: { intent: "--intent", reason: "--reason" } }],
  },
  {
    name: "thaw",
    summary: "end a freeze: what it held starts, the oldest first",
    run: async () => (await import("./commands.ts")).thaw,
    examples: ["orch thaw freeze-1a2b3c4d", "orch thaw --all"],
    arguments: [["[id]", "a freeze"]],
    options: [["--all", "every open freeze"]],
    more: "Uses ORCH_APPROVER_TOKEN when it is set.",
    calls: [{ operation: "thaw", parameters: { freeze_id: "[id]" } }],
  },
  {
    name: "freezes",
    summary: "list what is frozen and what was, open ones first",
    run: async () => (await import("./commands.ts")).freezes,
    examples: ["orch freezes"],
    options: [LIMIT, ALL],
    calls: [{ operation: "list_freezes", parameters: {} }],
  },
];
