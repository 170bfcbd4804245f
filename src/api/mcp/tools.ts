// Offers the operations as tools, with short answers and progress while a call waits. Every outcome of a task is an ordinary
// result; isError says that the call itself was wrong. What may be done next is shown as tool calls.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { NextAction } from "../../domain/next-action.ts";
import { flatSchemaOf, jsonSchemaOf, shortSchemaOf, type Words } from "../../schema/json-schema.ts";
import {
  type AnyOperation,
  type Caller,
  invalidInput,
  isSubmit,
  type OperationShape,
} from "../operations/operation.ts";
import { TaskView } from "../operations/shapes/task-view.ts";
import {
  type Answer,
  type Calls,
  createCalls,
  done,
  failed,
  faultOf,
  type McpCaller,
  type McpLog,
  type McpReply,
} from "./calls.ts";
import { fitAnswer, fitFault, jsonText, tooLong, visible } from "./fit-answer.ts";
import { readArguments } from "./nested-json.ts";
import { createSopTools, type SopTools } from "./sop-tools.ts";
import {
  approveView,
  copyView,
  exportView,
  importView,
  proposeView,
  proveView,
  rollbackView,
  taskView,
  teachView,
} from "./views/answers.ts";
import { evidenceView } from "./views/evidence.ts";
import { approvalsView, inboxView, journalView, messagesView, sopsView, tasksView } from "./views/lists.ts";
import { scorecardView } from "./views/scorecard.ts";
import type { View } from "./views/view.ts";

/** Hosts that prefix tools with their server write `orch__approve`; it is accepted and not listed. */
const PREFIX = "orch__";
export const toolName = (given: string): string => (given.startsWith(PREFIX) ? given.slice(PREFIX.length) : given);

/** Of an unknown name, where a message repeats it. */
const MAX_NAME = 128;

/** Who calls. The caller's signal ends its waits. */
export type Requester = {
  readonly caller: McpCaller;
  /** Null when the caller has not asked for progress, or cannot get it. */
  readonly report: ((progress: Progress) => Promise<void>) | null;
};

type ToolInput = Requester & { readonly input: Readonly<Record<string, unknown>> };
type ToolCall = ToolInput & { readonly name: string };

type Text = { type: "text"; text: string };

export type ToolResult =
  | { content: Text[]; structuredContent: Record<string, unknown> }
  | { content: Text[]; isError: true };

type ToolDeps = {
  /** The operations with their whole answers. */
  readonly calls: Calls;
  readonly operations: readonly AnyOperation[];
  readonly words: Words;
  readonly progress_ms: number;
  readonly log: McpLog;
  readonly sop_tools: SopTools | null;
};

export type Tools = ReturnType<typeof createTools>;

