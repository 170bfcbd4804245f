// Commands on the servers that share a database, and on the console of one.
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
  {
    name: "console",
    summary: "open the console in a browser, logged in, or print the link that does",
    run: async () => (await import("../../cli/commands/console.ts")).openConsole,
    examples: ["orch console", "orch console --print --name Ann"],
    options: [
      ["--print", "only print the link"],
      ["--name <name>", "who logs in, as decisions record it (default: the user of the system)"],
    ],
    more: "The link logs in once, within a minute, with the rights of the token that this command uses. It is opened only where there is a desktop and the output is a terminal; otherwise open it yourself. Without it, the console asks for the token.",
  },
  {
    name: "anchors",
    summary: "print the root over all journals of each day, one line a day",
    run: async () => (await import("../../cli/commands/evidence.ts")).anchors,
    examples: ["orch anchors"],
    more: "A root that was kept where this machine cannot change it proves later what a journal was that day: orch evidence FILE --verify --anchor ROOTS.",
    calls: [{ operation: "list_anchors", parameters: {} }],
  },
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
