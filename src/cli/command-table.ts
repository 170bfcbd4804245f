// Every command with its arguments and options: help, completion and the parser are made from this. What a command does
// is loaded only when it runs, so that each starts fast.
import { AGENT_BACKENDS } from "../domain/agent-events.ts";
import { APPROVAL_STATUSES } from "../domain/approval.ts";
import { TASK_STATUSES } from "../domain/outcome.ts";
import { SOP_STATUSES } from "../domain/sop.ts";
import type { Run } from "./context.ts";
import { readAgain, readWait } from "./option-values.ts";

/** `<needed>` or `[optional]`, as commander writes it; a name that begins with `file` is completed with files. */
type Argument = readonly [syntax: string, summary: string, choices?: readonly string[]];
export type Option = readonly [flags: string, summary: string, allowed?: readonly string[] | Read];
/** Reads one value, given those before it; throws InvalidArgumentError. */
type Read = (value: string, before: unknown) => unknown;

export type Command = {
  /** Of one word, or of two: a group and a command in it. */
  readonly name: string;
  readonly summary: string;
  readonly arguments?: readonly Argument[];
  readonly options?: readonly Option[];
  /** Further help, below the options. */
  readonly more?: string;
  readonly load: () => Promise<Run>;
};

const WAIT: Option = [
  "--wait [seconds]",
  "wait until it ends or asks, at most so long; alone: as long as it takes",
  readWait,
];
const FOLLOW: Option = ["--follow", "tell what happens, event by event, until the task has ended"];
const ALL: Option = ["--all", "every page"];
const LIMIT: Option = ["--limit <n>", "so many at most (default: 50)"];
const REASON: Option = ["--reason <text>", "why, for the record"];
const CONTRACT: Argument = ["<file>", "a task contract in JSON or YAML; - is stdin"];
const TASK: Argument = ["<id>", "a task"];
const SOP: Argument = ["<id>", "an SOP: its UUID, the beginning of it, or a version that only one SOP has"];
const FORCE: Option = ["--force", "overwrite the file"];

const DECIDE: Pick<Command, "arguments" | "options" | "more"> = {
  arguments: [["[id]", "an approval; without it, --task and --digest, the pending one is shown and not decided"]],
  options: [
    ["--task <id>", "the approval that this task waits for"],
    ["--digest <digest>", "decide only if this is still what is shown"],
    REASON,
    ["--by <name>", "who decided"],
    WAIT,
  ],
  more: "Uses ORCH_APPROVER_TOKEN when it is set.",
};

