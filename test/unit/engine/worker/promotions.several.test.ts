// A promotion where several servers share the database: none of them owns it.
import { expect, test } from "vitest";
import { createPromotions } from "../../../../src/engine/worker/promotions.ts";
import { pipelineParts } from "../../../support/pipeline-parts.ts";
import { aSop } from "../tasks/a-sop.ts";

test("a promotion that is answered begins anew, because another server may have deleted its checkpoint", async () => {
  const { store, threads, write } = pipelineParts();
  const did: unknown[] = [];
  const promotions = createPromotions({
    store,
    threads,
    servers: { are_many: true },
    now: () => 0,
    onPaused: () => undefined,
    graph: { invoke: async (input) => void did.push(input) },
    checkpoints: { deleteThread: async (id) => void did.push(id), prune: async () => true, sweep: async () => {} },
    log: { error: (...entry) => void did.push(entry) },
  });
  await write("s", [], [{ on: "sop_created", sop: aSop({ sop_id: "s-1", status: "candidate" }) }]);
  promotions.dispatch("s-1", { kind: "resume", interrupt_id: "i-1" });
  await promotions.drain();
  const thread_id = "promotion/s-1";
  // Also once it has ended.
  expect(did).toEqual([thread_id, { sop_id: "s-1", thread_id }, thread_id]);
});
