// What an operation is, apart from its handler: enough to publish it and to call it from elsewhere. The endpoints, OpenAPI,
// the MCP tools and the command line derive from shapes.
import { z } from "zod";

const SCOPES = ["read", "submit", "teach", "approve"] as const;
export type Scope = (typeof SCOPES)[number];

export type Hints = {
  /** Changes nothing. */
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
  readonly method: "GET" | "POST";
  /** With `{task_id}` for a path parameter; every other input field is in the query (GET) or the body (POST). */
  readonly path: string;
  readonly scope: Scope;
  readonly hints: Hints;
  readonly input: I;
  readonly output: O;
};

/** Lets each shape infer its own types and keep its name as a literal. */
export const shape = <I extends z.ZodType, O extends z.ZodType, const Name extends string>(
  given: OperationShape<I, O, Name>,
): OperationShape<I, O, Name> => given;

export const READ: Hints = { read_only: true, destructive: false, idempotent: true };

/** Accepts a number as digits too: in a query everything is text. */
export const numeric = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (isDigits(value) ? Number(value) : value), schema);

const isDigits = (value: unknown): boolean => typeof value === "string" && /^-?\d{1,20}(\.\d{1,3})?$/.test(value);

/** The size of a page. */
export const Limit = numeric(z.int().min(1).max(500).default(50));

const MAX_WAIT_SECONDS = 50;

export const WaitSeconds = numeric(
  z
    .number()
    .min(0)
    .max(MAX_WAIT_SECONDS)
    .default(0)
    .describe("wait at most so long until the task ends or needs an answer"),
);
