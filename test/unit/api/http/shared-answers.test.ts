import { describe, expect, test } from "vitest";
import { createSharedAnswers } from "../../../../src/api/http/operation-route.ts";

function counting() {
  let [version, now, reads] = [0, 0, 0];
  const answers = createSharedAnswers(
    () => version,
    () => now,
  );
  return {
    read: (key = "/v1/tasks") => answers(key, async () => `answer ${++reads}`),
    change: () => {
      version += 1;
    },
    wait: (ms: number) => {
      now += ms;
    },
  };
}

describe("the answer that pages share", () => {
  test("is read once for all who ask the same at once, and once for each other question", async () => {
    const { read } = counting();
    const found = await Promise.all([read(), read(), read("/v1/inbox"), read()]);
    expect(found).toEqual(["answer 1", "answer 1", "answer 2", "answer 1"]);
  });

  test("is not given any more after a change, also while it is being read", async () => {
    const { read, change } = counting();
    const before = read();
    change();
    expect(await Promise.all([before, read()])).toEqual(["answer 1", "answer 2"]);
  });

  test("is as old as 100 ms at most", async () => {
    const { read, wait } = counting();
    await read();
    wait(99);
    expect(await read()).toBe("answer 1");
    wait(1);
    expect(await read()).toBe("answer 2");
  });
});
