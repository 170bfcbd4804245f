// Commands on the procedures that come with orch.
import { readAgain } from "../option-values.ts";
import type { CommandEntry, CommandOption } from "./command.ts";

const NAME = ["<name>", "a procedure, as orch library list names it"] as const;
const AIM: readonly CommandOption[] = [
  ["--intent <intent>", "another intent than that of the library"],
  [
    "--target <key=value>",
    "an attribute of your target; may be repeated; others keep the value of the example",
    readAgain,
  ],
];

export const LIBRARY_COMMANDS: readonly CommandEntry[] = [
  {
    name: "library list",
    summary: "list the procedures that come with orch: what each does, what it needs, and when it asks",
    run: async () => (await import("../commands/library.ts")).listLibrary,
    examples: ["orch library list", "orch library list --json"],
    more: "EFFECT: looks changes nothing, writes adds files, commits or notes, changes changes what runs, deletes deletes data. No server is needed.",
  },
  {
    name: "library show",
    summary: "show a procedure of the library, a contract for it, and the verdicts of policy",
    run: async () => (await import("../commands/library.ts")).showLibrary,
    examples: [
      "orch library show compose-restart",
      "orch library show zfs-prune --target dataset=tank/shop --contract",
    ],
    arguments: [NAME],
    options: [
      ...AIM,
      ["--sop", "only the procedure, as a file for: orch sop import FILE"],
      ["--contract", "only the contract, as a file for: orch submit FILE"],
    ],
    more: "Nothing of it runs but its checks, in a world without this machine. The verdicts need a server; the rest does not.",
  },
  {
    name: "library import",
    summary: "store a procedure of the library as a candidate",
    run: async () => (await import("../commands/library.ts")).importLibrary,
    examples: ["orch library import compose-restart --target compose_dir=/srv/shop --target service=shop"],
    arguments: [NAME],
    options: AIM,
    more: "It is not in use before you approve its promotion, and its first run on your target asks for an approval.",
  },
];
