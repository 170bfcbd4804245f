// The shape of a named operation. One table of these (table.ts) is what every face is derived from.
import { z } from "zod";
import type { OperationDeps } from "./deps.ts";

const SCOPES = ["read", "submit", "teach", "approve"] as const;
export type Scope = (typeof SCOPES)[number];

export type Hints = {
  /** Changes nothing. */
  readonly read_only: boolean;
  /** May change or end something that cannot be had back. */
  readonly destructive: boolean;
  /** The same call again has no further effect. */
  readonly idempotent: boolean;
};

export type Caller = {
  /** Which token was used, never the token itself. */
  readonly token_id: string;
  /** Aborted when the caller went away: ends a wait, never a task. */
  readonly signal: AbortSignal;
};

/** What an operation is, without anything behind it: enough to publish it and to call it from elsewhere. */
export type OperationShape<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = {
  readonly name: string;
  readonly summary: string;
  readonly method: "GET" | "POST";
  /** With `{task_id}` for a path parameter; every other input field is in the query (GET) or the body (POST). */
  readonly path: string;
  readonly scope: Scope;
  readonly hints: Hints;
  readonly input: I;
  readonly output: O;
};

/** Rejects with an OrchError when the call was wrong; every outcome of a task is an ordinary result. */
type Handle<I extends z.ZodType, O extends z.ZodType> = (input: z.output<I>, caller: Caller) => Promise<z.input<O>>;

export type Operation<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = OperationShape<I, O> & {
  readonly handle: Handle<I, O>;
};

/** An operation that has not yet been given what it works on. */
type Definition<I extends z.ZodType, O extends z.ZodType> = OperationShape<I, O> & {
  readonly handle: (deps: OperationDeps) => Handle<I, O>;
};

export const READ: Hints = { read_only: true, destructive: false, idempotent: true };

/** Takes a number in digits too: in a query everything is text. Nothing else counts as a number. */
export const numeric = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (isDigits(value) ? Number(value) : value), schema);

const isDigits = (value: unknown): boolean => typeof value === "string" && /^-?\d{1,20}(\.\d{1,3})?$/.test(value);

/** The size of a page. */
export const Limit = numeric(z.int().min(1).max(500).default(50));

/** Lets each operation infer its own types and be kept in one table. */
export const operation = <I extends z.ZodType, O extends z.ZodType>(definition: Definition<I, O>): Definition<I, O> =>
  definition;

// biome-ignore lint/suspicious/noExplicitAny: a table of operations is heterogeneous; each parses its own input and output
export type AnyOperation = Operation<any, any>;
