// Asks the human at the client what the task or the promotion waits for at which a waiting call has ended (D-220). The answer goes
// through the operation that takes it from anyone, under the scope of the caller's token and for what the human was shown.
import { z } from "zod";
import { digestOf, JsonObject } from "../../domain/json.ts";
import { NextAction } from "../../domain/next-action.ts";
import { promotionThread, subjectOfThread } from "../../domain/thread-id.ts";
import { approve, listApprovals } from "../../features/approvals/shapes.ts";
import { getSop } from "../../features/procedures/shapes.ts";
import { parseInput } from "../../schema/parse-input.ts";
import { getTask } from "../operations/shapes/tasks.ts";
import { type Calls, failed, type McpReply } from "./calls.ts";
import { jsonText } from "./fit-answer.ts";
import { FORMS, type HumanForm, type ShownForm, type Subject, withCountOfRest } from "./human-form.ts";
import { isEmpty } from "./nested-json.ts";
import { USUAL_WAIT } from "./sop-tools.ts";
import { type Requester, resultOf, type ToolResult, type Tools, toolName } from "./tools.ts";
import { sopRow } from "./views/lists.ts";

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
