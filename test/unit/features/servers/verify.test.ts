// A late result in a journal is of a step that its server had started, and whose outcome was not known.
import { expect, test } from "vitest";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import { lateResult } from "../../../../src/domain/reconcile.ts";
import { walk } from "../../../../src/engine/evidence/verify/walk.ts";
import { aContract, aResult, check, cmd, journalOf } from "../../../support/builders.ts";
import { pinning, procedureOf } from "../../../support/pipeline-parts.ts";

const claim = (owner: string): NewEvent => ({ kind: "taken_up", body: { owner, recovery: owner !== "a" } });
const start = (index = 0): NewEvent => ({ kind: "step_started", body: { index, attempt: 1 } });
const late = (owner = "a", index = 0): NewEvent => ({
  kind: "late_result",
  body: lateResult({ owner, server: "nas" }, aResult({ index })),
});
const resolved: NewEvent = { kind: "step_resolved", body: { index: 0, attempt: 1, resolution: "retry", reason: null } };

function faults(...events: NewEvent[]): string[] {
  const steps = [cmd("touch x"), check("test -e x")];
  const journal = journalOf(pinning(procedureOf(steps)), ...events);
  return walk(journal, aContract()).order_faults.map(({ fault }) => fault);
}

test.each<[string, NewEvent[]]>([
  ["before another server has claimed the task", [claim("a"), start(), late()]],
  ["after it", [claim("a"), start(), claim("b"), late(), resolved]],
])("a late result %s is sound", (_when, events) => expect(faults(...events)).toEqual([]));

test.each<[string, NewEvent[]]>([
  ["of a server that had not started the step", [claim("a"), start(), claim("b"), late("b")]],
  ["of a step that was not started", [claim("a"), late()]],
  ["of a step that has ended", [claim("a"), start(), { kind: "step_finished", body: aResult({}) }, late()]],
  ["of a step that was resolved", [claim("a"), start(), claim("b"), resolved, late()]],
  ["of a check, which runs again", [claim("a"), start(1), late("a", 1)]],
])("a late result %s is a fault", (_what, events) => {
  expect(faults(...events)).toEqual([expect.stringMatching(/^journal entry \d+ reports a late result of a step/)]);
});

test("a second late result of a step is a fault", () => {
  expect(faults(claim("a"), start(), late(), late())).toHaveLength(1);
});
