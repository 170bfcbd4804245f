import { expect, test } from "vitest";
import { createSharedFlush } from "../../../src/store/sqlite.ts";

/** A disk whose flushes end when the test says so. */
function slowDisk() {
  const ends: PromiseWithResolvers<void>[] = [];
  const flush = () => {
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise;
  };
  return { shared: createSharedFlush(flush), ends };
}

test("commits that come while a flush is under way share the next one", async () => {
  const { shared, ends } = slowDisk();
  const answered: string[] = [];
  const commit = (name: string) => shared.afterCommit().then(() => answered.push(name));
  const all = [commit("first"), commit("second"), commit("third")];
  expect(ends).toHaveLength(1);
  ends[0]?.resolve();
  await all[0];
  expect(answered).toEqual(["first"]);
  expect(ends).toHaveLength(2);
  ends[1]?.resolve();
  await Promise.all(all);
  expect(ends).toHaveLength(2);
  const later = shared.afterCommit();
  expect(ends).toHaveLength(3);
  ends[2]?.resolve();
  await later;
});

test("what was read waits for the commits before it, and for no flush where there are none", async () => {
  const { shared, ends } = slowDisk();
  await shared.settled();
  expect(ends).toHaveLength(0);
  const commits = [shared.afterCommit(), shared.afterCommit()];
  let isShown = false;
  const read = shared.settled().then(() => {
    isShown = true;
  });
  ends[0]?.resolve();
  await commits[0];
  expect(isShown).toBe(false);
  ends[1]?.resolve();
  await read;
});

test("after a flush that failed, nothing is answered any more", async () => {
  const { shared, ends } = slowDisk();
  const commits = [shared.afterCommit(), shared.afterCommit()];
  ends[0]?.reject(new Error("EIO"));
  for (const commit of commits) await expect(commit).rejects.toThrow("EIO");
  await expect(shared.afterCommit()).rejects.toThrow("EIO");
  await expect(shared.settled()).rejects.toThrow("EIO");
  expect(ends).toHaveLength(1);
});
