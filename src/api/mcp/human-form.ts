// Builds the forms that ask the human at the client: for an approval of a task or of a promotion, or what became of a step whose
// outcome is not known (D-220).
import { z } from "zod";
import type { JsonObject } from "../../domain/json.ts";
import { approve, getApproval, listApprovals } from "../../features/approvals/shapes.ts";
import type { OperationShape } from "../operations/operation.ts";
import { readJournal } from "../operations/shapes/journal.ts";
import { TaskView } from "../operations/shapes/task-view.ts";
import { getTask, resolveStep } from "../operations/shapes/tasks.ts";
import type { Calls, McpCaller } from "./calls.ts";
import { jsonText } from "./fit-answer.ts";

type Choice = { readonly type: "string"; readonly title: string; readonly enum: string[] };

type Reason = { type: "string"; title: string; description: string; maxLength: number };

export type ShownForm = {
  /** What may be long comes last. */
  readonly about: object;
  /** What is added at the beginning of a text that is cut: where the whole is, and what is new in it. */
  readonly beyond: () => Promise<object>;
  /** The part of the operation's input that the question decides: the answer belongs to nothing else. */
  readonly fixed: z.infer<typeof JsonObject>;
};

/** What waits: a task, or the promotion on a thread of its own. */
export type Subject = {
  /** Null for a promotion that no task has left. */
  readonly task_id: string | null;
  readonly thread_id: string;
  readonly approval_id: string | null;
};

export type HumanForm = {
  /** Takes the answer, under the scope of the caller's token. */
  readonly operation: Pick<OperationShape, "name" | "scope">;
  readonly introduction: string;
  /** What the answer covers, when all of it is shown and when it is cut. */
  readonly covers: { readonly whole: string; readonly cut: string };
  /** No choice is the default. */
  readonly schema: { type: "object"; properties: Record<string, Choice | Reason>; required: string[] };
  readonly content: z.ZodType<{ readonly reason?: string | undefined }>;
  /** Null when it is decided already. `calls` has the operations that are no tools too. */
  readonly show: (calls: Calls, subject: Subject, caller: McpCaller) => Promise<ShownForm | null>;
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
  introduction: "orch waits for your decision before it goes on.",
  covers: {
    whole: "It covers everything below and nothing else.",
    cut: "It covers more than this form can show: read the whole first.",
  },
  ...choosing("decision", "Decision", approve.input.shape.decision.options, "The supervisor gets it."),
  show: async (calls, { thread_id, ...subject }, caller) => {
    const listed = await calls.call(listApprovals.name, { thread_id, status: "pending" }, caller);
    const approvals = listed.ok ? listApprovals.output.parse(listed.output).approvals : [];
    const asked = approvals.find((one) => one.approval_id === subject.approval_id);
    if (asked === undefined) return null;
    const { approval_id, digest, reason, expires_at, content } = asked;
    const of = subject.task_id === thread_id ? { task_id: thread_id } : { thread_id };
    return {
      about: { reason, ...of, approval_id, digest, expires_at, content },
      beyond: async () => ({
        whole: `orch approvals ${approval_id}, or /console/approvals/${approval_id}`,
        what_is_new: await whatIsNew(calls, approval_id, caller),
      }),
      fixed: { approval_id, digest, decided_by: "the human at the MCP client" },
    };
  },
};

const MAX_NEWS = 2_500;

/** Since the last version that was approved. Null where there is none, or where it cannot be read now. */
async function whatIsNew(calls: Calls, approval_id: string, caller: McpCaller): Promise<object | string | null> {
  const got = await calls.call(getApproval.name, { approval_id }, caller);
  const news = got.ok ? getApproval.output.parse(got.output).compared_with : null;
  const text = jsonText(news, 1);
  return text.length <= MAX_NEWS ? news : withCountOfRest(text, MAX_NEWS);
}

/** The beginning, and how much is not shown. */
export function withCountOfRest(text: string, most: number): string {
  const left_out = text.length - most;
  return left_out <= 0 ? text : `${text.slice(0, most).toWellFormed()}[${left_out} more characters]`;
}

const RESOLUTION: HumanForm = {
  operation: resolveStep,
  introduction:
    "orch does not know whether the step below took effect. Find out, then choose: succeeded goes on after the step, failed ends " +
    "the task, retry runs the step again.",
  covers: { whole: "", cut: "The step is longer than this form can show: read the whole first." },
  ...choosing("resolution", "What became of it", resolveStep.input.shape.resolution.options, "How you know."),
  show: async (calls, { thread_id: task_id }, caller) => {
    const task = await waitingOf(calls, task_id, caller);
    if (task?.waiting?.kind !== "resolution") return null;
    const { index, attempt } = task.waiting;
    const { kind, command } = task.steps.find((step) => step.index === index) ?? {};
    const started_at = await startOf(calls, { task_id, index, attempt }, caller);
    const { intent, target, backend, outcome } = task;
    const step = { index, attempt, kind, started_at, command };
    return {
      about: { task_id, intent, target, backend, what_is_known: outcome?.message, step },
      beyond: async () => ({ whole: `orch task ${task_id}, or /console/tasks/${task_id}` }),
      fixed: { task_id, index, attempt },
    };
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
