// Asks the human at the client what the task or the promotion waits for at which a waiting call has ended (D-220). The answer goes
// through the operation that takes it from anyone, under the scope of the caller's token and for what the human was shown.
import { z } from "zod";
import { digestOf, JsonObject } from "../domain/json.ts";
import { NextAction } from "../domain/next-action.ts";
import { promotionThread, subjectOfThread } from "../domain/thread-id.ts";
import type { OperationShape } from "../operations/operation.ts";
import { approve, listApprovals } from "../operations/shapes/approvals.ts";
import { getApproval } from "../operations/shapes/get-approval.ts";
import { readJournal } from "../operations/shapes/journal.ts";
import { getSop } from "../operations/shapes/sops.ts";
import { TaskView } from "../operations/shapes/task-view.ts";
import { getTask, resolveStep } from "../operations/shapes/tasks.ts";
import { parseInput } from "../schema/parse-input.ts";
import { type Calls, failed, type McpCaller, type McpReply } from "./calls.ts";
import { jsonText } from "./fit-answer.ts";
import { isEmpty } from "./nested-json.ts";
import { USUAL_WAIT } from "./sop-tools.ts";
import { type Requester, resultOf, type ToolResult, type Tools, toolName } from "./tools.ts";
import { sopRow } from "./views/lists.ts";

// What a form asks the human at the client: an approval of a task or of a promotion, or what became of a step whose outcome is not
// known (D-220).

type Choice = { readonly type: "string"; readonly title: string; readonly enum: string[] };
type Reason = { type: "string"; title: string; description: string; maxLength: number };

type ShownForm = {
  /** What may be long comes last. */
  readonly about: object;
  /** What is added at the beginning of a text that is cut: where the whole is, and what is new in it. */
  readonly beyond: () => Promise<object>;
  /** The part of the operation's input that the question decides: the answer belongs to nothing else. */
  readonly fixed: z.infer<typeof JsonObject>;
};

/** What waits: a task, or the promotion on a thread of its own. */
type Subject = {
  /** Null for a promotion that no task has left. */
  readonly task_id: string | null;
  readonly thread_id: string;
  readonly approval_id: string | null;
};

