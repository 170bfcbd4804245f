// Defines an operation: its shape, which is enough to publish it and to call it from elsewhere; the handler that is bound to it in
// table.ts; its call, and its bounded waits. The endpoints, OpenAPI, the MCP tools and the command line derive from shapes.
import { z } from "zod";
import type { Approval } from "../../domain/approval.ts";
import { type FieldIssue, OrchError } from "../../domain/errors.ts";
import { textIssue, unstorable } from "../../domain/json.ts";
import { isRecord } from "../../domain/json-values.ts";
import { hasEnded, isPaused } from "../../domain/outcome.ts";
import type { Quarantined } from "../../domain/quarantine.ts";
import type { Task } from "../../domain/task.ts";
import { parseInput, readTextFields } from "../../schema/parse-input.ts";
import type { Caller, OperationDeps } from "./deps.ts";

// What a list leaves out: the records of its kind that cannot be read (D-231).

export const leftOut = (
  { quarantined }: Pick<OperationDeps, "quarantined">,
  record: Quarantined["record"],
): Quarantined[] => quarantined().filter((one) => one.record === record);

const SCOPES = ["read", "submit", "teach", "approve"] as const;
export type Scope = (typeof SCOPES)[number];

type Hints = {
  readonly read_only: boolean;
  /** May change or end something that cannot be restored. */
  readonly destructive: boolean;
  /** The same call again has no further effect. */
  readonly idempotent: boolean;
};

export type OperationShape<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  Name extends string = string,
> = {
  readonly name: Name;
  readonly summary: string;
  /** When to call it and what to do with its answer. MCP tools and the OpenAPI document publish it after the summary. */
  readonly guidance?: string;
  readonly method: "GET" | "POST";
  /** With `{task_id}` for a path parameter; every other input field is in the query (GET) or the body (POST). */
  readonly path: string;
  readonly scope: Scope;
  /** Another scope that is enough for it. */
  readonly or_scope?: Scope;
  readonly hints: Hints;
  /** It is for pages, and a model gets what it needs from others: each tool costs it tokens with every request. */
  readonly no_tool?: true;
  readonly input: I;
  readonly output: O;
  /** One call, as the OpenAPI document shows it. */
  readonly example?: object;
};

/** Lets each shape infer its own types and keep its name as a literal. */
export const shape = <I extends z.ZodType, O extends z.ZodType, const Name extends string>(
  given: OperationShape<I, O, Name> & { readonly example: z.input<I> },
): OperationShape<I, O, Name> => given;

/** Records that the OpenAPI document names, each with a sentence. */
export type NamedSchemas = Readonly<Record<string, readonly [schema: z.ZodType, description: string]>>;

/** The tag of the operations whose paths begin with this part. */
export type Tags = Readonly<Record<string, readonly [tag: string, description: string]>>;

export const READ: Hints = { read_only: true, destructive: false, idempotent: true };

export const SopId = z.uuid("must be the UUID of an SOP").describe("The UUID of the SOP; list_sops names them.");

export const limitOf = (usual: number) => z.int().min(1).max(500).default(usual).describe("At most this many.");
export const Limit = limitOf(50);

export const MAX_WAIT_SECONDS = 50;

export const WaitSeconds = z
  .number()
  .min(0)
  .max(MAX_WAIT_SECONDS)
  .default(0)
  .describe("Wait until the task ends or needs an answer, at most this long.");

export type { Caller };

/** As records name who acted: the human by the name given at the console, with the token, else the token (D-360). */
export const nameOf = ({ at_console, token_id }: Pick<Caller, "at_console" | "token_id">): string =>
  at_console?.name == null ? token_id : `${at_console.name} (${token_id})`;

/**
 * A text of the record that ends with the human at the console. Servers of earlier versions have to read the record, so the name is in
 * its text, and no field of its own (D-360).
 */
export function withName(text: string | null, { at_console }: Pick<Caller, "at_console">): string | null {
  const name = at_console?.name ?? null;
  if (name === null) return text;
  return text === null ? `by ${name}` : `${text} (by ${name})`;
}

/** Rejects with an OrchError when the call was wrong; every outcome of a task is an ordinary result. */
type Handle<I extends z.ZodType, O extends z.ZodType> = (input: z.output<I>, caller: Caller) => Promise<z.input<O>>;

export type Operation<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = OperationShape<I, O> & {
  readonly handle: Handle<I, O>;
  /** What the schema does not say is wrong of an input, of which other fields may be wrong too. */
  readonly wrongHere?: WrongHere | undefined;
};

export type WrongHere = (input: unknown) => Promise<readonly FieldIssue[]>;

/** What handles the operation of this shape, once it has its dependencies. */
export type HandleOf<S extends OperationShape> = Handle<S["input"], S["output"]>;
export type OperationHandler<S extends OperationShape> = (deps: OperationDeps) => HandleOf<S>;

/** The handler of each shape, by its name. */
export type HandlersOf<Shapes extends readonly OperationShape[]> = {
  readonly [S in Shapes[number] as S["name"]]: OperationHandler<S>;
};

/** What the schemas of operations do not say, by the name of the operation. */
export type OperationRules = { readonly [name: string]: (deps: OperationDeps) => WrongHere };

// biome-ignore lint/suspicious/noExplicitAny: a table of operations is heterogeneous; each parses its own input and output
export type AnyOperation = Operation<any, any>;

export const isSubmit = ({ name }: Pick<OperationShape, "name">): boolean => name === "submit_task";

