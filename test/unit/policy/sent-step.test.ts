// biome-ignore-all lint/suspicious/noTemplateCurlyInString: parameters are spelled that way
// What a step sends: resolved arguments, and the variables that the text of a shell step can read.
import { describe, expect, test } from "vitest";
import { environmentRead, sentStep } from "../../../src/policy/sent-step.ts";
import { aContract, check, cmd, mcpCall, wait } from "../../support/builders.ts";

const CONTRACT = aContract({ target: { host: "h1", host_name: "h1.example" }, payload: { op: "delete" } });
const HOST = { ORCH_TARGET_HOST: "h1" };
const NAMED = { ...HOST, ORCH_TARGET_HOST_NAME: "h1.example" };
const PAYLOAD = { ORCH_PAYLOAD: '{"op":"delete"}' };
const ALL = { ...NAMED, ...PAYLOAD, ORCH_TASK_ID: "t-1" };

describe("the variables that a text can read", () => {
  test.each([
    ["docker restart web", {}],
    ['ping -c 1 "$ORCH_TARGET_HOST"', HOST],
    ["ping -c 1 ${ORCH_TARGET_HOST:-x}", HOST],
    ['ping -c 1 "$ORCH_TARGET_HOST_NAME"', NAMED],
    ['jq -r .op <<< "$ORCH_PAYLOAD"', PAYLOAD],
    ["python3 -c 'import os; print(os.environ[\"ORCH_PAYLOAD\"])'", ALL],
    ["set -euo pipefail; export A=1; echo $A", {}],
    ["set", ALL],
    ["export -p", ALL],
    ["env", ALL],
    ["printenv | sort", ALL],
    ["xargs -0 < /proc/self/environ", ALL],
    ['echo "${!ORCH_TARGET_@}"', ALL],
    ["n=ORCH_TARGET_; eval echo \\$${n}HOST", ALL],
  ])("%s", (text, read) => {
    expect(environmentRead(cmd(text), CONTRACT)).toEqual(read);
    expect(environmentRead(check(text), CONTRACT)).toEqual(read);
  });

  test("a tool call and a wait read none", () => {
    expect(environmentRead(mcpCall({ arguments: { a: "$ORCH_PAYLOAD" } }), CONTRACT)).toEqual({});
    expect(environmentRead(wait("1s"), CONTRACT)).toEqual({});
  });
});

test("only the arguments of a tool call are resolved", () => {
  expect(sentStep(mcpCall({ arguments: { op: "${payload.op}" } }), CONTRACT)).toMatchObject({
    arguments: { op: "delete" },
  });
  expect(sentStep(cmd("echo ${payload.op}"), CONTRACT)).toEqual(cmd("echo ${payload.op}"));
});
