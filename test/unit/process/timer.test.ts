// The timer of this process.
import { describe, expect, test } from "vitest";
import { timer } from "../../../src/process/system.ts";

describe("the timer", () => {
  test("acts once, after the time that was asked for", async () => {
    let acts = 0;
    const began = performance.now();
    await new Promise<void>((resolve) => {
      timer(() => {
        acts += 1;
        resolve();
      }, 5);
    });
    expect(performance.now() - began).toBeGreaterThanOrEqual(4);
    expect(acts).toBe(1);
  });

  test("that is cancelled does not act", async () => {
    let acts = 0;
    const cancel = timer(() => {
      acts += 1;
    }, 1);
    cancel();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(acts).toBe(0);
  });
});
