// Calls operations for an MCP client: checks the scope and the rate of its token, then calls the operation. The one place where
// errors become answers of MCP.
import { z } from "zod";
import { type ErrorCode, isQuarantined, OrchError } from "../../domain/errors.ts";
import { structuralIssue } from "../../domain/json.ts";
import { MEND } from "../../domain/quarantine.ts";
import { readTraceparent } from "../../domain/trace-mark.ts";
import type { Fault } from "../../schema/problem-document.ts";
import {
  type AnyOperation,
  type Caller,
  callOperation,
  invalidInput,
  type OperationShape,
} from "../operations/operation.ts";

export type McpConnection = Caller & {
  /** Why the caller may not call the operation now; null when it may. Each call of this function takes a turn. */
  readonly refusalOf: (
    operation: Pick<OperationShape, "name" | "scope">,
  ) => Promise<{ readonly problem: Fault } | null>;
};

/** The authenticated caller of the HTTP request. */
export type McpCaller = McpConnection & {
  /** Identifies the request in the log. */
  readonly request_id: string;
};

const Traced = z.object({ traceparent: z.string() });

/** In MCP a call says in its own `_meta` of which trace it is: one HTTP connection may carry calls of several. */
export function tracedBy(caller: McpCaller, meta: unknown): McpCaller {
  const traceparent = readTraceparent(Traced.safeParse(meta).data?.traceparent);
  return traceparent === null ? caller : { ...caller, traceparent };
}

const Output = z.record(z.string(), z.unknown());

export type Answer =
  | { readonly ok: true; readonly output: z.infer<typeof Output> }
  | { readonly ok: false; readonly fault: Fault };

export type McpLog = Readonly<Record<"debug" | "error", (details: object, message: string) => void>>;

export type Calls = ReturnType<typeof createCalls>;

export function createCalls(operations: readonly AnyOperation[], log: McpLog) {
  const named = new Map(operations.map((operation) => [operation.name, operation]));

  /** Never rejects. Check `has` before: calling an operation that is not in the table is a bug. */
  async function call(name: string, input: unknown, caller: McpCaller): Promise<Answer> {
    try {
      const operation = named.get(name);
      if (operation === undefined) throw new Error(`there is no operation ${name}`);
      const refusal = await caller.refusalOf(operation);
      if (refusal !== null) return { ok: false, fault: shown(refusal.problem) };
      const issue = structuralIssue(input);
      if (issue !== null) throw invalidInput(operation, [issue]);
      return { ok: true, output: Output.parse(await callOperation(operation, input, caller)) };
    } catch (error) {
      if (error instanceof OrchError && !OUR_FAULTS.has(error.code)) return { ok: false, fault: faultOf(error) };
      const { request_id } = caller;
      log.error({ request_id, operation: name, err: error }, "a call over MCP failed");
      const fault = ourFault(error instanceof OrchError ? error.code : "internal_error", request_id);
      return { ok: false, fault: isQuarantined(error) ? { ...fault, detail: error.message, fix: MEND } : fault };
    }
  }

  return { operations, has: (name: string): boolean => named.has(name), call };
}

/** A fault of the service gets a general message: its own may name tables, files and addresses. */
const OUR_FAULTS: ReadonlySet<ErrorCode> = new Set([
  ...(["config_invalid", "database_unusable", "release_skipped", "quarantined", "fenced", "internal_error"] as const),
]);

const ourFault = (code: ErrorCode, request_id: string): Fault => ({
  code,
  detail: `This is not the caller's doing. The log of the service has details under the request_id ${request_id}.`,
});

export const faultOf = ({ code, message, issues, fix, current }: OrchError): Fault =>
  shown({ code, detail: message, issues: [...issues], current, ...(fix !== null && { fix }) });

export const shown = ({ code, detail, fix, issues = [], current }: Fault): Fault => ({
  code,
  detail,
  ...(fix !== undefined && { fix }),
  ...(issues.length > 0 && { issues }),
  ...(current !== undefined && { current }),
});

/** The answer to a request of the protocol: a result, or a JSON-RPC error. Faults of a tool are results (tools.ts). */
export type McpReply<T> =
  | { readonly ok: true; readonly result: T }
  | { readonly ok: false; readonly code: number; readonly message: string; readonly data?: unknown };

/** The numbers of JSON-RPC and MCP; `refused` is the first that servers may use. */
const CODES = { invalid_params: -32602, internal: -32603, not_found: -32002, refused: -32000 } as const;

export const done = <T>(result: T): McpReply<T> => ({ ok: true, result });

export const failed = (code: keyof typeof CODES, message: string, data?: unknown): McpReply<never> => ({
  ok: false,
  code: CODES[code],
  message,
  ...(data !== undefined && { data }),
});

export const refused = (fault: Fault): McpReply<never> => failed("refused", fault.detail, fault);

/** The result for a library of the protocol, which makes a JSON-RPC error of what is thrown. */
export function resultOf<T>(reply: McpReply<T>): T {
  if (reply.ok) return reply.result;
  const { code, message, data } = reply;
  throw Object.assign(new Error(message), { code, data });
}
