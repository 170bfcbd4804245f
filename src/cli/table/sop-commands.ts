// Commands on stored procedures, and the dry run.
import { SOP_STATUSES } from "../../domain/sop.ts";
import { readAgain } from "../option-values.ts";
import { ALL, CONTRACT, type CommandEntry, FORCE, LIMIT, SOP, TASK, WAIT } from "./command.ts";

export const SOP_COMMANDS: readonly CommandEntry[] = [
  {
    name: "teach",
    summary: "teach steps to a waiting task, or as a candidate SOP",
    arguments: [["<file>", "steps and their criteria in JSON or YAML; with intent and target: an SOP"]],
    options: [["--task <id>", "the task that waits for them"], WAIT],
    calls: [{ operation: "teach", parameters: { task_id: "--task" } }],
  },
  {
    name: "sops",
    summary: "list stored procedures, newest first",
    options: [["--intent <intent>", "only these"], ["--status <status>", "only these", SOP_STATUSES], LIMIT, ALL],
    calls: [{ operation: "list_sops", parameters: { intent: "--intent", status: "--status" } }],
  },
  {
    name: "sop show",
    summary: "show an SOP and its versions",
    arguments: [SOP],
    calls: [{ operation: "get_sop", parameters: { sop_id: "<id>" } }],
  },
  {
    name: "sop diff",
    summary: "compare an SOP with another version of its key",
    arguments: [SOP, ["[other]", "the version to compare with, by number or UUID (default: the previous one)"]],
  },
  {
    name: "sop export",
    summary: "write an SOP as a YAML file",
    arguments: [SOP, ["[file]", "the file to write (default: stdout)"]],
    options: [FORCE],
    calls: [{ operation: "export_sop", parameters: { sop_id: "<id>" } }],
  },
  {
    name: "sop import",
    summary: "store an SOP from its YAML file as a candidate",
    arguments: [["<file>", "the file; - is stdin"]],
    calls: [{ operation: "import_sop", parameters: {} }],
  },
  {
    name: "sop propose",
    summary: "draft an SOP from an agent's run of a verified task",
    arguments: [TASK, ["[file]", "the file to write (default: stdout)"]],
    options: [FORCE],
    more: "The command stores nothing. Correct the draft, then store it with: orch teach FILE",
    calls: [{ operation: "propose_sop", parameters: { task_id: "<id>" } }],
  },
  {
    name: "sop copy",
    summary: "store a copy of an active SOP as a candidate for another target",
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
    arguments: [["<id>", "the earlier version: its UUID, the beginning of it, or its version number"]],
    more: "The command stores a candidate and asks for its promotion: nothing changes until that is approved.",
    calls: [{ operation: "rollback_sop", parameters: { sop_id: "<id>" } }],
  },
  {
    name: "prove",
    summary: "show what is known of an SOP on its target",
    arguments: [SOP],
    more: "The checks and the previews of the SOP run now; no step that changes something does.",
    calls: [{ operation: "prove_sop", parameters: { sop_id: "<id>" } }],
  },
  {
    name: "explain",
    summary: "show what would happen to a contract, without running anything",
    arguments: [CONTRACT],
    options: [["--steps <file>", "judge the steps in this file instead of the stored SOP"]],
    calls: [{ operation: "explain", parameters: {} }],
  },
];
