// A small table of real operations, for tests of the endpoints: one that answers, one that waits for its caller, one that
// fails as asked, one that says too much, one whose answer breaks its promise.
import { z } from "zod";
import { type AnyOperation, type Caller, type Operation, READ } from "../../src/api/operations/operation.ts";
import { ERROR_CODES, OrchError } from "../../src/domain/errors.ts";
import { JsonObject } from "../../src/domain/json.ts";

/** Lets an operation without dependencies infer its own types. */
export const operation = <I extends z.ZodType, O extends z.ZodType>(definition: Operation<I, O>): Operation<I, O> =>
  definition;

const WRITE = { read_only: false, destructive: false, idempotent: true };

const Echo = z.strictObject({
  thing_id: z.string().max(16),
  count: z.coerce.number().int().min(1).max(9).default(1),
  kind: z.enum(["a", "b"]).optional(),
});

export const someOperations = (onWait: (caller: Caller) => void = () => {}): readonly AnyOperation[] => [
  operation({
    name: "get_thing",
    summary: "Gives back what it was given.",
    method: "GET",
    path: "/v1/things/{thing_id}",
    scope: "read",
    hints: READ,
    input: Echo,
    output: Echo.extend({ token_id: z.string() }),
    handle: async (input, { token_id }) => ({ ...input, token_id }),
  }),
  operation({
    name: "change_thing",
    summary: "Gives back what it was given.",
    method: "POST",
    path: "/v1/things/{thing_id}",
    scope: "submit",
    hints: WRITE,
    input: Echo.extend({
      steps: z
        .array(z.strictObject({ kind: z.literal("cmd"), value: z.string().min(1) }))
        .max(3)
        .optional(),
      payload: JsonObject.default({}),
    }),
    output: z.strictObject({ thing_id: z.string(), payload: JsonObject }),
    handle: async ({ thing_id, payload }) => ({ thing_id, payload }),
  }),
  operation({
    name: "submit_task",
    summary: "Takes a contract.",
    method: "POST",
    path: "/v1/tasks",
    scope: "submit",
    hints: WRITE,
    input: z.looseObject({ task_id: z.string() }),
    output: z.strictObject({ task_id: z.string() }),
    handle: async ({ task_id }) => ({ task_id }),
  }),
  operation({
    name: "approve",
    summary: "Needs its own scope.",
    method: "POST",
    path: "/v1/approve",
    scope: "approve",
    hints: WRITE,
    input: z.strictObject({}),
    output: z.strictObject({ by: z.string(), at_console: z.object({ name: z.string().nullable() }).optional() }),
    handle: async (_input, { token_id, at_console }) => ({ by: token_id, at_console }),
  }),
  operation({
    name: "wait",
    summary: "Answers once its caller has gone or the server stops.",
    method: "GET",
    path: "/v1/wait",
    scope: "read",
    hints: READ,
    input: z.strictObject({}),
    output: z.strictObject({ aborted: z.boolean() }),
    handle: (_input, caller) => {
      onWait(caller);
      return new Promise((resolve) => {
        caller.signal.addEventListener("abort", () => resolve({ aborted: true }), { once: true });
      });
    },
  }),
  operation({
    name: "fail",
    summary: "Fails with the code it is given.",
    method: "POST",
    path: "/v1/fail",
    scope: "read",
    hints: READ,
    input: z.strictObject({ code: z.enum(ERROR_CODES) }),
    output: z.strictObject({}),
    handle: async ({ code }) => {
      const issues = [{ path: "a.0.b", message: "is wrong" }];
      throw new OrchError(code, `said with ${code}`, {
        issues,
        fix: "Use another one.",
        current: { status: "held" },
        cause: new Error("inner"),
      });
    },
  }),
  operation({
    name: "crash",
    summary: "Fails in a way nobody foresaw.",
    method: "GET",
    path: "/v1/crash",
    scope: "read",
    hints: READ,
    input: z.strictObject({}),
    output: z.strictObject({}),
    handle: async () => {
      throw new Error("SELECT secret FROM tasks failed at /srv/orch.db");
    },
  }),
  operation({
    name: "leak",
    summary: "Its handler returns more than its output has.",
    method: "GET",
    path: "/v1/leak",
    scope: "read",
    hints: READ,
    input: z.strictObject({}),
    output: z.object({ shown: z.string() }),
    handle: async () => {
      const row = { shown: "yes", owner_token: "must-stay-inside" };
      return row;
    },
  }),
  operation({
    name: "break_promise",
    summary: "Its handler returns what its strict output refuses.",
    method: "GET",
    path: "/v1/broken",
    scope: "read",
    hints: READ,
    input: z.strictObject({}),
    output: z.strictObject({ shown: z.string() }),
    handle: async () => {
      const row = { shown: "yes", owner_token: "must-stay-inside" };
      return row;
    },
  }),
];
