import { describe, expect, it } from "vitest";
import type { CheckLook } from "../../../../src/domain/proof.ts";
import { withMemory } from "../../../../src/engine/tasks/check-looks.ts";
import { memoryStore } from "../../../support/memory-store.ts";

const look = (digest: string, day = 1): CheckLook => ({
  kind: "red",
  digest,
  body: null,
  looked_at: `2026-11-0${day}T00:00:00.000Z`,
});

function counted() {
  const store = memoryStore(() => new Date());
  const asked: string[] = [];
  const remembering = withMemory({
    ...store,
    findCheckLook: (kind, digest) => {
      asked.push(digest);
      return store.findCheckLook(kind, digest);
    },
  });
  const keep = (one: CheckLook) =>
    ({
      thread_id: `check:${one.digest}`,
      after: null,
      events: [],
      changes: [{ on: "check_look", look: one }],
    }) as const;
  return { store, asked, remembering, keep };
}

describe("the memory of looks at checks", () => {
  it("asks the database once for what is kept there, and each time for what is not", async () => {
    const { store, asked, remembering, keep } = counted();
    await store.commit(keep(look("a")));
    for (const digest of ["a", "a", "b", "b"]) await remembering.findCheckLook("red", digest);
    expect(asked).toEqual(["a", "b", "b"]);
  });

  it("answers with what was committed last", async () => {
    const { asked, remembering, keep } = counted();
    await remembering.commit(keep(look("a", 1)));
    await remembering.commit(keep(look("a", 2)));
    expect(await remembering.findCheckLook("red", "a")).toEqual(look("a", 2));
    expect(asked).toEqual([]);
  });
});
