// An operation: its shape, and the handler that is bound to it in table.ts.
import type { z } from "zod";
import type { OperationDeps } from "./deps.ts";
import type { OperationShape } from "./shape.ts";

export type Caller = {
  /** Which token was used, never the token itself. */
  readonly token_id: string;
  /** Aborted when the caller disconnects: ends a wait, never a task. */
  readonly signal: AbortSignal;
};

/** Rejects with an OrchError when the call was wrong; every outcome of a task is an ordinary result. */
type Handle<I extends z.ZodType, O extends z.ZodType> = (input: z.output<I>, caller: Caller) => Promise<z.input<O>>;

export type Operation<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = OperationShape<I, O> & {
  readonly handle: Handle<I, O>;
};

/** What handles the operation of this shape, once it has its dependencies. */
export type OperationHandler<S extends OperationShape> = (deps: OperationDeps) => Handle<S["input"], S["output"]>;

// biome-ignore lint/suspicious/noExplicitAny: a table of operations is heterogeneous; each parses its own input and output
export type AnyOperation = Operation<any, any>;
