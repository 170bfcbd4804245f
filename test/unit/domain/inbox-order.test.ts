// The order of the inbox: by risk, then by age.
import { describe, expect, test } from "vitest";
import { INBOX_RISKS, inRiskOrder } from "../../../src/domain/inbox-order.ts";

const NOW = Date.parse("2026-01-01T12:00:00Z");
const at = (ms: number) => new Date(NOW + ms).toISOString();
const HOUR_MS = 3_600_000;
const waiting = (
  name: string,
  risk: (typeof INBOX_RISKS)[number],
  age_ms = 0,
  expires_in_ms: number | null = null,
) => ({
  name,
  risk,
  since: at(-age_ms),
  expires_at: expires_in_ms === null ? null : at(expires_in_ms),
});
const order = (...items: ReturnType<typeof waiting>[]) => inRiskOrder(items, NOW).map(({ name }) => name);

describe("the inbox is in an order", () => {
  test("that begins with the worst risk, however young it is", () => {
    const items = INBOX_RISKS.toReversed().map((risk, nth) => waiting(risk, risk, 1_000 * (INBOX_RISKS.length - nth)));
    const together = ["changes", "cannot_tell"];
    const found = order(...items);
    expect(found.filter((name) => !together.includes(name))).toEqual(
      INBOX_RISKS.filter((name) => !together.includes(name)),
    );
    expect(found.indexOf("set_back")).toBeLessThan(Math.min(...together.map((name) => found.indexOf(name))));
    expect(found.indexOf("looks")).toBeGreaterThan(Math.max(...together.map((name) => found.indexOf(name))));
  });

  test("that asks the oldest first of equal risk, and what policy cannot tell as what changes something", () => {
    const items = [
      waiting("young change", "changes", 1),
      waiting("old look", "looks", 9_000),
      waiting("old unclear", "cannot_tell", 5),
      waiting("older change", "changes", 9),
    ];
    expect(order(...items)).toEqual(["older change", "old unclear", "young change", "old look"]);
  });

  test("that asks what expires within the hour next after a step whose outcome is unknown", () => {
    const items = [
      waiting("set back", "set_back", 9_000, 2 * HOUR_MS),
      waiting("look that expires", "looks", 1, HOUR_MS),
      waiting("look with time", "looks", 9_000, HOUR_MS + 1),
      waiting("unknown", "outcome_unknown", 1),
      waiting("change with time", "changes", 1, 3 * HOUR_MS),
    ];
    expect(order(...items)).toEqual(["unknown", "look that expires", "set back", "change with time", "look with time"]);
  });
});
