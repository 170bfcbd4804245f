// Versions that are judged by their records once their tasks are scored (D-294).
import { describe, expect, test } from "vitest";
import type { Change } from "../../../../src/domain/change.ts";
import { isSetBack } from "../../../../src/domain/sop.ts";
import { promotionThread } from "../../../../src/domain/thread-id.ts";
import { anApproval } from "../tasks/a-task.ts";
import { ID, id, judgedVersions, refuted, versionInUse } from "./judged-versions.ts";

const setBackIn = (content: object) => ("set_back" in content ? content.set_back : undefined);

describe("a version in use", () => {
  test("that fails is set back after the third of its first runs, with the runs that failed", async () => {
    const it = judgedVersions();
    await it.stored(versionInUse());
    for (const nth of [1, 2]) await it.ran(`t-${nth}`, false);
    await it.look();
    expect(await it.sop()).toMatchObject({ status: "active" });
    await it.ran("t-3", false);
    await it.look();
    const [asked] = await it.pending();
    expect(setBackIn(asked?.content ?? {})).toMatchObject({
      rule: "failing",
      why: "failing: 0 of its last 3 runs passed",
      refutations: [],
      record: { runs: 3, passed: 0, streak: 3 },
      failures: ["t-3", "t-2", "t-1"].map((task_id) => ({ task_id, reason_code: "step_failed" })),
    });
  });

  test("that has run well stays in use in an outage: that is said once, and again in the next one", async () => {
    const it = judgedVersions();
    await it.stored(versionInUse());
    for (let nth = 0; nth < 17; nth++) await it.ran(`ok-${nth}`, true);
    for (const nth of [1, 2, 3, 4, 5]) {
      await it.ran(`down-${nth}`, false);
      await it.look();
    }
    const said = `sop_failing: Version 3 of deploy on "environment=prod;service=web" stays in use, and may not work (failing: its last 3 runs failed).`;
    expect(await it.saidOf()).toEqual([said]);
    await it.ran("up", true);
    for (const nth of [6, 7, 8]) await it.ran(`down-${nth}`, false);
    await it.look();
    expect(await it.saidOf()).toEqual([said, said]);
    expect([(await it.sop()).status, await it.pending()]).toEqual(["active", []]);
  });

  test("is judged by the task that has proved it too", async () => {
    const it = judgedVersions();
    await it.stored(versionInUse({ origin: "t-taught" }));
    await it.ran("t-taught", true, { sop_id: id(99) });
    await it.found("t-taught", false);
    await it.look();
    expect(await it.sop()).toMatchObject({ status: "candidate" });
  });

  test("is judged by all verifications, however far they lie back", async () => {
    const it = judgedVersions();
    await it.stored(versionInUse());
    for (let nth = 0; nth < 4; nth++) {
      await it.ran(`right-${nth}`, true);
      await it.found(`right-${nth}`, true);
    }
    for (let nth = 0; nth < 120; nth++) await it.ran(`t-${nth}`, true);
    await it.found("t-119", false);
    await it.look();
    expect(await it.sop()).toMatchObject({ status: "active" });
  });

  test.each([
    ["off", []],
    ["tell", ["sop_failing"]],
  ] as const)("stays in use with SOP_DEMOTION=%s, and the messages are %j", async (mode, kinds) => {
    const it = await refuted({ mode });
    await it.found("t-1", false);
    await it.look();
    expect(await it.sop()).toMatchObject({ status: "active", promotion_round: 1 });
    expect((await it.saidOf()).map((text) => text.split(":")[0])).toEqual(kinds);
    expect(await it.pending()).toEqual([]);
  });

  test("that is on trial is left to the rule of trials, unless it was found wrong", async () => {
    const it = judgedVersions();
    await it.stored(versionInUse({ trial_left: 1 }));
    for (const nth of [1, 2, 3, 4]) await it.ran(`t-${nth}`, false);
    await it.look();
    expect([(await it.sop()).status, await it.saidOf()]).toEqual(["active", []]);
    await it.ran("t-5", true);
    await it.found("t-5", false);
    await it.look();
    expect((await it.sop()).status).toBe("candidate");
  });

  test("offers the last version before it that was in use and has other steps", async () => {
    const it = judgedVersions();
    const older = (nth: number, steps_digest: string) =>
      versionInUse({ sop_id: id(nth), version: nth, status: "deprecated", steps_digest });
    await it.stored(older(1, "one"), older(2, "two"), versionInUse());
    const content = { ...anApproval().content, sop_id: id(1) };
    const approval = anApproval({ thread_id: promotionThread(id(1)), content, status: "approved" });
    await it.write("a", [], [{ on: "approval_created", approval }]);
    await it.ran("t-1", true);
    await it.found("t-1", false);
    await it.look();
    const [asked] = await it.pending();
    expect(setBackIn(asked?.content ?? {})).toMatchObject({ earlier: { sop_id: id(1), version: 1 } });
  });

  test("loses nothing when another commit on it comes first: it is looked at again", async () => {
    let races = 1;
    const it = await refuted({
      over: (store) => ({
        commit: async (commit) => {
          const isSetting = commit.events.some(({ kind }) => kind === "sop_set_back");
          if (isSetting && races-- > 0) {
            const change: Change = {
              on: "sop",
              sop_id: ID,
              expect: { status: "active" },
              set: { status: "deprecated" },
            };
            await store.commit({ thread_id: "other", after: "last", events: [], changes: [change] });
          }
          return store.commit(commit);
        },
      }),
    });
    expect([(await it.sop()).status, await it.pending(), it.dispatched, it.logged]).toEqual(["deprecated", [], [], []]);
  });

  test("is looked at again after an error, with nothing lost", async () => {
    let faults = 1;
    const it = await refuted({
      over: (store) => ({
        commit: (commit) => {
          const isDone = commit.changes?.some((change) => change.on === "duty_done") === true;
          return isDone && faults-- > 0 ? Promise.reject(new Error("the disk is full")) : store.commit(commit);
        },
      }),
    });
    expect(it.logged).toHaveLength(1);
    await it.look();
    expect([(await it.sop()).promotion_round, (await it.pending()).length]).toEqual([2, 1]);
  });
});

