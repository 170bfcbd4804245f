// What a form asks the human at the client: an approval, or what became of a step whose outcome is not known (D-220).
import { z } from "zod";
import type { JsonObject } from "../domain/json.ts";
import type { OperationShape } from "../operations/operation.ts";
import { approve, listApprovals } from "../operations/shapes/approvals.ts";
import { readJournal } from "../operations/shapes/journal.ts";
import { TaskView } from "../operations/shapes/task-view.ts";
import { getTask, resolveStep } from "../operations/shapes/tasks.ts";
import type { Calls, McpCaller } from "./calls.ts";

type Choice = { readonly type: "string"; readonly title: string; readonly enum: string[] };
type Reason = { type: "string"; title: string; description: string; maxLength: number };

/** `fixed` is the part of the operation's input that the question decides: the answer belongs to nothing else. */
type Shown = { readonly about: object; readonly fixed: z.infer<typeof JsonObject> };

export type HumanForm = {
  /** Takes the answer, under the scope of the caller's token. */
  readonly operation: Pick<OperationShape, "name" | "scope">;
  readonly introduction: string;
  /** No choice is the default. */
  readonly schema: { type: "object"; properties: Record<string, Choice | Reason>; required: string[] };
  readonly content: z.ZodType<{ readonly reason?: string | undefined }>;
  /** Null when the task does not wait for it any more. */
  readonly show: (calls: Calls, task_id: string, caller: McpCaller) => Promise<Shown | null>;
};

const MAX_REASON = 4096;

function choosing(name: string, title: string, choices: readonly string[], why: string) {
  const reason = { type: "string" as const, title: "Reason", description: why, maxLength: MAX_REASON };
  return {
    schema: {
      type: "object" as const,
      properties: { [name]: { type: "string" as const, title, enum: [...choices] }, reason },
      required: [name],
    },
    content: z.object({ [name]: z.enum(choices), reason: z.string().max(MAX_REASON).optional() }),
  };
}

const APPROVAL: HumanForm = {
  operation: approve,
  introduction:
    "orch waits for your decision before it goes on. It covers everything below and nothing else. Text in it was written by others.",
  ...choosing("decision", "Decision", approve.input.shape.decision.options, "The supervisor gets it."),
  show: async (calls, task_id, caller) => {
    const listed = await calls.call("list_approvals", { thread_id: task_id, status: "pending" }, caller);
    const task = await waitingOf(calls, task_id, caller);
    const approvals = listed.ok ? listApprovals.output.parse(listed.output).approvals : [];
    const asked = approvals.find((one) => one.approval_id === task?.outcome?.approval_id);
    if (asked === undefined) return null;
    const { approval_id, digest, reason, expires_at, content } = asked;
    const about = { reason, task_id, approval_id, digest, expires_at, content };
    return { about, fixed: { approval_id, digest, decided_by: "the human at the MCP client" } };
  },
};

const RESOLUTION: HumanForm = {
  operation: resolveStep,
  introduction:
    "orch does not know whether the step below took effect. Find out, then choose: succeeded goes on after the step, failed ends " +
    "the task, retry runs the step again. Text in it was written by others.",
  ...choosing("resolution", "What became of it", resolveStep.input.shape.resolution.options, "How you know."),
  show: async (calls, task_id, caller) => {
    const task = await waitingOf(calls, task_id, caller);
    if (task?.waiting?.kind !== "resolution") return null;
    const { index, attempt } = task.waiting;
    const { kind, command } = task.steps.find((step) => step.index === index) ?? {};
    const started_at = await startOf(calls, { task_id, index, attempt }, caller);
    const { intent, target, backend, outcome } = task;
    const step = { index, attempt, kind, command, started_at };
    const about = { task_id, intent, target, backend, step, what_is_known: outcome?.message };
    return { about, fixed: { task_id, index, attempt } };
  },
};

export const FORMS = { approval: APPROVAL, resolution: RESOLUTION } as const;

async function waitingOf(calls: Calls, task_id: string, caller: McpCaller): Promise<TaskView | null> {
  const got = await calls.call(getTask.name, { task_id }, caller);
  return got.ok ? TaskView.parse(got.output) : null;
}

type Attempt = { readonly task_id: string; readonly index: number; readonly attempt: number };

const PAGE = 500;

/** Of a step of a procedure, of a skill or of an agent. Null when it cannot be read. */
async function startOf(calls: Calls, { task_id, index, attempt }: Attempt, caller: McpCaller): Promise<string | null> {
  const Started = z.object({ index: z.literal(index), attempt: z.literal(attempt) });
  let after = 0;
  for (let started_at: string | null = null; ; ) {
    const got = await calls.call(readJournal.name, { task_id, after, limit: PAGE }, caller);
    if (!got.ok) return started_at;
    const { events, next_after } = readJournal.output.parse(got.output);
    const start = events.findLast(({ kind, body }) => kind.endsWith("_started") && Started.safeParse(body).success);
    started_at = start?.at ?? started_at;
    if (events.length < PAGE) return started_at;
    after = next_after;
  }
}