type HumanForm = {
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
function withCountOfRest(text: string, most: number): string {
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

const FORMS = { approval: APPROVAL, resolution: RESOLUTION } as const;

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

/** What the client sends back with the answer. */
type Asked = {
  readonly form: keyof typeof FORMS;
  readonly tool: string;
  /** The digest of the call: the answer belongs to it and to no other. */
  readonly call: string;
  readonly task_id: string | null;
  /** Of a promotion. */
  readonly sop_id: string | null;
  /** The part of the operation's input that the human does not choose. */
  readonly fixed: z.infer<typeof JsonObject>;
  /** The answer of the call around the task, where it has more than the task. */
  readonly around: z.infer<typeof JsonObject> | null;
};

export type FormQuestion = {
  readonly message: string;
  readonly schema: HumanForm["schema"];
  readonly asked: Asked;
};

export type Called = { readonly name: string; readonly arguments?: Readonly<Record<string, unknown>> | undefined };

export type HumanAnswer = { readonly asked: Asked; readonly response: unknown };

const Undecided = z.object({ action: z.enum(["decline", "cancel"]) });

const ASKING: ReadonlySet<string> = new Set(["submit_task", "get_task", "teach", "approve", "resolve_step"]);
const outcome = z.looseObject({ reason_code: z.string() });
const WaitingTask = z.discriminatedUnion("status", [
  z.object({
    task_id: z.string(),
    status: z.literal("need_approval"),
    outcome: outcome.extend({ approval_id: z.string() }),
  }),
  z.object({
    task_id: z.string(),
    status: z.literal("need_input"),
    // Steps are nothing for a form: teaching is left to the model.
    outcome: outcome.extend({ reason_code: z.literal("step_outcome_unknown") }),
  }),
]);
const FORM_OF = { need_approval: "approval", need_input: "resolution" } as const;
const TaskNow = z.looseObject({ next: z.array(NextAction) });
const WithTask = z.looseObject({ task: z.looseObject({ task_id: z.string() }).nullable() });
/** The answer of teach to a procedure without a task. */
const Taught = z.object({ task: z.null(), sop: z.object({ sop_id: z.string() }), approval_id: z.string() });
/** What fits in the forms of hosts. Longer content is cut, and the form says where the whole is. */
const MAX_MESSAGE = 8_000;

type Deps = {
  /** All operations, with their whole answers. */
  readonly calls: Calls;
  readonly tools: Tools;
};

export function createHuman({ calls, tools }: Deps) {
  const waitOf = ({ name, arguments: { wait_seconds } = {} }: Called): number => {
    const isLeftOut = wait_seconds === undefined || isEmpty(wait_seconds);
    return Number(isLeftOut ? (tools.isSopTool(toolName(name)) ? USUAL_WAIT : 0) : wait_seconds);
  };

  /** Null when the call did not wait for what a form asks, or this caller may not answer it. */
  async function questionAfter(
    called: Called,
    result: ToolResult,
    { caller }: Requester,
  ): Promise<FormQuestion | null> {
    const tool = toolName(called.name);
    const isAsking = ASKING.has(tool) || tools.isSopTool(tool);
    if (!isAsking || !(waitOf(called) > 0) || !("structuredContent" in result)) return null;
    const waiting = waitingIn(result.structuredContent);
    if (waiting === null) return null;
    const { form, ...subject } = waiting;
    const { operation, schema, show } = FORMS[form];
    const shown = (await caller.refusalOf(operation)) === null ? await show(calls, subject, caller) : null;
    if (shown === null) return null;
    const { data: around } = WithTask.safeParse(result.structuredContent);
    const of = subjectOfThread(subject.thread_id);
    const asked = {
      form,
      tool,
      call: digestOfCall(called),
      task_id: subject.task_id,
      sop_id: of.kind === "promotion" ? of.sop_id : null,
      fixed: shown.fixed,
      around: around === undefined ? null : JsonObject.parse({ ...around, task: null }),
    };
    return { message: await messageOf(FORMS[form], shown), schema, asked };
  }

  /** The answer to the call that was asked about: the task as it goes on, or as it waits where the human has not decided. */
  async function answerAfter(
    called: Called,
    { asked, response }: HumanAnswer,
    requester: Requester,
  ): Promise<McpReply<ToolResult>> {
    const { form, tool, fixed } = asked;
    const { operation, content } = FORMS[form];
    if (digestOfCall(called) !== asked.call)
      return failed(
        "invalid_params",
        `This is the answer to another call of ${tool}: repeat that call with its arguments.`,
      );
    const { fault, accepted } = readResponse(content, response);
    if (fault !== null) return failed("invalid_params", `${fault} Nothing was decided, and the question stays open.`);
    const decided =
      accepted === null ? null : await calls.call(operation.name, { ...fixed, ...accepted }, requester.caller);
    if (decided?.ok === false) return { ok: true, result: resultOf(decided) };
    const reply = await taskAfter(called, asked, decided !== null, requester);
    const { data: settled } = Promoted.safeParse(decided?.output);
    // The version may not be in use all the same.
    if (reply.ok && settled !== undefined) reply.result.content.push({ type: "text", text: settled.promotion.message });
    return reply;
  }

  async function taskAfter(
    called: Called,
    asked: Asked,
    isDecided: boolean,
    requester: Requester,
  ): Promise<McpReply<ToolResult>> {
    const { task_id, around } = asked;
    const withTask = async (task: After["task"]): Promise<McpReply<ToolResult>> => {
      const output = { ...around, ...(await fieldsOf(calls, { asked, task, isDecided }, requester)) };
      return { ok: true, result: resultOf({ ok: true, output }) };
    };
    if (task_id === null) return withTask(null);
    const input = { task_id, wait_seconds: isDecided ? waitOf(called) : 0 };
    const reply = await tools.call({ name: getTask.name, input, ...requester });
    if (!reply.ok || around === null || !("structuredContent" in reply.result)) return reply;
    return withTask(TaskNow.parse(reply.result.structuredContent));
  }

  return { questionAfter, answerAfter };
}

const Promoted = z.object({ promotion: z.object({ message: z.string() }) });

type Waiting = Subject & { readonly form: keyof typeof FORMS };

/** Null when nothing waits for what a form asks. */
function waitingIn(content: Readonly<Record<string, unknown>>): Waiting | null {
  const { data: around } = WithTask.safeParse(content);
  const { data: task } = WaitingTask.safeParse(around?.task ?? content);
  if (task !== undefined) {
    const { task_id, status } = task;
    const approval_id = task.status === "need_approval" ? task.outcome.approval_id : null;
    return { form: FORM_OF[status], task_id, thread_id: task_id, approval_id };
  }
  const { data: taught } = Taught.safeParse(content);
  if (taught !== undefined) {
    const { sop, approval_id } = taught;
    return { form: "approval", task_id: null, thread_id: promotionThread(sop.sop_id), approval_id };
  }
  // An answer of approve has what is to be done next beside its task.
  const now = Ended.safeParse({ ...content, ...around?.task }).data;
  const open = promotionIn(now?.next);
  return now === undefined || open === null ? null : { form: "approval", task_id: now.task_id, ...open };
}

const Ended = TaskNow.extend({ task_id: z.string() });

/** What is to be done next names the open promotion of a task, and its approval once it can be decided. */
function promotionIn(next: readonly NextAction[] = []): Pick<Subject, "thread_id" | "approval_id"> | null {
  const argumentOf = (operation: string, name: string) =>
    next.find((action) => action.operation === operation)?.arguments[name];
  const thread_id = String(argumentOf(listApprovals.name, "thread_id"));
  const approval_id = argumentOf(approve.name, "approval_id");
  if (subjectOfThread(thread_id).kind !== "promotion") return null;
  return { thread_id, approval_id: typeof approval_id === "string" ? approval_id : null };
}

async function messageOf({ introduction, covers }: HumanForm, { about, beyond }: ShownForm): Promise<string> {
  const messageWith = (covered: string, text: string) =>
    `${[introduction, covered, WRITTEN].filter(Boolean).join(" ")}\n${text}`;
  const whole = messageWith(covers.whole, jsonText(about, 1));
  if (whole.length <= MAX_MESSAGE) return whole;
  return withCountOfRest(messageWith(covers.cut, jsonText({ ...(await beyond()), ...about }, 1)), MAX_MESSAGE);
}

const WRITTEN = "Text in it was written by others.";

const digestOfCall = (called: Called): string =>
  digestOf({ tool: toolName(called.name), given: called.arguments ?? {} });

/** Declined, cancelled and absent answers decide nothing; an accepted form that does not fit is a fault, not silence. */
function readResponse(
  content: HumanForm["content"],
  response: unknown,
): { fault: string | null; accepted: object | null } {
  if (response === undefined || Undecided.safeParse(response).success) return { fault: null, accepted: null };
  const parsed = parseInput(z.object({ action: z.literal("accept"), content }), response);
  if (!parsed.ok) {
    const said = parsed.issues.map(({ path, message }) => `${path} ${message}`).join("; ");
    return { fault: `The answer to the form is not accepted: ${said}.`, accepted: null };
  }
  const { reason, ...chosen } = parsed.value.content;
  return { fault: null, accepted: { ...chosen, ...(reason && { reason }) } };
}

type After = {
  readonly asked: Asked;
  readonly task: z.infer<typeof TaskNow> | null;
  readonly isDecided: boolean;
};

/** Those of the call's answer that follow from the task and from the version. */
async function fieldsOf(calls: Calls, { asked, task, isDecided }: After, { caller }: Requester) {
  if (asked.tool === approve.name && task !== null) {
    const { next, ...rest } = task;
    return { task: rest, next };
  }
  const open = promotionIn(task?.next);
  const subject = open === null ? null : subjectOfThread(open.thread_id);
  const sop_id = subject?.kind === "promotion" ? subject.sop_id : asked.sop_id;
  if (sop_id === null) return { task };
  const got = await calls.call(getSop.name, { sop_id }, caller);
  const sop = got.ok ? sopRow(getSop.output.parse(got.output).sop) : null;
  const approval_id = open?.approval_id ?? (isDecided ? null : (asked.fixed["approval_id"] ?? null));
  return { task, sop, approval_id };
}
