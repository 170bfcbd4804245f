// What waits, as a tab shows it: put off or not, and the number on its icon.
import { afterAll, describe, expect, test, vi } from "vitest";
import type { InboxItem } from "../../../features/approvals/shapes.ts";
import { iconWith } from "../../parts/icon.tsx";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {}, removeItem: () => {} });
vi.useFakeTimers();
const { isHidden, keyOf } = await import("../../pages/inbox/put-off.ts");
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const NOW = Date.parse("2026-01-01T12:00:00Z");
const waiting = (expires_in_ms: number | null): InboxItem => ({
  kind: "plan",
  risk: "changes",
  thread_id: "t-1",
  approval_id: "a-1",
  intent: "deploy",
  target_signature: "host=a",
  text: "asks",
  since: new Date(NOW).toISOString(),
  next: [],
  expires_at: expires_in_ms === null ? null : new Date(NOW + expires_in_ms).toISOString(),
});
const isHiddenOf = (item: InboxItem) => isHidden(item, new Set([keyOf(item)]), NOW);

describe("what was put off", () => {
  test("is hidden until the hour before it is refused by itself", () => {
    expect(isHiddenOf(waiting(3_600_001))).toBe(true);
    expect(isHiddenOf(waiting(3_600_000))).toBe(false);
    expect(isHiddenOf(waiting(-1))).toBe(false);
    expect(isHiddenOf(waiting(null))).toBe(true);
    expect(isHidden(waiting(null), new Set(), NOW)).toBe(false);
  });
});

describe("the icon of the tab", () => {
  test("has the number of what waits, up to nine", () => {
    const textIn = (count: number) => /<text[^>]*>([^<]*)</.exec(decodeURIComponent(iconWith(count)))?.[1];
    expect([0, 1, 9, 10, 500].map(textIn)).toEqual([undefined, "1", "9", "9+", "9+"]);
  });
});
