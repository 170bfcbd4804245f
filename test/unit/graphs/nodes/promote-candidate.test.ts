// A promotion: requested once, decided by a human, and settled once.
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, test } from "vitest";
import {
  buildPromotionGraph,
  type Promotion,
  proveCandidate,
  requestPromotion,
  settlePromotion,
} from "../../../../graphs/promotion.ts";
import { approvalDigest, type Decided } from "../../../../src/domain/approval.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { Sop } from "../../../../src/domain/sop.ts";
import { requested } from "../../../../src/engine/tasks/approval-record.ts";
import type { Store } from "../../../../src/ports.ts";
import { AT, cmd } from "../../../support/builders.ts";
import { pipelineParts } from "../../../support/pipeline-parts.ts";
import { aSop } from "../../engine/tasks/a-sop.ts";
import { APPROVED, anApproval } from "../../engine/tasks/a-task.ts";

const CANDIDATE = aSop({ sop_id: "00000000-0000-4000-8000-00000000000c", status: "candidate", version: 4 });
const { sop_id } = CANDIDATE;
const thread_id = `promotion/${sop_id}`;
const about = 'version 4 of deploy on "environment=prod;service=web"';

const promotionOf = (facts: Pick<Promotion, "sop_id"> & Partial<Promotion>): Promotion => facts as Promotion;

async function parts(...sops: Sop[]) {
  const made = pipelineParts();
  for (const sop of sops) await made.write("s", [], [{ on: "sop_created", sop }]);
  return made;
}
const decided = (over: Partial<Decided> & { readonly approval_id?: string } = {}): NewEvent => ({
  kind: "approval_decided",
  body: { ...APPROVED, approval_id: "a-1", ...over },
});
const REFUSED = { decision: "reject", status: "rejected" } as const;

describe("request_promotion", () => {
  test("asks for the whole candidate, and records the digest in the same commit", async () => {
    const { deps, store } = await parts(CANDIDATE);
    const { approval_id } = await requestPromotion(deps)(promotionOf({ sop_id }));
    const { intent, target_signature, version, steps, criteria, safety_level, preconditions } = CANDIDATE;
    const content = {
      intent,
      target_signature,
      sop_id,
      sop_version: version,
      steps,
      criteria,
      safety_level,
      preconditions,
      findings: [],
      replaces: null,
    };
    expect(await store.findApproval(approval_id ?? "")).toMatchObject({
      thread_id,
      kind: "promotion",
      content,
      digest: approvalDigest(content),
      created_at: AT,
      reason: "Version 4 asks for its promotion.",
    });
    expect(await store.readJournal(thread_id)).toMatchObject([
      { kind: "approval_requested", body: { approval_id, kind: "promotion", digest: approvalDigest(content) } },
    ]);
  });
});

describe("prove", () => {
  test("records what is known of the candidate once, with what policy says of it", async () => {
    const { deps, store } = await parts(CANDIDATE, aSop({ version: 3, steps: [cmd("touch x")] }));
    expect(await proveCandidate(deps)(promotionOf({ sop_id }))).toEqual({ proof: "gathered" });
    expect(await proveCandidate(deps)(promotionOf({ sop_id }))).toEqual({ proof: "gathered" });
    const events = await store.readJournal(thread_id);
    expect(events).toMatchObject([
      { kind: "policy_judged", body: { findings: [] } },
      { kind: "sop_examined", body: { level: "defined", warnings: ["No run of it has passed yet."] } },
    ]);
    const { approval_id = "" } = await requestPromotion(deps)(promotionOf({ sop_id }));
    expect(await store.findApproval(approval_id)).toMatchObject({ content: { proof: events[1]?.body, replaces: 3 } });
  });

  test("is repeated, and the promotion asked for again, when another version has come into use since", async () => {
    const asked = await parts(CANDIDATE);
    const { approval_id = "" } = await requestPromotion(asked.deps)(promotionOf({ sop_id }));
    const opened = await asked.store.findApproval(approval_id);
    const approval = anApproval({ ...opened, approval_id: "a-1" });
    const { deps, store, write } = await parts(CANDIDATE, aSop({ version: 3 }));
    const events = [requested(approval), decided()];
    await write(thread_id, events, [{ on: "approval_created", approval }]);
    const facts = promotionOf({ sop_id });
    expect(await settlePromotion(deps, "active")(promotionOf({ sop_id, approval_id: "a-1" }))).toEqual({
      activation: "stale",
    });
    expect(await store.findSop(sop_id)).toMatchObject({ status: "candidate" });
    expect(await proveCandidate(deps)(facts)).toEqual({ proof: "gathered" });
    const again = await requestPromotion(deps)(facts);
    expect(await store.findApproval(again.approval_id ?? "")).toMatchObject({
      digest: expect.not.stringMatching(approval.digest),
      content: { replaces: 3, proof: { diff: [] } },
    });
    expect(await requestPromotion(deps)(facts), "and once").toEqual(again);
  });
});

