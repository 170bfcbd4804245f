// The look through all journals: each call begins a new one, a long one goes on after the call, and what it found is not forgotten.
import { expect, test } from "vitest";
import type { BrokenChain, JudgedPage } from "../../../../src/domain/scorecard/kept-scores.ts";
import { createChainCheck } from "../../../../src/features/scorecard/operations.ts";

const page = (judged: number, last: string | null, ...broken: BrokenChain[]): JudgedPage => ({ judged, broken, last });
const A: BrokenChain = { thread_id: "a", seq: 1 };
const NONE = async () => page(0, null);

test("promises 3.10: every page is looked at, and each call looks again", async () => {
  let broken: BrokenChain[] = [A];
  const check = createChainCheck({
    judgeChains: async (after) => (after === "" ? page(50, "m") : page(3, null, ...broken)),
    missingEnds: async () => page(3, null, { thread_id: "z", seq: null }),
  });
  expect(await check()).toEqual({ judged: 53, broken: [A, { thread_id: "z", seq: null }], is_whole: true });
  broken = [];
  expect((await check()).broken).toEqual([{ thread_id: "z", seq: null }]);
});

test("promises 3.10: a look that takes long goes on after the call, which says how far it is", async () => {
  const { promise: slow, resolve: go } = Promise.withResolvers<void>();
  const check = createChainCheck({
    judgeChains: async (after) => {
      if (after !== "") await slow;
      return after === "" ? page(50, "m", A) : page(7, null);
    },
    missingEnds: NONE,
  });
  expect(await check()).toEqual({ judged: 50, broken: [A], is_whole: false });
  go();
  await expect.poll(check, { timeout: 10_000 }).toEqual({ judged: 57, broken: [A], is_whole: true });
});

test("promises 3.10: a database that cannot be read says nothing of its journals", async () => {
  let fails = true;
  const judgeChains = async () => {
    if (fails) throw new Error("the disk is away");
    return page(2, null);
  };
  const check = createChainCheck({ judgeChains, missingEnds: NONE });
  expect(await check()).toMatchObject({ is_whole: false });
  fails = false;
  expect(await check()).toEqual({ judged: 2, broken: [], is_whole: true });
});
