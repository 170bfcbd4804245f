// What the journal says of a task as a whole: its procedure, its verdict, what was requested and reported.
import { describe, expect, test } from "vitest";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { Procedure } from "../../../../src/domain/sop.ts";
import { initial, projection } from "../../../../src/engine/tasks/projection.ts";
import { cmd, journalOf } from "../../../support/builders.ts";
import { pinning, procedureOf } from "../../../support/pipeline-parts.ts";

const stateAfter = (...events: NewEvent[]) => projection(journalOf(...events));

const CLAIMED: NewEvent = { kind: "taken_up", body: { owner: "me", recovery: false } };
const CANCELLED: NewEvent = { kind: "cancel_requested", body: { reason: null } };

describe("a task", () => {
  test.each<[boolean, string, NewEvent[]]>([
    [false, "nothing", []],
    [false, "only claims", [CLAIMED, CLAIMED]],
    [true, "any other event", [CANCELLED]],
    [true, "another event before a claim", [CANCELLED, CLAIMED]],
  ])("has begun: %s, when its journal contains %s", (has_begun, _what, events) => {
    expect(stateAfter(...events).has_begun).toBe(has_begun);
  });

  test("that is only claimed has no procedure, no verdict and no report", () => {
    expect({ ...stateAfter(CLAIMED), steps: initial().steps }).toEqual(initial());
    expect(stateAfter(CLAIMED)).toMatchObject({
      accepted: null,
      procedure: null,
      is_taught: false,
      findings: [],
      versions: { changes: [] },
      verdict: null,
      cancel_requested: null,
      verification: { recorded: null },
      reported: null,
    });
  });
});

describe("the procedure of a task", () => {
  const pinned = procedureOf([cmd("stored")]);
  const taught: Procedure = procedureOf([cmd("taught")], { sop_id: null, sop_version: null });
  const teaching: NewEvent = { kind: "taught", body: taught };

  test.each<[string, Procedure | null, NewEvent[]]>([
    ["none before the look-up", null, []],
    ["that of the pinned SOP", pinned, [pinning(pinned)]],
    ["what the supervisor taught", taught, [teaching]],
    ["what the supervisor taught, also when an SOP is pinned after it", taught, [teaching, pinning(pinned)]],
  ])("is %s", (_what, procedure, events) => {
    expect(stateAfter(...events)).toMatchObject({ procedure, is_taught: events.includes(teaching) });
  });
});
