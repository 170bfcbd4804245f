import { expect, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { OrchError } from "../../../src/domain/errors.ts";

const HOME = { HOME: "/home/orch" };

function refusal(environment: object): OrchError {
  try {
    readConfig({ ...HOME, ...environment });
  } catch (error) {
    if (error instanceof OrchError) return error;
  }
  throw new Error("it was not refused");
}

test.each([
  ["file:x.db?connection_limit=1", "query (connection_limit)"],
  ["file:///srv/x.db?mode=ro&cache=shared", "query (mode, cache)"],
  ["file:/srv/x.db?", "query"],
  ["file:x.db?secret value", "query"],
  ["file:x.db#frag", "fragment"],
  ["file:x.db?a=1#frag", "query (a)"],
  ["file://host/x.db", "host"],
  ["file://localhost/srv/x.db", "host"],
  ["file:///", "name a file"],
  ["file:/srv/", "name a file"],
  ["file:.", "name a file"],
  ["file:/srv/..", "name a file"],
  ["file::memory:", "name a file"],
  ["file:x.db ", "blank"],
  ["file:x.db\r", "blank"],
  ["sqlite:x.db", "must begin with file: or postgresql://"],
  ["sqlite3:///srv/x.db", "must begin with file: or postgresql://"],
  ["FILE:x.db", "must begin with file: or postgresql://"],
  ["libsql://x", "must begin with file: or postgresql://"],
  ["/srv/x.db", "must begin with file: or postgresql://"],
  ["postgresql://orch@db/orch#frag", "fragment"],
])("DATABASE_URL=%j is refused and named (promises 4.5)", (DATABASE_URL, why) => {
  const { code, issues, message } = refusal({ DATABASE_URL });
  expect([code, issues]).toEqual(["config_invalid", [{ path: "DATABASE_URL", message: expect.stringContaining(why) }]]);
  expect(message).not.toContain(DATABASE_URL);
});

test.each([
  "file:x.db",
  "file:/srv/x.db",
  "file:///srv/my db",
  "file:./a/../x",
  "postgresql://o:p%23@db/orch?sslmode=require",
])("DATABASE_URL=%s is taken (promises 4.5)", (DATABASE_URL) => {
  expect(readConfig({ ...HOME, DATABASE_URL }).database_url).toBe(DATABASE_URL);
});
