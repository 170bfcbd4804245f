// Commands that submit tasks, show them and answer what they ask.
import { APPROVAL_STATUSES } from "../../domain/approval.ts";
import { TASK_STATUSES } from "../../domain/outcome.ts";
import {
  ALL,
  CONTRACT,
  type CommandEntry,
  FOLLOW,
  FORCE,
  LIMIT,
  type OperationCall,
  REASON,
  TASK,
  WAIT,
} from "./command.ts";

const DECIDE: Pick<CommandEntry, "arguments" | "options" | "more"> = {
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

const decides = (decision: "approve" | "reject"): OperationCall => ({
  operation: "approve",
  chosen_by: { decision },
  places: { approval_id: "[id]", task_id: "--task", digest: "--digest", reason: "--reason" },
  always: ["--by", "NAME"],
});

const verifies = (verified: boolean, flag: string): OperationCall => ({
  operation: "record_verification",
  chosen_by: { verified },
  places: { task_id: "<id>" },
  always: [flag, "--source", "TEXT"],
});

export const TASK_COMMANDS: readonly CommandEntry[] = [
  {
    name: "submit",
    summary: "submit a task contract",
    arguments: [CONTRACT],
    options: [WAIT, FOLLOW],
    calls: [{ operation: "submit_task", places: {} }],
  },
  {
    name: "tasks",
    summary: "list tasks, newest first",
    options: [["--status <status>", "only these", TASK_STATUSES], LIMIT, ALL],
    calls: [{ operation: "list_tasks", places: { status: "--status" } }],
  },
  {
    name: "task",
    summary: "show a task, wait for it or follow it",
    arguments: [TASK],
    options: [WAIT, FOLLOW],
    more: "Alone it shows the task and exits with 0, however it stands; with --wait or --follow the exit code tells how.\nCtrl-C ends the watching, never the task.",
    calls: [
      { operation: "get_task", places: { task_id: "<id>", wait_seconds: "--wait" } },
      { operation: "read_journal", places: { task_id: "<id>" }, always: ["--follow"] },
    ],
  },
  {
    name: "approvals",
    summary: "list what waits for a decision, or show one with everything it covers",
    arguments: [["[id]", "an approval, or a task that asked for one"]],
    options: [
      ["--status <status>", "pending unless said otherwise", [...APPROVAL_STATUSES, "all"]],
      ["--task <id>", "of this task, whatever became of them"],
    ],
    calls: [{ operation: "list_approvals", places: { thread_id: "[id]", status: "--status" } }],
  },
  {
    name: "approve",
    summary: "approve what an approval shows",
    ...DECIDE,
    calls: [decides("approve")],
  },
  {
    name: "reject",
    summary: "reject it",
    ...DECIDE,
    calls: [decides("reject")],
  },
  {
    name: "cancel",
    summary: "cancel a task; what runs is killed, the evidence stays",
    arguments: [TASK],
    options: [REASON],
    calls: [{ operation: "cancel_task", places: { task_id: "<id>", reason: "--reason" } }],
  },
  {
    name: "resolve",
    summary: "say what became of a step of unknown outcome",
    arguments: [TASK, ["<resolution>", "what it did; retry runs it again", ["succeeded", "failed", "retry"]]],
    options: [["--step <n>", "resolve only if this is the step that is asked about"], REASON, WAIT],
    calls: [
      {
        operation: "resolve_step",
        places: { task_id: "<id>", resolution: "<resolution>", index: "--step", reason: "--reason" },
      },
    ],
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
    calls: [{ operation: "get_evidence", places: { task_id: "<of>" } }],
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
    calls: [verifies(true, "--verified"), verifies(false, "--not-verified")],
  },
  {
    name: "messages",
    summary: "list what is addressed to the supervisor",
    options: [["--after <n>", "only after this cursor"], LIMIT, ["--follow", "go on with what comes next"]],
    calls: [{ operation: "list_messages", places: { after: "--after" } }],
  },
];
