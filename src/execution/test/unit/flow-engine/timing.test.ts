// How long waits grow, and that none outlasts its reason.
import { describe, expect, test } from "vitest";
import { longer, pause, TIMING } from "../../../flow-engine/wait-watch.ts";

describe("the wait between two looks", () => {
  test("is half as long again each time, and at most ten times the first", () => {
    const waits = [TIMING.poll_ms];
    for (let nth = 0; nth < 20; nth += 1) waits.push(longer(waits.at(-1) ?? 0, TIMING));
    expect(waits.slice(0, 4)).toEqual([500, 750, 1125, 1687.5]);
    expect(Math.max(...waits)).toBe(5_000);
    expect(waits.toSorted((a, b) => a - b)).toEqual(waits);
  });

  test("leaves several tries in every limit", () => {
    const { poll_ms, submit_ms, missing_ms, cancel_ms, lost_ms, resubmit_ms, request_ms } = TIMING;
    for (const limit_ms of [submit_ms, missing_ms, cancel_ms]) expect(limit_ms / (poll_ms * 10)).toBeGreaterThan(3);
    expect(lost_ms).toBeGreaterThan(10 * request_ms);
    expect(resubmit_ms).toBeGreaterThan(submit_ms + request_ms);
  });

  test("ends at once when the signal aborts, and when it has", async () => {
    const controller = new AbortController();
    const waiting = pause(3_600_000, controller.signal);
    controller.abort();
    await waiting;
    await pause(3_600_000, controller.signal);
  });
});
