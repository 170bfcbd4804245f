// Commands that submit tasks, show them, and end them.
import { BackendName, DELEGATION_MODES } from "../../domain/contract.ts";
import { DEFAULT_MAX_MINUTES } from "../../domain/duration.ts";
import { TASK_STATUSES } from "../../domain/outcome.ts";
import { readAgain } from "../option-values.ts";
import {
  ALL,
  CONTRACT,
  type CommandEntry,
  type CommandOption,
  FOLLOW,
  FORCE,
  LIMIT,
  REASON,
  TASK,
  WAIT,
} from "./command.ts";

/** The words that make a contract. */
const WORDS: Pick<CommandEntry, "arguments"> & { readonly options: readonly CommandOption[] } = {
  arguments: [
    ["<intent>", "what is to be done, such as deploy, restart or health_check"],
    ["[target...]", "the target, as key=value; compose_dir is the directory in which its steps run"],
  ],
  options: [
    ["--criterion <text>", "what must be true afterwards; may be repeated", readAgain],
    ["--scope <entry>", "a tool server or cmd:PROGRAM that the task may use; may be repeated", readAgain],
    ["--ask-for <category>", "a category of operations that needs an approval; may be repeated", readAgain],
    ["--payload <key=value>", "a field of the payload, JSON or text; may be repeated", readAgain],
    ["--mode <mode>", "what happens where no procedure is known (default: teach_if_unknown)", DELEGATION_MODES],
    ["--minutes <n>", `the limit of one command (default: ${DEFAULT_MAX_MINUTES})`],
    ["--backend <name>", "where its steps run", BackendName.options],
    ["--runs-on <label>", "a label that its server must have, such as docker or host:nas; may be repeated", readAgain],
    ["--id <task_id>", "the id of the task (default: made of intent and time)"],
    ["--skip-if-done", "run nothing where every check is true already"],
    ["--verify-by <sop>", "sop: and the diagnostic intent whose procedure verifies it once it is done"],
    ["--verify-after <seconds>", "how long after its end that procedure looks (default: 60)"],
    ["--verify-within <hours>", "unverified after so many hours, it waits in the inbox"],
  ],
};

export const TASK_COMMANDS: readonly CommandEntry[] = [
  {
    name: "run",
    summary: "submit a task without a file",
    run: async () => (await import("../commands/contracts.ts")).run,
    examples: [
      "orch run health_check service=web --wait",
      "orch run restart service=web compose_dir=/srv/web --criterion 'the site answers' --wait",
      "orch run deploy service=web --mode agent --scope shell --payload 'goal=version 2.4.0 runs' --follow",
    ],
    ...WORDS,
    options: [...WORDS.options, WAIT, FOLLOW],
  },
  {
    name: "new contract",
    summary: "write a task contract to begin with",
    run: async () => (await import("../commands/contracts.ts")).newContract,
    examples: ["orch new contract deploy service=web compose_dir=/srv/web --out deploy.yaml"],
    ...WORDS,
    options: [...WORDS.options, ["--out <file>", "the file to write (default: stdout)"], FORCE],
  },
  {
    name: "submit",
    summary: "submit a task contract",
    run: async () => (await import("../commands/contracts.ts")).submit,
    examples: ["orch submit deploy.yaml --wait", "orch new contract triage service=web | orch submit - --follow"],
    arguments: [CONTRACT],
    options: [WAIT, FOLLOW],
    calls: [{ operation: "submit_task", parameters: {} }],
  },
  {
    name: "tasks",
    summary: "list tasks, newest first",
    run: async () => (await import("../commands/tasks.ts")).tasks,
    examples: ["orch tasks", "orch tasks --status need_input --all", "orch tasks --status ok --verified none"],
    options: [
      ["--status <status>", "only these", TASK_STATUSES],
      ["--verified <which>", "only those with this external verification", ["none", "true", "false"]],
      ["--since <time>", "only those accepted then or later, such as 2026-03-06T00:00:00Z"],
      ["--intent <intent>", "only those of this intent"],
      ["--target <signature>", "only those of this target: its name=value pairs, sorted by name and joined by ;"],
      ["--find <text>", "only those with this text in their id, intent or target"],
      ["--sop <id>", "only those that ran this version; the beginning of its id is enough"],
      LIMIT,
      ALL,
    ],
    calls: [
      {
        operation: "list_tasks",
        parameters: {
          status: "--status",
          verified: "--verified",
          since: "--since",
          intent: "--intent",
          target_signature: "--target",
          q: "--find",
          sop_id: "--sop",
        },
      },
    ],
  },
  {
    name: "task",
    summary: "show a task, wait for it or follow it",
    run: async () => (await import("../commands/tasks.ts")).task,
    examples: ["orch task deploy-1", "orch task deploy-1 --follow"],
    arguments: [TASK],
    options: [WAIT, FOLLOW],
    more: "Without --wait and --follow it shows the task and exits with 0. With one of them the exit code is that of the task.\nCtrl-C ends the command, never the task.\nWith --follow and --json each event is one line; what a running step writes is a line of kind live_output, without seq.",
    calls: [
      { operation: "get_task", parameters: { task_id: "<id>", wait_seconds: "--wait" } },
      { operation: "read_journal", parameters: { task_id: "<id>" }, always: ["--follow"] },
    ],
  },
];