export function createTools({ calls: whole, operations: table, words, progress_ms, log, sop_tools }: ToolDeps) {
  const operations = table.map(modelOperation);
  const calls = createCalls(operations, log);
  const names = operations.map(({ name }) => name).join(", ");
  const schemas = new Map(operations.map(({ name, input }) => [name, jsonSchemaOf(input, "input")]));
  const described = operations.map((operation) => describe(operation, words));
  const sops = sop_tools === null ? null : createSopTools(sop_tools);
  const reads = new Set(operations.filter(({ hints }) => hints.read_only).map(({ name }) => name));

  /** What was asked for in full has the limit of the protocol's clients, any other answer that of a model. */
  function replyTo(name: string, input: ToolInput["input"], answer: Answer): McpReply<ToolResult> {
    if (!answer.ok) return done(resultOf(answer));
    const isReading = reads.has(name);
    if (!(isReading && isUnbounded(input)))
      return done(resultOf({ ok: true, output: fitAnswer(answer.output, isReading ? ASK_IN_FULL : READ_IT) }));
    const result = resultOf(answer);
    const fault = tooLong(result);
    return done(fault === null ? result : resultOf({ ok: false, fault }));
  }

  async function call(name: string, { input, caller, report }: ToolInput): Promise<McpReply<ToolResult>> {
    const work = calls.call(name, input, caller);
    const total_seconds = Number(input["wait_seconds"] ?? 0);
    if (report === null || !(total_seconds > 0)) return replyTo(name, input, await work);
    const onFault = (err: unknown) =>
      log.error({ request_id: caller.request_id, operation: name, err }, "progress could not be reported");
    const say = () => whatIsKnown(whole, input["task_id"], caller);
    const reporting = { every_ms: progress_ms, total_seconds, describe: say, report, onFault };
    return replyTo(name, input, await whileReporting(work, reporting));
  }

  return {
    operations: described,
    /** With the answers that a model gets. */
    modelCalls: calls,
    isSopTool: (name: string): boolean => sops?.isNameOf(name) === true,
    isTool: (given: string): boolean => schemas.has(toolName(given)) || sops?.isNameOf(toolName(given)) === true,
    list: async (caller: McpCaller) => [...described, ...((await sops?.list(caller)) ?? [])],
    /** An unknown tool is an error of the protocol; any other fault is a result that the model can correct. */
    call: async ({ name: given, ...asked }: ToolCall): Promise<McpReply<ToolResult>> => {
      const name = toolName(given);
      const schema = schemas.get(name);
      if (schema !== undefined) {
        const read = readArguments(schema, asked.input);
        if (!read.ok) return done(resultOf({ ok: false, fault: faultOf(invalidInput({ name }, [read.issue])) }));
        return call(name, { ...asked, input: read.value });
      }
      if (sops?.isNameOf(name) !== true)
        return failed("invalid_params", `There is no tool ${given.slice(0, MAX_NAME)}. There are: ${names}.`);
      const found = await sops.contractFor(name, asked.input);
      return found.ok ? call("submit_task", { ...asked, input: found.contract }) : done(resultOf(found));
    },
  };
}

const ASK_IN_FULL = 'all of it: view "full"';
const READ_IT = 'all of it: get_task, get_sop or list_approvals with view "full"';

const textOf = (value: unknown): Text[] => [{ type: "text", text: jsonText(value) }];

export const resultOf = (answer: Answer): ToolResult =>
  answer.ok
    ? { content: [...textOf(answer.output), ...nextOf(answer.output)], structuredContent: answer.output }
    : { content: textOf(fitFault(answer.fault)), isError: true };

function nextOf(output: unknown): Text[] {
  const text = nextText(output);
  return text === null ? [] : [{ type: "text", text }];
}

function describe(operation: OperationShape, words: Words) {
  const { name, summary, guidance, hints, input, output } = operation;
  const title = titleOf(name);
  const { read_only, destructive, idempotent } = hints;
  return {
    name,
    title,
    description: guidance === undefined ? summary : `${summary} ${guidance}`,
    inputSchema: flatSchemaOf(input, words),
    outputSchema: shortSchemaOf(output),
    annotations: {
      title,
      readOnlyHint: read_only,
      ...(!read_only && { destructiveHint: destructive, idempotentHint: idempotent }),
      // The steps of a task may reach anything; every other operation stays within orch.
      openWorldHint: isSubmit(operation),
    },
  };
}

