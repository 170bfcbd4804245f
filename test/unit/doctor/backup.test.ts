import { expect, test } from "vitest";
import { diagnosed } from "../../../src/doctor/doctor.ts";

const NOW = Date.parse("2026-03-20T09:00:00.000Z");

test.each([
  [null, "falls_back", "the database was never backed up by orch"],
  ["2026-03-20T06:00:00.000Z", "works", "the last backup was made 3 h ago (2026-03-20T06:00:00.000Z)"],
  ["2026-03-01T09:00:00.000Z", "falls_back", "the last backup was made 19 days ago (2026-03-01T09:00:00.000Z)"],
])("doctor says of a backup of %s that it %s", (at, state, found) => {
  expect(diagnosed(at, NOW)).toMatchObject({ state, found });
});