describe("where only proved versions are promoted", () => {
  const onlyProved = async (level: Sop["level"]) => {
    const { deps, store } = await parts({ ...CANDIDATE, level });
    const graph = buildPromotionGraph({ ...deps, sop_promotion: "proved_only" }, new MemorySaver());
    await graph.invoke({ sop_id }, { configurable: { thread_id } });
    const { length } = await store.listApprovals({ thread_id, limit: 9 });
    return { asked: length, status: (await store.findSop(sop_id))?.status, events: await store.readJournal(thread_id) };
  };

  test.each(["defined", "tried"] as const)(
    "a version that is %s is refused, and the supervisor is sent why",
    async (level) => {
      const { asked, status, events } = await onlyProved(level);
      expect([asked, status]).toEqual([0, "deprecated"]);
      const message = `Not promoted: ${about}.`;
      expect(events.at(-1)).toMatchObject({ body: { status: "blocked", reason_code: "sop_not_proved", message } });
    },
  );
});

describe("settling a promotion", () => {
  const statuses = async ({ findSop }: Store, ...ids: string[]) =>
    Promise.all(ids.map(async (id) => (await findSop(id))?.status));

  test("as active deprecates the version that was active, reports it and writes both changes at once", async () => {
    const { deps, store } = await parts(CANDIDATE, aSop({ version: 3 }));
    expect(await settlePromotion(deps, "active")(promotionOf({ sop_id, approval_id: "a-1" }))).toEqual({
      activation: "done",
    });
    expect(await statuses(store, sop_id, aSop().sop_id)).toEqual(["active", "deprecated"]);
    expect(await store.readJournal(thread_id)).toMatchObject([
      { kind: "sop_changed", body: { sop_id: aSop().sop_id, status: "deprecated", why: "replaced by version 4" } },
      { kind: "sop_changed", body: { sop_id, version: 4, status: "active", why: "promotion approved" } },
      {
        kind: "reported",
        body: { status: "ok", reason_code: "promoted", message: `Promoted: ${about}, in the place of version 3.` },
      },
    ]);
  });

  test.each([
    ["approval_rejected", REFUSED],
    ["approval_expired", { decision: "reject", status: "expired" }],
  ] as const)("as deprecated leaves the active version alone and reports %s", async (reason_code, over) => {
    const { deps, store, write } = await parts(CANDIDATE, aSop({ version: 3 }));
    await write(thread_id, [decided(over)]);
    await settlePromotion(deps, "deprecated")(promotionOf({ sop_id, approval_id: "a-1" }));
    expect(await statuses(store, sop_id, aSop().sop_id)).toEqual(["deprecated", "active"]);
    expect((await store.readJournal(thread_id)).slice(1)).toMatchObject([
      { kind: "sop_changed", body: { sop_id, status: "deprecated", why: "promotion refused" } },
      { kind: "reported", body: { status: "blocked", reason_code, message: `Not promoted: ${about}.` } },
    ]);
  });

  test.each(["active", "deprecated"] as const)("as %s happens once: after it nothing is written", async (status) => {
    const { deps, store } = await parts(CANDIDATE);
    await settlePromotion(deps, status)(promotionOf({ sop_id }));
    const journal = await store.readJournal(thread_id);
    for (const again of ["active", "deprecated"] as const) {
      expect(await settlePromotion(deps, again)(promotionOf({ sop_id }))).toEqual({ activation: "done" });
    }
    expect(await store.readJournal(thread_id)).toEqual(journal);
    expect(await statuses(store, sop_id)).toEqual([status]);
  });

  test("looks again when another version has become active in between", async () => {
    const { deps, store, write } = await parts(CANDIDATE);
    let races = 1;
    const listSops: Store["listSops"] = async (query) => {
      const candidates = await store.listSops(query);
      if (races-- > 0) await write("s", [], [{ on: "sop_created", sop: aSop({ version: 3 }) }]);
      return candidates;
    };
    await settlePromotion({ ...deps, store: { ...store, listSops } }, "active")(promotionOf({ sop_id }));
    expect(await statuses(store, sop_id, aSop().sop_id)).toEqual(["active", "deprecated"]);
    const message = `Promoted: ${about}, in the place of version 3.`;
    expect((await store.readJournal(thread_id)).at(-1)).toMatchObject({ body: { message } });
  });
});
