// How long a wait for a change lasts.
import { afterEach, expect, test, vi } from "vitest";
import { lookUntil } from "../../../../src/api/operations/operation.ts";

afterEach(() => void vi.restoreAllMocks());

test.each([
  ["back", -5 * 3_600_000],
  ["forward", 5 * 3_600_000],
])("a wait keeps its length when the clock of the machine is set %s", async (_way, by_ms) => {
  const now = Date.now;
  const next = async (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.min(ms, 20)));
  const begun = performance.now();
  let looks = 0;
  const look = async () => {
    looks += 1;
    if (looks === 2) vi.spyOn(Date, "now").mockImplementation(() => now() + by_ms);
    return looks;
  };
  const isEnough = () => performance.now() - begun > 2_000;
  await lookUntil({ next, look, isEnough }, { wait_seconds: 0.2, signal: new AbortController().signal });
  const lasted = performance.now() - begun;
  expect([lasted > 190, lasted < 2_000]).toEqual([true, true]);
});
