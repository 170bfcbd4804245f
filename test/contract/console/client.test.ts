// The typed client of the console: what it sends for every operation is what the server reads with the schema of that operation.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { SHAPES } from "../../../src/api/operations/shapes.ts";
import type { call as Call } from "../../../src/console/operations.ts";
import { bearer, type RunningHttp, startHttp } from "../../support/http-endpoint.ts";
import { valuesOf } from "../../support/schema-values.ts";

/** Says what it was given, after it was read with the schema of its operation. */
const ECHOES = SHAPES.map((shape) => ({ ...shape, output: z.any(), handle: async (given: unknown) => ({ given }) }));

/** As the build makes it. */
const ROUTES = Object.fromEntries(SHAPES.map(({ name, method, path }) => [name, [method, path]]));
const SAMPLES = 4;
const MOST_TRIES = 100;

let endpoint: RunningHttp;
let call: typeof Call;

/** The page of a browser around the client: where it keeps the session, and from where its requests go. */
beforeAll(async () => {
  endpoint = await startHttp({ operations: ECHOES });
  const send = globalThis.fetch;
  vi.stubGlobal("fetch", (path: string, { headers, ...init }: RequestInit) =>
    send(endpoint.url + path, { ...init, headers: { ...Object.fromEntries(new Headers(headers)), ...bearer() } }),
  );
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => {}, removeItem: () => {} });
  vi.stubGlobal("__OPERATIONS__", ROUTES);
  ({ call } = await import("../../../src/console/operations.ts"));
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await endpoint.stop();
});

type Schema = Parameters<typeof valuesOf>[0];

/** Inputs that the schema of the operation takes, of all that fit its published form. */
function inputsOf({ input }: Pick<(typeof SHAPES)[number], "input">): unknown[] {
  const { $defs, ...published } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  const values = valuesOf(published as Schema, ($defs ?? {}) as Record<string, Schema>, new Map());
  const found: unknown[] = [];
  for (let seed = 0; seed < MOST_TRIES && found.length < SAMPLES; seed++)
    found.push(...fc.sample(values, { numRuns: 5, seed }).filter((value) => input.safeParse(value).success));
  return found.slice(0, SAMPLES);
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test.each(SHAPES.map((shape) => [shape.name, shape] as const))(
  "what %s is called with arrives as its schema reads it",
  async (name, shape) => {
    const inputs = inputsOf(shape);
    expect(inputs.length, "no input that its schema takes was made").toBeGreaterThan(0);
    for (const input of inputs) {
      const answer = await call(name, input as never);
      expect(answer).toEqual({ given: asJson(shape.input.parse(input)) });
    }
  },
);
