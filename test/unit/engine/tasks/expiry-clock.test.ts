import { expect, test } from "vitest";
import { expiryClock } from "../../../../src/engine/tasks/approval-record.ts";
import { AT } from "../../../support/builders.ts";

test("a server whose clock is ahead goes by that of the database, as it was measured last", () => {
  let ahead_ms = 600_000;
  const clock = expiryClock({ clock: () => new Date(AT), servers: { aheadMs: () => ahead_ms } });
  expect(clock().toISOString()).toBe("2026-03-06T08:50:00.000Z");
  ahead_ms = -1_000;
  expect(clock().toISOString()).toBe("2026-03-06T09:00:01.000Z");
});
