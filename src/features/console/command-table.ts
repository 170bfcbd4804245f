// The command that opens the console.
import type { CommandEntry } from "../../cli/table/command.ts";

export const CONSOLE_COMMANDS: readonly CommandEntry[] = [
  {
    name: "console",
    summary: "open the console in a browser, logged in, or print the link that does",
    run: async () => (await import("./commands.ts")).openConsole,
    examples: ["orch console", "orch console --print --name Ann"],
    options: [
      ["--print", "only print the link"],
      ["--name <name>", "who logs in, as decisions record it (default: the user of the system)"],
    ],
    more: "The link logs in once, within a minute, with the rights of the token that this command uses. It is opened only where there is a desktop and the output is a terminal; otherwise open it yourself. Without it, the console asks for the token.",
  },
];
