// Commands on stored procedures, and on those that come with orch.
import { readAgain } from "../../cli/option-values.ts";
import { ALL, type CommandEntry, type CommandOption, FORCE, LIMIT, SOP, TASK, WAIT } from "../../cli/table/command.ts";
import { SOP_STATUSES } from "../../domain/sop.ts";

const NAME = ["<name>", "a procedure, as orch library list names it"] as const;
const AIM: readonly CommandOption[] = [
  ["--intent <intent>", "another intent than that of the library"],
  [
    "--target <key=value>",
    "an attribute of your target; may be repeated; others keep the value of the example",
    readAgain,
  ],
];

export const PROCEDURE_COMMANDS: readonly CommandEntry[] = [
  {
    name: "teach",
    summary: "teach steps to a waiting task, or as a candidate SOP",
    run: async () => (await import("./commands.ts")).teach,
    examples: ["orch teach steps.yaml --task deploy-1 --wait", "orch teach restart-web.yaml"],
    arguments: [["<file>", "steps and their criteria in JSON or YAML; with intent and target: an SOP"]],
    options: [["--task <id>", "the task that waits for them"], WAIT],
    calls: [{ operation: "teach", parameters: { task_id: "--task" } }],
  },
  {
    name: "sops",
    summary: "list stored procedures, newest first",
    run: async () => (await import("./commands.ts")).sops,
    examples: ["orch sops", "orch sops --intent deploy --status active"],
    options: [["--intent <intent>", "only these"], ["--status <status>", "only these", SOP_STATUSES], LIMIT, ALL],
    calls: [{ operation: "list_sops", parameters: { intent: "--intent", status: "--status" } }],
  },
  {
    name: "sop show",
    summary: "show an SOP and its versions",
    run: async () => (await import("./commands.ts")).showSop,
    examples: ["orch sop show 4f1c2d0e"],
    arguments: [SOP],
    calls: [{ operation: "get_sop", parameters: { sop_id: "<id>" } }],
  },
  {
    name: "sop diff",
    summary: "compare an SOP with another version of its key",
    run: async () => (await import("./commands.ts")).diffSop,
    examples: ["orch sop diff 4f1c2d0e", "orch sop diff 4f1c2d0e 2"],
    arguments: [SOP, ["[other]", "the version to compare with, by number or UUID (default: the previous one)"]],
  },
  {
    name: "sop export",
    summary: "write an SOP as a YAML file",
    run: async () => (await import("./commands.ts")).exportSopFile,
    examples: ["orch sop export 4f1c2d0e restart-web.yaml"],
    arguments: [SOP, ["[file]", "the file to write (default: stdout)"]],
    options: [FORCE],
    calls: [{ operation: "export_sop", parameters: { sop_id: "<id>" } }],
  },
  {
    name: "sop import",
    summary: "store an SOP from its YAML file as a candidate",
    run: async () => (await import("./commands.ts")).importSopFile,
    examples: ["orch sop import restart-web.yaml"],
    arguments: [["<file>", "the file; - is stdin"]],
    calls: [{ operation: "import_sop", parameters: {} }],
  },
  {
    name: "sop propose",
    summary: "draft an SOP from an agent's run of a verified task",
    run: async () => (await import("./commands.ts")).proposeSopFile,
    examples: ["orch sop propose deploy-1 draft.yaml"],
    arguments: [TASK, ["[file]", "the file to write (default: stdout)"]],
    options: [FORCE],
    more: "The command stores nothing. Correct the draft, then store it with: orch teach FILE",
    calls: [{ operation: "propose_sop", parameters: { task_id: "<id>" } }],
  },
  {
    name: "sop copy",
    summary: "store a copy of an active SOP as a candidate for another target",
    run: async () => (await import("./commands.ts")).copySopFor,
    examples: ["orch sop copy 4f1c2d0e --target service=shop --target compose_dir=/srv/shop --parameters"],
    arguments: [SOP],
    options: [
      ["--target <key=value>", "an attribute of the other target; may be repeated", readAgain],
      ["--parameters", "put parameters in the place of the old target's values"],
    ],
    more: "The command names the values of the old target that the copy still has. A copy is proved by a run on its own target.",
    calls: [{ operation: "copy_sop", parameters: { sop_id: "<id>" }, always: ["--target", "KEY=VALUE"] }],
  },
  {
    name: "sop rollback",
    summary: "have the steps of an earlier version used again, as a new version",
    run: async () => (await import("./commands.ts")).rollbackSopTo,
    examples: ["orch sop rollback 4f1c2d0e", "orch sop rollback 2"],
    arguments: [["<id>", "the earlier version: its UUID, the beginning of it, or its version number"]],
    more: "The command stores a candidate and asks for its promotion: nothing changes until that is approved.",
    calls: [{ operation: "rollback_sop", parameters: { sop_id: "<id>" } }],
  },
];

export const LIBRARY_COMMANDS: readonly CommandEntry[] = [
  {
    name: "library list",
    summary: "list the procedures that come with orch: what each does, what it needs, and when it asks",
    run: async () => (await import("./library-commands.ts")).listLibrary,
    examples: ["orch library list", "orch library list --json"],
    more: "EFFECT: looks changes nothing, writes adds files, commits or notes, changes changes what runs, deletes deletes data. No server is needed.",
  },
  {
    name: "library show",
    summary: "show a procedure of the library, a contract for it, and the verdicts of policy",
    run: async () => (await import("./library-commands.ts")).showLibrary,
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
    run: async () => (await import("./library-commands.ts")).importLibrary,
    examples: ["orch library import compose-restart --target compose_dir=/srv/shop --target service=shop"],
    arguments: [NAME],
    options: AIM,
    more: "It is not in use before you approve its promotion, and its first run on your target asks for an approval.",
  },
];
