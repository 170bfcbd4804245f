// Which looks of a flow's report count, and what of them is recorded.
import { expect, test } from "vitest";
import { AT, check, cmd } from "../../../../../test/support/builders.ts";
import { createRedactor } from "../../../../redact/find-secrets.ts";
import { reportedLooks } from "../../../flow-engine/end-of-job.ts";

const redact = createRedactor(["hunter2-hunter2"]);
const range = {
  steps: [cmd("up"), check("a"), check("b")],
  first_index: 0,
  attempt: 1,
  started_at: AT,
  look_at: [1, 2],
};
const look = (step_index: number, over: object = {}) => ({
  step_index,
  answer: "red",
  exit_code: 1,
  reason: null,
  duration_ms: 3,
  printed: "one",
  ...over,
});
const of = (reported: unknown, over: object = {}) => reportedLooks(reported, { ...range, ...over }, redact);

test("the looks that were asked for count, each once, in the order of the report", () => {
  expect(of([look(2), look(1), look(2, { answer: "green" })])).toEqual([look(2), look(1)]);
});

test("a job that looked at nothing has no looks", () => {
  for (const none of [undefined, null, [], {}, "looks", [look(0)], [look(7)]]) expect(of(none)).toBeNull();
  expect(of([look(1)], { look_at: undefined })).toBeNull();
});

test("what is not a look makes all of them count for nothing", () => {
  for (const wrong of [null, look(1, { answer: "blue" }), look(1, { printed: "x".repeat(4097) }), look(-1)])
    expect(of([look(2), wrong])).toBeNull();
});

test("indexes are those of the plan", () => {
  expect(of([look(1)], { first_index: 3, look_at: [4] })).toEqual([look(4)]);
});

test("a secret is in no reason, and a text with one is handed to no check", () => {
  const looks = of([
    look(1, { printed: "a hunter2-hunter2", reason: "it was hunter2-hunter2\0" }),
    look(2, { printed: "a\0b" }),
  ]);
  expect(looks).toMatchObject([{ printed: null, reason: "it was [redacted]" }, { printed: null }]);
  const [long] = of([look(1, { reason: "x".repeat(1000), printed: null })]) ?? [];
  expect([long?.reason?.length, long?.printed]).toEqual([200, null]);
});
