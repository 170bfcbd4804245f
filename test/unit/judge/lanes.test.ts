import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createLanes, type WaitingOrder } from "../../../src/judge/thread-judge.ts";

const refused: string[] = [];
const named = (name: string): WaitingOrder => ({
  order: { name, given: [] },
  resolve: () => undefined,
  reject: (error) => void refused.push(`${name} ${(error as { code: string }).code}`),
});

beforeEach(() => {
  refused.length = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const LIMITS = { patience_ms: 1_000, max_waiting: 2 };

describe("what waits for the judge", () => {
  test("is taken in turn of tasks and requests, each in its order", () => {
    const lanes = createLanes({ ...LIMITS, max_waiting: 9 });
    for (const name of ["r1", "r2", "r3"]) lanes.add("request", named(name));
    for (const name of ["t1", "t2"]) lanes.add("task", named(name));
    const taken = Array.from({ length: 6 }, () => lanes.take()?.order.name);
    expect(taken).toEqual(["t1", "r1", "t2", "r2", "r3", undefined]);
  });

  test("is refused as busy after its time when it is of a request, and not when it is of a task", () => {
    const lanes = createLanes(LIMITS);
    lanes.add("task", named("t"));
    lanes.add("request", named("r"));
    vi.advanceTimersByTime(1_000);
    expect(refused).toEqual(["r busy"]);
    expect([lanes.take()?.order.name, lanes.take()]).toEqual(["t", undefined]);
  });

  test("is refused at once where too many requests wait", () => {
    const lanes = createLanes(LIMITS);
    for (const name of ["r1", "r2", "r3"]) lanes.add("request", named(name));
    expect(refused).toEqual(["r3 busy"]);
  });

  test("is not refused once it is taken", () => {
    const lanes = createLanes(LIMITS);
    lanes.add("request", named("r"));
    lanes.take();
    vi.advanceTimersByTime(5_000);
    expect(refused).toEqual([]);
  });
});
