// The moves in an SOP's life: a new candidate, what its promotion retires, and what a refused replacement gives back.
import { describe, expect, test } from "vitest";
import type { Change } from "../../../../src/domain/change.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import { type Sop, stepsDigest } from "../../../../src/domain/sop.ts";
import { promotionThread } from "../../../../src/domain/thread-id.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import {
  activation,
  newCandidate,
  type RunProof,
  replacementOf,
  sopChanged,
} from "../../../../src/engine/tasks/sop-versions.ts";
import { AT, cmd, journalOf } from "../../../support/builders.ts";
import { memoryStore } from "../../../support/memory-store.ts";
import { PROCEDURE, procedureOf } from "../../../support/pipeline-parts.ts";
import { aSop } from "./a-sop.ts";
import { anApproval } from "./a-task.ts";

const version = (number: number, over: Partial<Sop> = {}): Sop =>
  aSop({ sop_id: `s-${number}`, version: number, status: "candidate", ...over });

async function storing(sops: readonly Sop[], approvals: readonly Parameters<typeof anApproval>[0][] = []) {
  const store = memoryStore();
  const changes: Change[] = [
    ...sops.map((sop) => ({ on: "sop_created" as const, sop })),
    ...approvals.map((over) => ({ on: "approval_created" as const, approval: anApproval(over) })),
  ];
  await store.commit({ thread_id: "s", after: "last", events: [], changes });
  return store;
}

describe("a new candidate", () => {
  const candidateAmong = async (sops: readonly Sop[], run: RunProof | null, procedure = PROCEDURE) => {
    const deps = { store: await storing(sops), clock: () => new Date(AT), new_id: () => "new" };
    const { intent, target } = aSop();
    return newCandidate(deps, { intent, target, procedure, origin: { by: "task", task_id: "t-1" }, run });
  };

  test("that a run has proved is the next version of its key, with that run counted", async () => {
    const procedure = procedureOf([cmd("touch y")], { preconditions: ["y is free"] });
    const others = [version(3, { status: "active" }), version(7, { status: "deprecated" }), version(5)];
    const elsewhere = version(9, { target: { service: "db" }, target_signature: "service=db" });
    expect(await candidateAmong([...others, elsewhere], "proved", procedure)).toEqual({
      sop_id: "new",
      version: 8,
      status: "candidate",
      intent: "deploy",
      target: aSop().target,
      target_signature: "environment=prod;service=web",
      steps: procedure.steps,
      criteria: procedure.criteria,
      safety_level: "standard",
      preconditions: ["y is free"],
      steps_digest: stepsDigest(procedure.steps),
      origin: "t-1",
      last_success_at: AT,
      success_count: 1,
      failure_count: 0,
      created_at: AT,
      updated_at: AT,
      level: "proved",
      proved_on: null,
      trial_left: 0,
      replaced_sop_id: null,
      promotion_round: 1,
      record_since: null,
    });
  });

  test("that is only defined has no success yet, and the first of its key is version 1", async () => {
    const defined = await candidateAmong([], null);
    expect(defined).toMatchObject({ version: 1, last_success_at: null, success_count: 0 });
  });

  test.each([
    ["candidate", "proved", false],
    ["active", "not_possible", false],
    ["deprecated", "proved", true],
    ["candidate", null, true],
    ["active", null, true],
  ] as const)("with the steps of one that is %s, run %s: made %s", async (status, run, is_made) => {
    expect((await candidateAmong([version(3, { status })], run)) !== null).toBe(is_made);
  });
});

describe("the activation of a candidate", () => {
  const PROMOTED = version(5);
  const movesAmong = async (...given: Parameters<typeof storing>) => {
    const { events, changes } = await activation(await storing(...given), PROMOTED, { at: AT });
    const said = events.map(({ body }) => ("why" in body ? `${body.version} ${body.status}: ${body.why}` : "?"));
    return { said, changes };
  };
  const promoted = {
    on: "sop",
    sop_id: "s-5",
    expect: { status: "candidate" },
    set: { status: "active", replaced_sop_id: null },
  };

  test("deprecates its older candidates, and withdraws the approvals that they wait for", async () => {
    const approvals = [
      { approval_id: "a-waiting", thread_id: promotionThread("s-4") },
      { approval_id: "a-decided", thread_id: promotionThread("s-4"), status: "rejected" as const },
      { approval_id: "a-of-a-task", thread_id: "s-4" },
      { approval_id: "a-promoted", thread_id: promotionThread("s-5") },
    ];
    expect(await movesAmong([version(4), PROMOTED, version(2)], approvals)).toEqual({
      said: [
        "5 active: promotion approved",
        "4 deprecated: version 5 was promoted before it",
        "2 deprecated: version 5 was promoted before it",
      ],
      changes: [
        promoted,
        { on: "sop", sop_id: "s-4", expect: { status: "candidate" }, set: { status: "deprecated" } },
        { on: "approval", approval_id: "a-waiting", set: { status: "superseded" } },
        { on: "sop", sop_id: "s-2", expect: { status: "candidate" }, set: { status: "deprecated" } },
      ],
    });
  });

  test.each<[string, Sop]>([
    ["a newer candidate", version(6)],
    ["the candidate of an update_sop, which its task settles", version(4, { origin: "update_sop t-9" })],
    ["a candidate of another target", version(4, { target: {}, target_signature: "" })],
    ["a candidate of another intent", version(4, { intent: "restart" })],
    ["a version that is deprecated already", version(4, { status: "deprecated" })],
  ])("leaves %s as it is", async (_what, other) => {
    expect(await movesAmong([other, PROMOTED])).toEqual({
      said: ["5 active: promotion approved"],
      changes: [promoted],
    });
  });
});

describe("the replacement of a task", () => {
  const previous = version(3, { status: "deprecated" });
  const candidate = version(4);
  const changed = (sop: Sop): NewEvent => sopChanged(sop, sop.status, "update_sop t-1");
  const recorded = async (...events: NewEvent[]) =>
    replacementOf(await storing([previous, candidate]), projection(journalOf(...events)));

  test.each<[string, NewEvent[]]>([
    ["nothing", []],
    ["no candidate", [changed(previous)]],
    ["a version that the store does not have", [changed(version(9)), changed(candidate)]],
    ["a candidate that the store does not have", [changed(previous), changed(version(9))]],
  ])("is an error when the journal records %s", async (_what, events) => {
    await expect(recorded(...events)).rejects.toThrow("the journal records no replacement");
  });
});