describe("a version that was set back", () => {
  test("begins a new record when it is approved again", async () => {
    const it = await refuted();
    await it.approved();
    expect(await it.sop()).toMatchObject({ status: "active", promotion_round: 2, record_since: expect.any(String) });
    await it.ran("t-2", true);
    await it.found("t-1", false);
    await it.look();
    expect((await it.sop()).status).toBe("active");
    await it.found("t-2", false);
    await it.look();
    expect(await it.sop()).toMatchObject({ status: "candidate", promotion_round: 3 });
    expect((await it.pending()).map(({ thread_id }) => thread_id)).toEqual([promotionThread(ID, 3)]);
  });

  test("is offered again, with that said, when what was found is corrected: the last verification counts", async () => {
    const it = await refuted();
    const [first] = await it.pending();
    await it.found("t-1", true);
    await it.look();
    const [asked, ...others] = await it.pending();
    expect([asked, others]).toMatchObject([
      {
        thread_id: promotionThread(ID, 3),
        reason:
          "Version 3 was set back (refuted: 0 of 1 verified) and asks to be used again. Its record does not call for that any more.",
        content: { set_back: { holds: false, record: { verified: 1, refuted: 0 }, refutations: [] } },
      },
      [],
    ]);
    expect(await it.store.findApproval(first?.approval_id ?? "")).toMatchObject({ status: "superseded" });
    expect(isSetBack(await it.sop())).toBe(true);
    expect(it.deleted).toEqual([promotionThread(ID), promotionThread(ID, 2)]);
    await it.found("t-1", true);
    await it.look();
    expect((await it.sop()).promotion_round).toBe(3);
    await it.found("t-1", false);
    await it.look();
    expect(await it.pending()).toMatchObject([
      { thread_id: promotionThread(ID, 4), content: { set_back: { holds: true } } },
    ]);
  });
});
