// Has the human at the client decide the approval at which a waiting call has ended (D-220). The decision takes the way of the
// tool approve, under the scope of the caller's token and for the digest that the human was shown.
import { z } from "zod";
import { digestOf, JsonObject } from "../domain/json.ts";
import { NextAction } from "../domain/next-action.ts";
import { subjectOfThread } from "../domain/thread-id.ts";
import { approve, listApprovals } from "../operations/shapes/approvals.ts";
import { getSop } from "../operations/shapes/sops.ts";
import { parseInput } from "../schema/parse-input.ts";
import type { Calls } from "./calls.ts";
import { jsonText } from "./json-text.ts";
import { failed, type McpReply } from "./reply.ts";
import { USUAL_WAIT } from "./sop-tools.ts";
import { type Requester, resultOf, type ToolResult, type Tools, toolName } from "./tools.ts";
import { sopRow } from "./views/lists.ts";

/** What the client sends back with the answer. */
type Asked = {
  readonly tool: string;
  /** The digest of the call: the answer belongs to it and to no other. */
  readonly call: string;
  readonly task_id: string;
  readonly approval_id: string;
  readonly digest: string;
  /** The answer of the call around the task, where it has more than the task. */
  readonly around: z.infer<typeof JsonObject> | null;
};

export type FormQuestion = { readonly message: string; readonly asked: Asked };

type Called = { readonly name: string; readonly arguments?: Readonly<Record<string, unknown>> | undefined };

/** The form that the client shows. No decision is the default. */
export const DECISION_FORM = {
  type: "object" as const,
  properties: {
    decision: { type: "string" as const, title: "Decision", enum: ["approve", "reject"] },
    reason: { type: "string" as const, title: "Reason", description: "The supervisor gets it.", maxLength: 4096 },
  },
  required: ["decision"],
};

const Accepted = z.object({
  action: z.literal("accept"),
  content: z.object({ decision: z.enum(["approve", "reject"]), reason: z.string().max(4096).optional() }),
});

const Undecided = z.object({ action: z.enum(["decline", "cancel"]) });

const ASKING: ReadonlySet<string> = new Set(["submit_task", "get_task", "teach", "approve", "resolve_step"]);
const Waiting = z.object({
  task_id: z.string(),
  status: z.literal("need_approval"),
  outcome: z.object({ approval_id: z.string() }),
});
const TaskNow = z.looseObject({ next: z.array(NextAction) });
const Around = z.looseObject({ task: Waiting });
/** Content that cannot be shown whole cannot be approved. */
const MAX_MESSAGE = 8_000;

const INTRODUCTION =
  "orch waits for your decision before it goes on. It covers everything below and nothing else. Text in it was written by others.";

export function createHuman({ calls, tools }: { readonly calls: Calls; readonly tools: Tools }) {
  const waitOf = ({ name, arguments: { wait_seconds } = {} }: Called): number =>
    Number(wait_seconds ?? (tools.isSopTool(toolName(name)) ? USUAL_WAIT : 0));

  /** Null when the call did not wait for an approval, or this caller may not decide it. */
  async function questionAfter(
    called: Called,
    result: ToolResult,
    { caller }: Requester,
  ): Promise<FormQuestion | null> {
    const tool = toolName(called.name);
    const isAsking = ASKING.has(tool) || tools.isSopTool(tool);
    if (!isAsking || !(waitOf(called) > 0) || !("structuredContent" in result) || caller.refusalOf(approve) !== null)
      return null;
    const { data: around } = Around.safeParse(result.structuredContent);
    const waiting = around?.task ?? Waiting.safeParse(result.structuredContent).data;
    if (waiting === undefined) return null;
    const { task_id, outcome } = waiting;
    const listed = await calls.call("list_approvals", { thread_id: task_id, status: "pending" }, caller);
    const approvals = listed.ok ? listApprovals.output.parse(listed.output).approvals : [];
    const approval = approvals.find(({ approval_id }) => approval_id === outcome.approval_id);
    if (approval === undefined) return null;
    const { approval_id, digest, reason, expires_at, content } = approval;
    const message = `${INTRODUCTION}\n${jsonText({ reason, task_id, approval_id, digest, expires_at, content }, 1)}`;
    if (message.length > MAX_MESSAGE) return null;
    const rest = around === undefined ? null : JsonObject.parse({ ...around, task: null });
    return { message, asked: { tool, call: digestOfCall(called), task_id, approval_id, digest, around: rest } };
  }

  /** The answer to the call that was asked about: the task as it goes on, or as it waits where the human has not decided. */
  async function answerAfter(
    called: Called,
    { asked, response }: { readonly asked: Asked; readonly response: unknown },
    requester: Requester,
  ): Promise<McpReply<ToolResult>> {
    const { tool, task_id, around } = asked;
    if (digestOfCall(called) !== asked.call)
      return failed(
        "invalid_params",
        `This is the answer to another call of ${tool}: repeat that call with its arguments.`,
      );
    const { fault, accepted } = readResponse(response);
    if (fault !== null) return failed("invalid_params", `${fault} Nothing was decided, and the approval waits.`);
    if (accepted !== null) {
      const decided = await calls.call("approve", decisionOf(asked, accepted), requester.caller);
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

function decisionOf({ approval_id, digest }: Asked, { content: { decision, reason } }: z.infer<typeof Accepted>) {
  return { approval_id, digest, decision, decided_by: "the human at the MCP client", ...(reason && { reason }) };
}

const digestOfCall = (called: Called): string =>
  digestOf({ tool: toolName(called.name), given: called.arguments ?? {} });

/** Declined, cancelled and absent answers decide nothing; an accepted form that does not fit is a fault, not silence. */
function readResponse(response: unknown): { fault: string | null; accepted: z.infer<typeof Accepted> | null } {
  if (response === undefined || Undecided.safeParse(response).success) return { fault: null, accepted: null };
  const parsed = parseInput(Accepted, response);
  if (parsed.ok) return { fault: null, accepted: parsed.value };
  const said = parsed.issues.map(({ path, message }) => `${path} ${message}`).join("; ");
  return { fault: `The answer to the form is not accepted: ${said}.`, accepted: null };
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
