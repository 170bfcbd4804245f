// biome-ignore-all lint/suspicious/noTemplateCurlyInString: parameters are spelled that way
// What a step sends: resolved arguments, and the variables of a shell step.
import { expect, test } from "vitest";
import { environmentOf, sentStep } from "../../../src/domain/step-run.ts";
import { aContract, check, cmd, mcpCall, wait } from "../../support/builders.ts";

const CONTRACT = aContract({ target: { host: "h1", host_name: "h1.example" }, payload: { op: "delete" } });
const ENVIRONMENT = {
  ORCH_TARGET_HOST: "h1",
  ORCH_TARGET_HOST_NAME: "h1.example",
  ORCH_PAYLOAD: '{"op":"delete"}',
  ORCH_TASK_ID: "t-1",
};

test.each(["docker restart web", "env", "./script.sh", '"e"nv | grep OP', "make"])(
  "the shell step %s gets every variable of the contract, used or not",
  (text) => {
    expect(environmentOf(cmd(text), CONTRACT)).toEqual(ENVIRONMENT);
    expect(environmentOf(check(text), CONTRACT)).toEqual(ENVIRONMENT);
  },
);

test("a tool call and a wait get no variables", () => {
  expect(environmentOf(mcpCall({ arguments: { a: "$ORCH_PAYLOAD" } }), CONTRACT)).toEqual({});
  expect(environmentOf(wait("1s"), CONTRACT)).toEqual({});
});

test("only the arguments of a tool call are resolved", () => {
  expect(sentStep(mcpCall({ arguments: { op: "${payload.op}" } }), CONTRACT)).toMatchObject({
    arguments: { op: "delete" },
  });
  expect(sentStep(cmd("echo ${payload.op}"), CONTRACT)).toEqual(cmd("echo ${payload.op}"));
});

test("filled-in values have their keys in canonical order, so that equal digests are equal bytes", () => {
  const sentOf = (z: object) =>
    JSON.stringify(sentStep(mcpCall({ arguments: { q: "${payload.z}" } }), aContract({ payload: { z } })));
  expect(sentOf({ to: [{ b: 1, a: 2 }], cmd: "a" })).toBe(sentOf({ cmd: "a", to: [{ a: 2, b: 1 }] }));
});

test("parameters in an expectation are filled in", () => {
  const expecting = (expect: object) => sentStep(mcpCall({ expect: expect as never }), CONTRACT);
  expect(expecting({ equals: "${payload.op}" })).toMatchObject({ expect: { equals: "delete" } });
  expect(expecting({ contains: "${payload.op}" })).toMatchObject({ expect: { contains: "delete" } });
});
