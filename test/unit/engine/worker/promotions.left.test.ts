// What a server that ends says of the promotions that it leaves to the others (D-332).
import { expect, test } from "vitest";
import type { Sop } from "../../../../src/domain/sop.ts";
import { createPromotions } from "../../../../src/engine/worker/promotions.ts";
import { pipelineParts } from "../../../support/pipeline-parts.ts";
import { aSop } from "../tasks/a-sop.ts";

const candidate = (nth: number): Sop => aSop({ sop_id: `s-${nth}`, status: "candidate", version: nth });

test("a candidate that is left at the end is passed on, once for all of them", async () => {
  const { store, threads, write } = pipelineParts();
  const left: string[] = [];
  const promotions = createPromotions({
    store,
    threads,
    now: () => 0,
    onPaused: () => undefined,
    log: { error: () => undefined },
    servers: { are_many: true },
    graph: { invoke: async () => ({}) },
    checkpoints: { deleteThread: async () => undefined, prune: async () => true, sweep: async () => undefined },
    onLeft: async (thread_id) => void left.push(thread_id),
  });
  await promotions.drain();
  expect(left).toEqual([]);
  for (const sop of [candidate(1), candidate(2), aSop({ sop_id: "s-9", version: 9 })])
    await write("s", [], [{ on: "sop_created", sop }]);
  promotions.dispatch("s-1", { kind: "recover" });
  await promotions.drain();
  expect(left).toHaveLength(1);
  expect(["promotion/s-1", "promotion/s-2"]).toContain(left[0]);
});