export const RUNNING_TASK_COMMANDS: readonly CommandEntry[] = [
  {
    name: "cancel",
    summary: "cancel a task: kill its running step and keep its evidence",
    run: async () => (await import("../commands/tasks.ts")).cancel,
    examples: ["orch cancel deploy-1 --reason 'wrong target'"],
    arguments: [TASK],
    options: [REASON],
    calls: [{ operation: "cancel_task", parameters: { task_id: "<id>", reason: "--reason" } }],
  },
  {
    name: "resolve",
    summary:
      "report the outcome of a step of unknown outcome, or let a task go on that orch parked after crashes or a restore",
    run: async () => (await import("../commands/tasks.ts")).resolve,
    examples: ["orch resolve deploy-1 succeeded --reason 'the container runs the new image' --wait"],
    arguments: [
      TASK,
      ["<resolution>", "the outcome of the step; retry runs it again", ["succeeded", "failed", "retry"]],
    ],
    options: [["--step <n>", "resolve only if the task asks about this step"], REASON, WAIT],
    calls: [
      {
        operation: "resolve_step",
        parameters: { task_id: "<id>", resolution: "<resolution>", index: "--step", reason: "--reason" },
      },
    ],
  },
  {
    name: "evidence",
    summary: "print or check the evidence bundle of a task",
    run: async () => (await import("../commands/evidence.ts")).evidence,
    examples: ["orch evidence deploy-1 --out evidence.json", "orch evidence evidence.json --verify --anchor roots.txt"],
    arguments: [["<of>", "a task, or the file of a bundle: a name with a slash or ending in .json; - is stdin"]],
    options: [
      ["--verify", "check the bundle; a file needs no server"],
      ["--anchor <file>", "also prove by this file of roots, as orch anchors prints them, when the journal was there"],
      ["--out <file>", "write the bundle to this file"],
      FORCE,
    ],
    calls: [{ operation: "get_evidence", parameters: { task_id: "<of>" } }],
  },
  {
    name: "graph",
    summary: "show where a task is in the pipeline",
    run: async () => (await import("../commands/tasks.ts")).graph,
    examples: ["orch graph deploy-1"],
    arguments: [["[id]", "a task; without it, the pipeline is shown"]],
    calls: [{ operation: "get_graph", parameters: { task_id: "[id]" } }],
  },
];

export const CONTRACT_COMMANDS: readonly CommandEntry[] = [
  {
    name: "explain",
    summary: "show what would happen to a contract, without running anything",
    run: async () => (await import("../commands/contracts.ts")).explainContract,
    examples: ["orch explain deploy.yaml", "orch explain deploy.yaml --steps steps.yaml"],
    arguments: [CONTRACT],
    options: [["--steps <file>", "judge the steps in this file instead of the stored SOP"]],
    calls: [{ operation: "explain", parameters: {} }],
  },
];