export const COMMANDS: readonly Command[] = [
  {
    name: "serve",
    summary: "start the server",
    more: "Configured by environment variables; the README lists them. Ends on Ctrl-C: running steps may finish.",
    load: async () => (await import("./commands/serve.ts")).serve,
  },
  {
    name: "submit",
    summary: "submit a task contract",
    arguments: [CONTRACT],
    options: [WAIT, FOLLOW],
    load: async () => (await import("./commands/submit.ts")).submit,
  },
  {
    name: "tasks",
    summary: "list tasks, newest first",
    options: [["--status <status>", "only these", TASK_STATUSES], LIMIT, ALL],
    load: async () => (await import("./commands/tasks.ts")).tasks,
  },
  {
    name: "task",
    summary: "show a task, wait for it or follow it",
    arguments: [TASK],
    options: [WAIT, FOLLOW],
    more: "Alone it shows the task and exits with 0, however it stands; with --wait or --follow the exit code tells how.\nCtrl-C ends the watching, never the task.",
    load: async () => (await import("./commands/task.ts")).task,
  },
  {
    name: "approvals",
    summary: "list what waits for a decision, or show one with everything it covers",
    arguments: [["[id]", "an approval, or a task that asked for one"]],
    options: [
      ["--status <status>", "pending unless said otherwise", [...APPROVAL_STATUSES, "all"]],
      ["--task <id>", "of this task, whatever became of them"],
    ],
    load: async () => (await import("./commands/approvals.ts")).approvals,
  },
  {
    name: "approve",
    summary: "approve what an approval shows",
    ...DECIDE,
    load: async () => (await import("./commands/decide.ts")).approve,
  },
  {
    name: "reject",
    summary: "reject it",
    ...DECIDE,
    load: async () => (await import("./commands/decide.ts")).reject,
  },
  {
    name: "teach",
    summary: "teach steps to a waiting task, or as a candidate SOP",
    arguments: [["<file>", "steps, and what belongs to them, in JSON or YAML; with intent and target: an SOP"]],
    options: [["--task <id>", "the task that waits for them"], WAIT],
    load: async () => (await import("./commands/teach.ts")).teach,
  },
  {
    name: "sops",
    summary: "list stored procedures, newest first",
    options: [["--intent <intent>", "only these"], ["--status <status>", "only these", SOP_STATUSES], LIMIT, ALL],
    load: async () => (await import("./commands/sops.ts")).sops,
  },
  {
    name: "sop show",
    summary: "show an SOP and its versions",
    arguments: [SOP],
    load: async () => (await import("./commands/sops.ts")).showSop,
  },
  {
    name: "sop diff",
    summary: "compare an SOP with another version of its key",
    arguments: [SOP, ["[other]", "the version to compare with, by its number or UUID; the one before unless given"]],
    load: async () => (await import("./commands/sops.ts")).diffSop,
  },
  {
    name: "sop export",
    summary: "write an SOP as a YAML file",
    arguments: [SOP, ["[file]", "stdout unless given"]],
    options: [FORCE],
    load: async () => (await import("./commands/sops.ts")).exportSopFile,
  },
  {
    name: "sop import",
    summary: "store an SOP from its YAML file as a candidate",
    arguments: [["<file>", "the file; - is stdin"]],
    load: async () => (await import("./commands/sops.ts")).importSopFile,
  },
  {
    name: "sop propose",
    summary: "draft an SOP from what an agent did in a verified task",
    arguments: [TASK, ["[file]", "stdout unless given"]],
    options: [FORCE],
    more: "Nothing is stored. Read the draft and correct it, then: orch teach FILE",
    load: async () => (await import("./commands/propose-sop.ts")).proposeSopFile,
  },
  {
    name: "explain",
    summary: "tell what would become of a contract, without running anything",
    arguments: [CONTRACT],
    options: [["--steps <file>", "judge the steps in this file instead of the stored SOP"]],
    load: async () => (await import("./commands/explain.ts")).explain,
  },
  {
    name: "cancel",
    summary: "cancel a task; what runs is killed, the evidence stays",
    arguments: [TASK],
    options: [REASON],
    load: async () => (await import("./commands/cancel.ts")).cancel,
  },
  {
    name: "resolve",
    summary: "say what became of a step of unknown outcome",
    arguments: [TASK, ["<resolution>", "what it did; retry runs it again", ["succeeded", "failed", "retry"]]],
    options: [["--step <n>", "resolve only if this is the step that is asked about"], REASON, WAIT],
    load: async () => (await import("./commands/resolve.ts")).resolve,
  },
  {
    name: "evidence",
    summary: "print or check the evidence bundle of a task",
    arguments: [["<of>", "a task, or the file of a bundle: a name with a slash or ending in .json; - is stdin"]],
    options: [
      ["--verify", "check that it holds together; for a file no server is needed"],
      ["--out <file>", "write the bundle there"],
      FORCE,
    ],
    load: async () => (await import("./commands/evidence.ts")).evidence,
  },
  {
    name: "verify",
    summary: "record your own check of a finished task from outside",
    arguments: [TASK],
    options: [
      ["--verified", "it did what it should"],
      ["--not-verified", "it did not"],
      ["--source <text>", "where it was looked up: a dashboard, a probe"],
      ["--note <text>", "what was seen"],
    ],
    load: async () => (await import("./commands/verify.ts")).verify,
  },
  {
    name: "messages",
    summary: "list what is addressed to the supervisor",
    options: [["--after <n>", "only after this cursor"], LIMIT, ["--follow", "go on with what comes next"]],
    load: async () => (await import("./commands/messages.ts")).messages,
  },
  {
    name: "policy check",
    summary: "judge a shell command here, without running it and without a server",
    arguments: [["[command]", "the command, in quotes"]],
    options: [
      ["--file <file>", "judge this script; - is stdin"],
      ["--cwd <directory>", "where it would run (default: compose_dir of the target, or the home directory)"],
      ["--home <directory>", "the home directory"],
      ["--target <key=value>", "an attribute of the target; may be repeated", readAgain],
    ],
    more: "Exit code 0: allowed, 1: always blocked, 4: it would need an approval.",
    load: async () => (await import("./commands/policy-check.ts")).policyCheck,
  },
  {
    name: "doctor",
    summary: "look at everything orch needs: what works, what falls back, how to mend it",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  {
    name: "eval routing",
    summary: "measure the routing model on labelled questions",
    arguments: [["<file>", "cases in JSONL, one a line; - is stdin"]],
    options: [["--limit <n>", "only the first so many"]],
    more: `A case is one of:
  {"question":"error","command":"...","output":"...","expected":"transient" or "unknown"}
  {"question":"approval","command":"...","categories":["..."],"expected":"..." or null}
The model is that of the server: ROUTING_MODEL, ROUTING_URL, ROUTING_TIMEOUT_MS. Ctrl-C shows what there is so far.
Dangerous are "false transient", a failure that would be run again, and "false no approval", an operation that no human
would be asked about. orch comes with cases in test/eval/routing.jsonl.`,
    load: async () => (await import("./commands/eval-routing.ts")).evalRouting,
  },
  {
    name: "eval agent",
    summary: "measure the agent model on small tasks",
    arguments: [["<directory>", "tasks in YAML, a file each"]],
    options: [
      ["--backend <backend>", "on this agent backend (default: AGENT_BACKEND)", AGENT_BACKENDS],
      ["--only <name>", "only this task"],
    ],
    more: `A task has name, goal, success_criteria, files (content by path), verify (bash that exits with 0 when it was really done),
and at will setup (bash, before the agent begins), scope (default: shell) and max_minutes. Each is done in a directory of
its own, on an orch that runs for this only; nobody approves anything. The model is AGENT_MODEL or ROUTING_MODEL.
Exit code 1: a task was called DONE that was not done. orch comes with tasks in test/eval/agent.`,
    load: async () => (await import("./commands/eval-agent.ts")).evalAgent,
  },
  {
    name: "mcp",
    summary: "serve the tools of orch to an MCP client on stdin and stdout",
    more: "Uses the running server; where none runs on this machine, one is started in this process.",
    load: async () => (await import("./commands/mcp.ts")).mcp,
  },
];
