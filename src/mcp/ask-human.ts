// Asks the human at the client what the task waits for at which a waiting call has ended (D-220). The answer goes through the
// operation that takes it from anyone, under the scope of the caller's token and for what the human was shown.
import { z } from "zod";
import { digestOf, JsonObject } from "../domain/json.ts";
import { NextAction } from "../domain/next-action.ts";
import { subjectOfThread } from "../domain/thread-id.ts";
import { approve } from "../operations/shapes/approvals.ts";
import { getSop } from "../operations/shapes/sops.ts";
import { parseInput } from "../schema/parse-input.ts";
import type { Calls } from "./calls.ts";
import { FORMS, type HumanForm } from "./human-form.ts";
import { jsonText } from "./json-text.ts";
import { failed, type McpReply } from "./reply.ts";
import { USUAL_WAIT } from "./sop-tools.ts";
import { type Requester, resultOf, type ToolResult, type Tools, toolName } from "./tools.ts";
import { sopRow } from "./views/lists.ts";

/** What the client sends back with the answer. */
type Asked = {
  readonly form: keyof typeof FORMS;
  readonly tool: string;
  /** The digest of the call: the answer belongs to it and to no other. */
  readonly call: string;
  readonly task_id: string;
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

type Called = { readonly name: string; readonly arguments?: Readonly<Record<string, unknown>> | undefined };

const Undecided = z.object({ action: z.enum(["decline", "cancel"]) });

const ASKING: ReadonlySet<string> = new Set(["submit_task", "get_task", "teach", "approve", "resolve_step"]);
const outcome = z.looseObject({ reason_code: z.string() });
const Waiting = z.discriminatedUnion("status", [
  z.object({ task_id: z.string(), status: z.literal("need_approval"), outcome }),
  z.object({
    ...{ task_id: z.string(), status: z.literal("need_input") },
    // Steps are nothing for a form: teaching is left to the model.
    outcome: outcome.extend({ reason_code: z.literal("step_outcome_unknown") }),
  }),
]);
const FORM_OF = { need_approval: "approval", need_input: "resolution" } as const;
const TaskNow = z.looseObject({ next: z.array(NextAction) });
const Around = z.looseObject({ task: Waiting });
/** Content that cannot be shown whole cannot be approved. */
const MAX_MESSAGE = 8_000;

export function createHuman({ calls, tools }: { readonly calls: Calls; readonly tools: Tools }) {
  const waitOf = ({ name, arguments: { wait_seconds } = {} }: Called): number =>
    Number(wait_seconds ?? (tools.isSopTool(toolName(name)) ? USUAL_WAIT : 0));

  /** Null when the call did not wait for what a form asks, or this caller may not answer it. */
  async function questionAfter(
    called: Called,
    result: ToolResult,
    { caller }: Requester,
  ): Promise<FormQuestion | null> {
    const tool = toolName(called.name);
    const isAsking = ASKING.has(tool) || tools.isSopTool(tool);
    if (!isAsking || !(waitOf(called) > 0) || !("structuredContent" in result)) return null;
    const { data: around } = Around.safeParse(result.structuredContent);
    const waiting = around?.task ?? Waiting.safeParse(result.structuredContent).data;
    if (waiting === undefined) return null;
    const { task_id, status } = waiting;
    const { operation, introduction, schema, show } = FORMS[FORM_OF[status]];
    const shown = (await caller.refusalOf(operation)) === null ? await show(calls, task_id, caller) : null;
    if (shown === null) return null;
    const message = `${introduction}\n${jsonText(shown.about, 1)}`;
    if (message.length > MAX_MESSAGE) return null;
    const rest = around === undefined ? null : JsonObject.parse({ ...around, task: null });
    const asked = {
      form: FORM_OF[status],
      tool,
      call: digestOfCall(called),
      task_id,
      fixed: shown.fixed,
      around: rest,
    };
    return { message, schema, asked };
  }

  /** The answer to the call that was asked about: the task as it goes on, or as it waits where the human has not decided. */
  async function answerAfter(
    called: Called,
    { asked, response }: { readonly asked: Asked; readonly response: unknown },
    requester: Requester,
  ): Promise<McpReply<ToolResult>> {
    const { form, tool, task_id, fixed, around } = asked;
    const { operation, content } = FORMS[form];
    if (digestOfCall(called) !== asked.call)
      return failed(
        "invalid_params",
        `This is the answer to another call of ${tool}: repeat that call with its arguments.`,
      );
    const { fault, accepted } = readResponse(content, response);
    if (fault !== null) return failed("invalid_params", `${fault} Nothing was decided, and the question stays open.`);
    if (accepted !== null) {
      const decided = await calls.call(operation.name, { ...fixed, ...accepted }, requester.caller);
      if (!decided.ok) return { ok: true, result: resultOf(decided) };
    }
    const wait_seconds = accepted === null ? 0 : waitOf(called);
    const reply = await tools.call({ name: "get_task", input: { task_id, wait_seconds }, ...requester });
    if (!reply.ok || around === null || !("structuredContent" in reply.result)) return reply;
    const task = TaskNow.parse(reply.result.structuredContent);
    const output = { ...around, ...(await fieldsOf(calls, tool, task, requester)) };
    return { ok: true, result: resultOf({ ok: true, output }) };
  }

  return { questionAfter, answerAfter };
}

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

/** Those of the call's answer that follow from the task. */
async function fieldsOf(calls: Calls, tool: string, task: z.infer<typeof TaskNow>, { caller }: Requester) {
  const { next, ...rest } = task;
  if (tool === approve.name) return { task: rest, next };
  const argumentOf = (operation: string) => next.find((action) => action.operation === operation)?.arguments;
  const subject = subjectOfThread(String(argumentOf("list_approvals")?.["thread_id"]));
  if (subject.kind !== "promotion") return { task };
  const got = await calls.call("get_sop", { sop_id: subject.sop_id }, caller);
  const sop = got.ok ? sopRow(getSop.output.parse(got.output).sop) : null;
  return { task, sop, approval_id: argumentOf("approve")?.["approval_id"] ?? null };
}
