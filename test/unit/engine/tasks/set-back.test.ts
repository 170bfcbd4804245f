// A version that was set back: its approval, and what becomes of it.
import { describe, expect, test } from "vitest";
import { isSetBack } from "../../../../src/domain/sop.ts";
import { promotionThread } from "../../../../src/domain/thread-id.ts";
import { ID, judgedVersions, versionInUse } from "../worker/judged-versions.ts";

describe("a version that was set back", () => {
  async function refuted() {
    const it = judgedVersions();
    await it.stored(versionInUse());
    await it.ran("t-1", true);
    await it.found("t-1", false);
    await it.look();
    return it;
  }

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
