// The end of a trial: what a run of a version on trial changes, in the commit that ends its task.
import { describe, expect, test } from "vitest";
import type { CheckProof } from "../../../../src/domain/proof.ts";
import type { Sop } from "../../../../src/domain/sop.ts";
import type { Verdict } from "../../../../src/domain/verification.ts";
import { trialEnd } from "../../../../src/engine/tasks/sop-trial.ts";
import { memoryStore } from "../../../support/memory-store.ts";
import { aSop } from "./a-sop.ts";

const id = (nth: number) => `00000000-0000-4000-8000-00000000000${nth}`;
const BEFORE = aSop({ sop_id: id(1), version: 1, status: "deprecated", level: "proved" });
const ON_TRIAL = aSop({ sop_id: id(2), version: 2, trial_left: 1, replaced_sop_id: id(1) });

const verdictOf = (passed: boolean, worth?: CheckProof["class"]): Verdict => {
  const proof: CheckProof | undefined = worth && {
    class: worth,
    seen_red: [],
    change: "not_looked_at",
    reason: null,
  };
  const checked = { step_index: 1, criterion: "it works", passed, exit_code: passed ? 0 : 1, ...(proof && { proof }) };
  const reason_code = passed ? ("verified" as const) : ("check_failed" as const);
  return { passed, reason_code, step_index: passed ? null : 1, checks: [checked], uncovered_criteria: [] };
};

async function endOf(sops: readonly Sop[], verdict: Verdict) {
  const store = memoryStore();
  const changes = sops.map((sop) => ({ on: "sop_created" as const, sop }));
  await store.commit({ thread_id: "s", after: null, events: [], changes });
  return trialEnd(store, { task_id: "t-1", sop_id: id(2), verdict });
}

describe("a run of a version on trial", () => {
  test("that is proved ends the trial", async () => {
    const ended = await endOf([ON_TRIAL, BEFORE], verdictOf(true, "proved"));
    const set = { level: "proved", trial_left: 0 };
    expect(ended).toEqual({
      sentence: null,
      events: [
        {
          kind: "sop_changed",
          body: { sop_id: id(2), version: 2, status: "active", why: "proved by task t-1", ...set },
        },
      ],
      changes: [{ on: "sop", sop_id: id(2), expect: { status: "active", trial_left: 1 }, set }],
    });
  });

  test("that could not be looked at ends it too: another run would say no more", async () => {
    const ended = await endOf([ON_TRIAL, BEFORE], verdictOf(true));
    expect(ended?.changes).toMatchObject([{ set: { level: "tried", trial_left: 0 } }]);
    expect(ended?.events).toMatchObject([{ body: { why: "passed in task t-1, which could not be proved here" } }]);
  });

  test("that failed gives the version before it back, and sends a message", async () => {
    const how = "failed";
    const ended = await endOf([ON_TRIAL, BEFORE], verdictOf(false));
    const sentence = `The trial of version 2 ${how}: version 1 is active again.`;
    const message = `deploy on "environment=prod;service=web", task t-1. ${sentence}`;
    expect(ended).toEqual({
      sentence,
      events: [
        {
          kind: "sop_changed",
          body: { sop_id: id(2), version: 2, status: "deprecated", why: `its trial ${how} in task t-1` },
        },
        {
          kind: "sop_changed",
          body: { sop_id: id(1), version: 1, status: "active", why: `the trial of version 2 ${how}` },
        },
        { kind: "sop_trial_failed", body: { sop_id: id(2), version: 2, active_version: 1, message } },
      ],
      changes: [
        { on: "sop", sop_id: id(2), expect: { status: "active", trial_left: 1 }, set: { status: "deprecated" } },
        { on: "sop", sop_id: id(1), expect: { status: "deprecated" }, set: { status: "active" } },
      ],
    });
  });

  test.each(["unproved", "sensitive", "cannot_tell"] as const)(
    "promises 2.8: whose check is %s passed: the version asks to be kept, and the proved one before it is active again",
    async (worth) => {
      const ended = await endOf([ON_TRIAL, BEFORE], verdictOf(true, worth));
      const sentence =
        "The first run of version 2 passed, but its checks could not be shown to fail: version 1 is in use again. Version 2 asks in the inbox to be kept.";
      const message = `deploy on "environment=prod;service=web", task t-1. ${sentence}`;
      const set = { status: "candidate", level: "tried", trial_left: 0, promotion_round: 2 };
      expect(ended).toMatchObject({
        sentence,
        events: [
          { kind: "sop_changed", body: { sop_id: id(2), status: "candidate" } },
          { kind: "sop_changed", body: { sop_id: id(1), status: "active" } },
          { kind: "sop_trial_failed", body: { sop_id: id(2), version: 2, active_version: 1, message } },
        ],
        changes: [
          { on: "sop", sop_id: id(2), expect: { status: "active", trial_left: 1, promotion_round: 1 }, set },
          { on: "sop", sop_id: id(1), expect: { status: "deprecated" }, set: { status: "active" } },
        ],
      });
    },
  );

  test.each(["defined", "tried"] as const)(
    "promises 2.8: that passed without a proof is accepted where the version before it is only %s",
    async (level) => {
      const ended = await endOf([ON_TRIAL, { ...BEFORE, level }], verdictOf(true, "cannot_tell"));
      expect(ended?.changes).toMatchObject([{ sop_id: id(2), set: { level: "tried", trial_left: 0 } }]);
      expect(ended?.events).toMatchObject([{ body: { status: "active" } }]);
    },
  );

  test.each([
    ["there is no version before it", [{ ...ON_TRIAL, replaced_sop_id: null }]],
    ["the version before it is not there", [ON_TRIAL]],
    ["the version before it is a candidate", [ON_TRIAL, { ...BEFORE, status: "candidate" as const }]],
  ])("leaves it on trial when it fails, and ends the trial when it passes, where %s", async (_name, sops) => {
    const failed = await endOf(sops, verdictOf(false));
    const again = "Version 2 of the procedure stays on trial: its next run asks for an approval again.";
    expect(failed).toEqual({ events: [], changes: [], sentence: again });
    const passed = await endOf(sops, verdictOf(true, "sensitive"));
    const set = { level: "tried", trial_left: 0 };
    const sentence = "Version 2 of the procedure has passed its trial without a proof.";
    expect(passed).toMatchObject({ changes: [{ set }], events: [{ body: { ...set, status: "active" } }], sentence });
  });

  test.each([
    ["is over", { ...ON_TRIAL, trial_left: 0 }],
    ["ended with another version", { ...ON_TRIAL, status: "deprecated" as const }],
  ])("changes nothing when the trial %s", async (_name, sop) => {
    expect(await endOf([sop, BEFORE], verdictOf(false))).toBeNull();
    expect(await endOf([BEFORE], verdictOf(false)), "not stored").toBeNull();
  });
});
