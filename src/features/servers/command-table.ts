// Commands on the servers that share a database.
import { readWait } from "../../cli/option-values.ts";
import type { CommandEntry } from "../../cli/table/command.ts";

const MORE = "A server is named by its name, or as orch servers shows its process, such as nas/812.";

export const SERVER_COMMANDS: readonly CommandEntry[] = [
  {
    name: "servers",
    summary: "list the servers of the database with their labels and state, or show one",
    run: async () => (await import("./commands.ts")).servers,
    examples: ["orch servers", "orch servers nas"],
    arguments: [["[name]", "a server"]],
    options: [["--all", "also those of the last 7 days that have stopped"]],
    more: MORE,
    calls: [
      { operation: "get_server", parameters: { name: "[name]" } },
      { operation: "list_servers", parameters: { all: "--all" } },
    ],
  },
];

export const DRAIN_COMMANDS: readonly CommandEntry[] = [
  {
    name: "drain",
    summary: "have a server finish its running steps, leave its tasks to the others, and end",
    run: async () => (await import("./commands.ts")).drain,
    examples: ["orch drain nas --wait"],
    arguments: [["<name>", "a server"]],
    options: [["--wait [seconds]", "wait until it has ended, at most this long; without a number: no limit", readWait]],
    more: `${MORE}\nThe server claims nothing more from then on. Uses ORCH_APPROVER_TOKEN when it is set. Exit code 7: it still runs.`,
    calls: [{ operation: "drain_server", parameters: { name: "<name>" } }],
  },
];
