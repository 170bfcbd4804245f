// Commands that list what waits for an answer and give it, and that list the messages to the supervisor.

import { type CommandEntry, LIMIT, type OperationCall, REASON, WAIT } from "../../cli/table/command.ts";
import { APPROVAL_STATUSES } from "../../domain/approval.ts";

const DECIDE: Pick<CommandEntry, "arguments" | "options" | "more"> = {
  arguments: [["[id]", "an approval; without it, --task and --digest, the pending one is shown and not decided"]],
  options: [
    ["--task <id>", "the approval that this task waits for"],
    ["--digest <digest>", "decide only if the approval still has this digest"],
    REASON,
    ["--by <name>", "who decided"],
    WAIT,
  ],
  more: "Uses ORCH_APPROVER_TOKEN when it is set.",
};

const decides = (decision: "approve" | "reject"): OperationCall => ({
  operation: "approve",
  chosen_by: { decision },
  parameters: { approval_id: "[id]", task_id: "--task", digest: "--digest", reason: "--reason" },
  always: ["--by", "NAME"],
});

export const APPROVAL_COMMANDS: readonly CommandEntry[] = [
  {
    name: "inbox",
    summary: "list everything that waits for an answer, with how to give it",
    run: async () => (await import("./commands.ts")).inbox,
    examples: ["orch inbox"],
    options: [LIMIT],
    calls: [{ operation: "list_inbox", parameters: {} }],
  },
  {
    name: "approvals",
    summary: "list approvals, or show one with everything that it covers",
    run: async () => (await import("./commands.ts")).approvals,
    examples: ["orch approvals", "orch approvals deploy-1"],
    arguments: [["[id]", "an approval, or a task that asked for one"]],
    options: [
      ["--status <status>", "only these (default: pending)", [...APPROVAL_STATUSES, "all"]],
      ["--task <id>", "all approvals of this task"],
      ["--look", "of one: run its checks and previews on the target now, and no step that changes something"],
    ],
    calls: [
      { operation: "list_approvals", parameters: { thread_id: "[id]", status: "--status" } },
      { operation: "get_approval", parameters: { approval_id: "[id]" } },
      { operation: "look_at_approval", parameters: { approval_id: "[id]" }, always: ["--look"] },
    ],
  },
  {
    name: "approve",
    summary: "approve what an approval shows",
    run: async () => (await import("./commands.ts")).approve,
    examples: [
      "orch approve 01J9ZC --by Ann",
      "orch approve --task deploy-1 --reason 'seen in staging' --by Ann --wait",
    ],
    ...DECIDE,
    calls: [decides("approve")],
  },
  {
    name: "reject",
    summary: "reject what an approval shows",
    run: async () => (await import("./commands.ts")).reject,
    examples: ["orch reject 01J9ZC --reason 'not before Friday' --by Ann"],
    ...DECIDE,
    calls: [decides("reject")],
  },
];

export const MESSAGE_COMMANDS: readonly CommandEntry[] = [
  {
    name: "messages",
    summary: "list the messages to the supervisor",
    run: async () => (await import("./commands.ts")).messages,
    examples: ["orch messages --after 41", "orch messages --follow"],
    options: [["--after <n>", "only messages after this cursor"], LIMIT, ["--follow", "continue with new messages"]],
    calls: [{ operation: "list_messages", parameters: { after: "--after" } }],
  },
];
