// Which events of others stop the owner of a thread.
import { describe, expect, test } from "vitest";
import type { NewEvent } from "../../../src/domain/journal.ts";
import { outcome } from "../../../src/domain/outcome.ts";
import { fenceIn } from "../../../src/worker/fence.ts";
import { journalOf } from "../../support/builders.ts";

const claimedBy = (owner: string): NewEvent => ({ kind: "taken_up", body: { owner, recovery: true } });
const reported = (status: Parameters<typeof outcome>[0]): NewEvent => ({
  kind: "reported",
  body: outcome(status, "internal_error", "It stops.", { thread_id: "t-1" }),
});
const asked: NewEvent = { kind: "cancel_requested", body: { reason: null } };

describe("a worker", () => {
  test("continues after its own claim, a request to cancel, a pause, or no event", () => {
    for (const added of [[], [claimedBy("me")], [asked], [reported("need_input")], [reported("need_approval")]]) {
      expect(fenceIn(journalOf(...added), "me")).toBeNull();
    }
  });

  test("stops after the claim of another", () => {
    expect(fenceIn(journalOf(asked, claimedBy("other")), "me")).toBe("claimed");
  });

  test.each(["ok", "failed", "blocked", "cancelled"] as const)("stops after the end %s by any writer", (status) => {
    expect(fenceIn(journalOf(asked, reported(status)), "me")).toBe("ended");
    expect(fenceIn(journalOf(claimedBy("other"), reported(status)), "me")).toBe("ended");
  });
});