export const inputCode = (operation: Pick<OperationShape, "name">): "contract_invalid" | "input_invalid" =>
  isSubmit(operation) ? "contract_invalid" : "input_invalid";

/** The fields of a GET come from a query or a command line, where all are text. */
export const fieldsOf = (
  { method, input: schema }: Pick<OperationShape, "method" | "input">,
  given: unknown,
): unknown => (method === "GET" && isRecord(given) ? readTextFields(schema, given) : given);

/** Rejects with an OrchError that names every wrong field, or the reason of a refusal. */
export async function callOperation(operation: AnyOperation, input: unknown, caller: Caller): Promise<unknown> {
  const parsed = parseInput(operation.input, fieldsOf(operation, input));
  const text = textIssue(input, unstorable);
  const wrong = [...(text === null ? [] : [text]), ...((await operation.wrongHere?.(input)) ?? [])];
  if (parsed.ok && wrong.length === 0) return operation.output.parse(await operation.handle(parsed.value, caller));
  throw invalidInput(operation, joinedIssues(parsed.ok ? [] : parsed.issues, wrong));
}

/** Of two issues of a field, the one that the schema does not know says more. */
export function joinedIssues(of_schema: readonly FieldIssue[], further: readonly FieldIssue[]): FieldIssue[] {
  const known = new Set(further.map(({ path }) => path));
  return [...of_schema.filter(({ path }) => !known.has(path)), ...further];
}

/** Of a position after the last record: the records that come would be taken for others. */
export const AHEAD = "is larger than that of any record, so it is of another database; leave it out to begin again";

const MOST_NAMED = 20;

export function invalidInput(operation: Pick<OperationShape, "name">, issues: OrchError["issues"]): OrchError {
  const first = issues
    .slice(0, MOST_NAMED)
    .map(({ path, message }) => `${path === "" ? "the input" : path} ${message}`);
  const more = issues.length > first.length ? `; and ${issues.length - first.length} more` : "";
  const text = `${first.join("; ")}${more}`;
  return new OrchError(inputCode(operation), text.endsWith("?") ? text : `${text}.`, { issues });
}

// Bounded waiting for a report. A wait that runs out returns what there is; it never cancels anything.

type Deps = Pick<OperationDeps, "store" | "nextReport">;
type Next = (ms: number, signal: AbortSignal) => Promise<void>;

export type Patience = { readonly wait_seconds: number; readonly signal: AbortSignal };

type Look<T> = {
  readonly next: Next;
  readonly look: () => Promise<T>;
  readonly isEnough: (seen: T) => boolean;
};

/** Looks again each time `next` resolves, until the result is enough or the time is over. */
export async function lookUntil<T>({ next, look, isEnough }: Look<T>, { wait_seconds, signal }: Patience): Promise<T> {
  if (wait_seconds === 0) return look();
  // Not the wall clock, which may be set back while somebody waits.
  const deadline = performance.now() + wait_seconds * 1000;
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  try {
    for (;;) {
      const left = Math.max(0, deadline - performance.now());
      // Listening starts before the look, so that no change is missed between the two.
      const change = next(left, either);
      const seen = await look();
      if (left === 0 || signal.aborted || isEnough(seen)) return seen;
      await change;
    }
  } finally {
    over.abort();
  }
}

/** The task once it has ended or paused, or as it is when the time is over. */
export const settled = (deps: Deps, task_id: string, patience: Patience): Promise<Task | null> =>
  lookUntil(
    {
      next: (ms, signal) => deps.nextReport(task_id, ms, signal),
      look: () => deps.store.findTask(task_id),
      isEnough: (task) => task === null || hasEnded(task.status) || isPaused(task.status),
    },
    patience,
  );

// A thread needs a moment between asking for an approval and waiting for it.
export const PREPARATION_SECONDS = 5;

/** The approval once its thread waits for the decision. */
export const prepared = (deps: Deps, approval: Approval, signal: AbortSignal): Promise<Approval | null> =>
  lookUntil(
    {
      next: (ms, until) => deps.nextReport(approval.thread_id, ms, until),
      look: () => deps.store.findApproval(approval.approval_id),
      isEnough: (current) => current === null || current.status !== "pending" || current.interrupt_id !== null,
    },
    { wait_seconds: PREPARATION_SECONDS, signal },
  );

/** The approval that a thread asks for, once it waits for it. */
export async function askedBy(deps: Deps, thread_id: string, signal: AbortSignal): Promise<Approval | null> {
  const patience = { wait_seconds: PREPARATION_SECONDS, signal };
  const look = async () => (await deps.store.listApprovals({ thread_id, status: "pending", limit: 1 }))[0] ?? null;
  const next: Next = (ms, until) => deps.nextReport(thread_id, ms, until);
  const isEnough = (approval: Approval | null) => approval !== null && approval.interrupt_id !== null;
  return lookUntil({ next, look, isEnough }, patience);
}

// A quarter of the connections of the HTTP server: waits must leave room for other calls.
const MAX_WAITS = 500;

/**
 * Limits concurrent waits. A call over the limit returns the current state immediately; it never fails: a wait only saves
 * the caller from asking again.
 */
export function boundWaits(most = MAX_WAITS): (operation: AnyOperation) => AnyOperation {
  let waiting = 0;
  return (operation) => ({
    ...operation,
    handle: async (input, caller) => {
      if (!(input.wait_seconds > 0)) return operation.handle(input, caller);
      if (waiting >= most) return operation.handle({ ...input, wait_seconds: 0 }, caller);
      waiting += 1;
      try {
        return await operation.handle(input, caller);
      } finally {
        waiting -= 1;
      }
    },
  });
}
