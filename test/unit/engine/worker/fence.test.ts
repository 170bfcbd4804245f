// Which events of others stop the owner of a thread.
import { describe, expect, test } from "vitest";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import { outcome } from "../../../../src/domain/outcome.ts";
import { fenceIn } from "../../../../src/engine/worker/threads.ts";
import { aResult, journalOf } from "../../../support/builders.ts";

const claimedBy = (owner: string): NewEvent => ({ kind: "taken_up", body: { owner, recovery: true } });
const reported = (status: Parameters<typeof outcome>[0]): NewEvent => ({
  kind: "reported",
  body: outcome(status, "internal_error", "It stops.", { thread_id: "t-1" }),
});
const failedStep: NewEvent = { kind: "step_finished", body: aResult({ status: "failed" }) };
const asked: NewEvent = { kind: "cancel_requested", body: { reason: null } };

describe("a worker", () => {
  test.each<[string, NewEvent[]]>([
    ["no event", []],
    ["its own claim", [claimedBy("me")]],
    ["a request to cancel", [asked]],
    ["a question to the supervisor", [reported("need_input")]],
    ["a question to a human", [reported("need_approval")]],
    ["the end of a step that failed", [failedStep]],
  ])("continues after %s", (_what, added) => {
    expect(fenceIn(journalOf(...added), "me")).toBeNull();
  });

  test("stops after the claim of another", () => {
    expect(fenceIn(journalOf(asked, claimedBy("other")), "me")).toBe("claimed");
  });

  test.each(["ok", "failed", "blocked", "cancelled"] as const)("stops after the end %s by any writer", (status) => {
    expect(fenceIn(journalOf(asked, reported(status)), "me")).toBe("ended");
    expect(fenceIn(journalOf(claimedBy("other"), reported(status)), "me")).toBe("ended");
  });
});
