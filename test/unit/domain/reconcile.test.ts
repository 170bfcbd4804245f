// What the exit code of a reconcile command says of a step of unknown outcome, and what follows from it.
import { describe, expect, test } from "vitest";
import {
  explainNoAnswer,
  type Reconciliation,
  reconciledInWords,
  saysOf,
  settlementOf,
} from "../../../src/domain/reconcile.ts";
import { reconcileOf, Step } from "../../../src/domain/step.ts";

describe("a reconcile command", () => {
  test.each([
    [0, false, "done"],
    [1, false, "not_done"],
    [2, false, "cannot_tell"],
    [127, false, "cannot_tell"],
    [null, false, "cannot_tell"],
    [null, true, "cannot_tell"],
    [1, true, "cannot_tell"],
  ] as const)("with exit code %s, out of time: %s, says %s", (exit_code, timed_out, says) => {
    expect(saysOf({ exit_code, timed_out })).toBe(says);
  });

  test.each([
    ["done", null, 0, "succeeded"],
    ["done", "it may run", 3, "succeeded"],
    ["not_done", null, 0, "retry"],
    ["not_done", null, 2, "retry"],
    ["not_done", null, 3, null],
    ["not_done", "it may run", 0, null],
    ["cannot_tell", null, 0, null],
  ] as const)(
    "that says %s of a step (may run: %s, repeated %i times) settles it as %s",
    (says, may_run, repeats, as) => {
      expect(settlementOf({ says, may_run }, repeats)).toBe(as);
    },
  );

  test.each([
    [1, "", false],
    [1, "Error: No such object: web", false],
    [1, "cannot open 'tank/x@y': dataset does not exist", false],
    [1, "Cannot connect to the Docker daemon at tcp://127.0.0.1:1. Is the docker daemon running?", true],
    [1, "curl: (56) Recv failure: Connection reset by peer", true],
    [1, "The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?", true],
    [1, 'psql: error: connection to server at "127.0.0.1", port 1 failed: Connection refused', true],
    [1, "ssh: Could not resolve hostname nas: Name or service not known", true],
    [0, "curl: (28) Operation timed out", false],
  ])("that ends with %i and writes %j has seen nothing: %s", (exit_code, stderr, isBlind) => {
    expect(explainNoAnswer({ exit_code, stderr }) !== null).toBe(isBlind);
  });

  test("is spoken of in a sentence that says why it does not settle the step", () => {
    const body: Reconciliation = {
      index: 0,
      attempt: 1,
      exit_code: 1,
      timed_out: false,
      stdout: "",
      stderr: "",
      duration_ms: 1,
      says: "not_done",
      may_run: "its tool server may still work on the call",
      settles: null,
    };
    expect(reconciledInWords(body)).toBe(
      "Its reconcile command says not done (exit code 1), but its tool server may still work on the call.",
    );
    expect(reconciledInWords({ ...body, may_run: null })).toContain("it has been repeated 3 times for that already");
    expect(reconciledInWords({ ...body, exit_code: null, timed_out: true, says: "cannot_tell" })).toBe(
      "Its reconcile command says not whether it is done (no answer in its time).",
    );
  });

  test("belongs to a step that changes something, and to no other", () => {
    const call = { kind: "mcp_call", server: "notes", tool: "create", reconcile: "true" };
    expect(reconcileOf(Step.parse({ kind: "cmd", value: "ls", reconcile: "true" }))).toBe("true");
    expect(reconcileOf(Step.parse(call))).toBe("true");
    expect(Step.safeParse({ kind: "check", value: "ls", reconcile: "true" }).success).toBe(false);
    const refused = Step.safeParse({ ...call, expect: { contains: "x" } });
    expect(refused.error?.issues).toMatchObject([{ path: ["reconcile"] }]);
  });
});