/** `submit_task` is "Submit task". */
const titleOf = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`.replaceAll("_", " ");

/** The state in one sentence, for a caller that waits. */
async function whatIsKnown(calls: Calls, task_id: unknown, caller: McpCaller): Promise<string> {
  const answer = calls.has("get_task") ? await calls.call("get_task", { task_id }, caller) : null;
  const known = TaskView.safeParse(answer?.ok === true ? answer.output : null);
  if (!known.success) return "Still waiting.";
  const { task_id: found, status, waiting_text, steps } = known.data;
  if (waiting_text !== null) return `Task ${found} is ${status}. ${waiting_text}`;
  const passed = steps.filter((step) => step.status === "passed").length;
  return `Task ${found} is ${status}: ${passed} of ${steps.length} steps have passed.`;
}

const WithNext = z.object({ next: z.array(NextAction) });

/** Null when the output says nothing of it. */
function nextText(output: unknown): string | null {
  const parsed = WithNext.safeParse(output);
  if (!parsed.success || parsed.data.next.length === 0) return null;
  return visible(["Next:", ...parsed.data.next.map(lineOf)].join("\n"));
}

const lineOf = ({ operation, arguments: given, text }: NextAction): string =>
  operation === null ? `- ${inOneLine(text)}` : `- ${operation} ${JSON.stringify(given)}: ${inOneLine(text)}`;

const inOneLine = (text: string): string => text.replace(/\p{Cc}+/gu, " ");

export type Progress = { readonly progress: number; readonly total: number; readonly message: string };

type Reports = {
  readonly every_ms: number;
  readonly total_seconds: number;
  readonly describe: () => Promise<string>;
  readonly report: (progress: Progress) => Promise<void>;
};

export type Reporting = Reports & {
  /** Gets the error when a report fails; the work goes on. */
  readonly onFault: (error: unknown) => void;
};

/**
 * Reports to a waiting caller how long it has waited, and the state so far. Hosts that give up after a silence keep waiting when
 * they get progress. The outcome of the work. No report follows it.
 */
export async function whileReporting<T>(work: Promise<T>, { onFault, ...reporting }: Reporting): Promise<T> {
  const over = new AbortController();
  const reported = reportUntil(over.signal, reporting).catch(onFault);
  try {
    return await work;
  } finally {
    over.abort();
    await reported;
  }
}

async function reportUntil(over: AbortSignal, { every_ms, total_seconds, describe, report }: Reports) {
  const started = performance.now();
  for (;;) {
    // Rejects when the work is over, which ends the sleep.
    await sleep(every_ms, undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return;
    const message = await describe();
    if (over.aborted) return;
    const waited = (performance.now() - started) / 1000;
    await report({ progress: Math.min(waited, total_seconds), total: total_seconds, message });
  }
}

/** By the output of the operation: several operations answer with a task. */
const VIEWS: ReadonlyMap<z.ZodType, View> = new Map([
  ...[taskView, tasksView, sopsView, messagesView, approvalsView, inboxView, journalView, evidenceView],
  scorecardView,
  ...[teachView, approveView, importView, copyView, rollbackView, proveView, proposeView, exportView],
]);

const FULL = {
  view: z.enum(["short", "full"]).default("short").describe("full: all of it."),
};

const Extra = z.object({ view: FULL.view, step: z.int().optional(), tail_bytes: z.int().optional() });

/** Whether the caller has asked for an answer of any length. */
const isUnbounded = (input: unknown): boolean => {
  const { data } = Extra.safeParse(input);
  return data !== undefined && (data.view === "full" || data.tail_bytes !== undefined);
};

/**
 * The operations as a model calls them: short answers, and everything on request (D-209). The same with the input and the output
 * that its tool has.
 */
export function modelOperation(operation: AnyOperation): AnyOperation {
  const { input, output, hints } = operation;
  const view = VIEWS.get(output);
  const fields = { ...view?.fields, ...(hints.read_only && FULL) };
  const added = Object.keys(fields).filter((name) => !Object.hasOwn(input.shape, name));
  return {
    ...operation,
    input: input.safeExtend(fields),
    output: view === undefined ? output : z.union([view.output, output]),
    handle: async (given: Record<string, unknown>, caller: Caller) => {
      const asked = Object.fromEntries(Object.entries(given).filter(([name]) => !added.includes(name)));
      const whole = output.parse(await operation.handle(asked, caller));
      return view === undefined || given["view"] === "full" ? whole : view.show(whole, given);
    },
  };
}
