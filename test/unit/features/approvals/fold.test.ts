// The questions of a thread with their answers, as the journal records them.
import { describe, expect, test } from "vitest";
import type { EventBody, NewEvent } from "../../../../src/domain/journal.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { openRequestOf } from "../../../../src/features/approvals/fold.ts";
import { journalOf } from "../../../support/builders.ts";

const stateAfter = (...events: NewEvent[]) => projection(journalOf(...events));

const requested = (approval_id: string): NewEvent => ({
  kind: "approval_requested",
  body: { approval_id, kind: "plan", digest: `of ${approval_id}` },
});
const decided = (approval_id: string, decision: "approve" | "reject"): NewEvent => {
  const status = decision === "approve" ? "approved" : "rejected";
  const body = { approval_id, decision, status, reason: null, decided_by: "op", token_id: null } as const;
  return { kind: "approval_decided", body };
};

describe("the approvals of a thread", () => {
  const openAfter = (...events: NewEvent[]) => openRequestOf(stateAfter(...events).approvals)?.approval_id ?? null;

  test.each<[string, string | null, NewEvent[]]>([
    ["none before one is requested", null, []],
    ["the one that was requested", "a-1", [requested("a-1")]],
    ["the last that was requested", "a-2", [requested("a-1"), requested("a-2")]],
    ["the last, when an earlier one is decided", "a-2", [requested("a-1"), requested("a-2"), decided("a-1", "reject")]],
    ["none when the last is decided", null, [requested("a-1"), requested("a-2"), decided("a-2", "approve")]],
  ])("have as their open request %s", (_what, open, events) => {
    expect(openAfter(...events)).toBe(open);
  });

  test("are kept with their digests, oldest first", () => {
    const { requests } = stateAfter(requested("a-2"), requested("a-1")).approvals;
    expect([...requests]).toMatchObject([
      ["a-2", { digest: "of a-2" }],
      ["a-1", { digest: "of a-1" }],
    ]);
  });

  test("are decided once: the first decision counts", () => {
    const events = [requested("a-1"), decided("a-1", "reject"), decided("a-1", "approve")];
    expect(stateAfter(...events).approvals.decisions.get("a-1")).toMatchObject({ decision: "reject" });
  });
});

describe("the answers of the routing model", () => {
  const answered = (question: "error" | "approval", about: string): NewEvent => {
    const answer = question === "error" ? { error_type: "transient" } : { requires_approval: false };
    const by = { fallback: null, model: "small:1b", latency_ms: 1 };
    const body: EventBody<"gate_answered"> = { question, about, answer, ...by };
    return { kind: "gate_answered", body };
  };

  test("are kept in order, those about approvals by command and those about failures by subject", () => {
    const events = [answered("approval", "rm x"), answered("error", "0 1 failed"), answered("approval", "rm y")];
    const { answers, categories, failures } = stateAfter(requested("a-1"), ...events).gate;
    expect(answers).toEqual(events.map(({ body }) => body));
    expect([...categories]).toEqual(["rm x", "rm y"].map((about) => [about, { requires_approval: false }]));
    expect([...failures]).toEqual(["0 1 failed"]);
  });

  test("are none while nothing was asked", () => {
    const { gate } = stateAfter(requested("a-1"));
    expect(gate).toEqual({ answers: [], categories: new Map(), failures: new Set() });
  });
});
