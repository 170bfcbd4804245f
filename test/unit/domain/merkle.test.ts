import { describe, expect, test } from "vitest";
import { headOf, merklePath, merkleRoot, rootFrom } from "../../../src/domain/backup.ts";

const leaves = (count: number) => Array.from({ length: count }, (_, at) => `leaf ${at}`);

describe("a Merkle root", () => {
  test.each([1, 2, 3, 4, 5, 7, 8, 33])("is reached from each of %i leaves by its path", (count) => {
    const root = merkleRoot(leaves(count));
    for (const [at, leaf] of leaves(count).entries()) {
      const path = merklePath(leaves(count), at);
      expect(rootFrom(leaf, path)).toBe(root);
      expect(rootFrom("another", path)).not.toBe(root);
    }
  });

  test("differs with each leaf, their number and their order", () => {
    const roots = [leaves(3), leaves(4), leaves(3).reverse(), ["leaf 0", "leaf 1", "leaf x"], []].map(merkleRoot);
    expect(new Set(roots).size).toBe(5);
  });

  test("does not depend on the order in which the ends of journals were read", () => {
    const ends = ["b", "a", "B"].map((thread_id) => ({ thread_id, seq: 1, hash: "0".repeat(64) }));
    expect(headOf(ends)).toEqual(headOf([...ends].reverse()));
    expect(headOf(ends).threads).toBe(3);
  });
});
