// The operations as tools. Every outcome of a task is an ordinary result; isError says that the call itself was wrong. What may
// be done next is shown as tool calls.

import { z } from "zod";
import { NextAction } from "../domain/next-action.ts";
import { isSubmit, type OperationShape } from "../operations/operation.ts";
import { TaskView } from "../operations/shapes/task-view.ts";
import { jsonSchemaOf } from "../schema/json-schema.ts";
import type { Answer, Calls, McpCaller, McpLog } from "./calls.ts";
import { GUIDANCE } from "./guidance.ts";
import { jsonText, tooLong, visible } from "./json-text.ts";
import { type Progress, whileReporting } from "./progress.ts";
import { done, failed, type McpReply } from "./reply.ts";

/** Hosts that prefix tools with their server write `orch__approve`; it is accepted and not listed. */
const PREFIX = "orch__";
/** Of an unknown name, where a message repeats it. */
const MAX_NAME = 128;

export type ToolCall = {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly caller: McpCaller;
  /** Null when the caller has not asked for progress. */
  readonly report: ((progress: Progress) => Promise<void>) | null;
};

type Text = { type: "text"; text: string };

type ToolResult = { content: Text[]; structuredContent: Record<string, unknown> } | { content: Text[]; isError: true };

export function createTools(calls: Calls, { progress_ms, log }: { progress_ms: number; log: McpLog }) {
  const names = calls.operations.map(({ name }) => name).join(", ");
  const reads = new Set(calls.operations.filter(({ hints }) => hints.read_only).map(({ name }) => name));

  /** The result of a change is returned at any length; that of a reading has a limit. */
  function replyTo(name: string, answer: Answer): McpReply<ToolResult> {
    const result = resultOf(answer);
    const fault = reads.has(name) ? tooLong(result) : null;
    return done(fault === null ? result : resultOf({ ok: false, fault }));
  }

  return {
    list: calls.operations.map(describe),
    /** An unknown tool is an error of the protocol; any other fault is a result that the model can correct. */
    call: async ({ name: given, input, caller, report }: ToolCall): Promise<McpReply<ToolResult>> => {
      const name = given.startsWith(PREFIX) ? given.slice(PREFIX.length) : given;
      if (!calls.has(name))
        return failed("invalid_params", `There is no tool ${given.slice(0, MAX_NAME)}. There are: ${names}.`);
      const work = calls.call(name, input, caller);
      const total_seconds = Number(input["wait_seconds"] ?? 0);
      if (report === null || !(total_seconds > 0)) return replyTo(name, await work);
      const onFault = (err: unknown) =>
        log.error({ request_id: caller.request_id, operation: name, err }, "progress could not be reported");
      const say = () => whatIsKnown(calls, input["task_id"], caller);
      const reporting = { every_ms: progress_ms, total_seconds, describe: say, report, onFault };
      return replyTo(name, await whileReporting(work, reporting));
    },
  };
}

const textOf = (value: unknown): Text[] => [{ type: "text", text: jsonText(value) }];

const resultOf = (answer: Answer): ToolResult =>
  answer.ok
    ? { content: [...textOf(answer.output), ...nextOf(answer.output)], structuredContent: answer.output }
    : { content: textOf(answer.fault), isError: true };

function nextOf(output: unknown): Text[] {
  const text = nextText(output);
  return text === null ? [] : [{ type: "text", text }];
}

function describe(operation: OperationShape) {
  const { name, summary, hints, input, output } = operation;
  const title = titleOf(name);
  const guidance = GUIDANCE.get(name);
  const { read_only, destructive, idempotent } = hints;
  return {
    name,
    title,
    description: guidance === undefined ? summary : `${summary} ${guidance}`,
    inputSchema: jsonSchemaOf(input, "input"),
    outputSchema: jsonSchemaOf(output, "output"),
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
  const { task_id: found, status, queued_behind, steps } = known.data;
  if (queued_behind !== null) return `Task ${found} is ${status}, queued after ${queued_behind}.`;
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
