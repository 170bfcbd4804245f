// Databases of each earlier state of the schema: a start migrates them, and what they hold goes on.
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import { temporaryFolder } from "../../support/database.ts";
import { earlierSchemas, makeEarlier } from "../../support/earlier-schema.ts";
import { openEngine } from "../../support/engine.ts";
import { databasesOfEachChange, postgres } from "../../support/postgres.ts";

const server = postgres();
const folder = temporaryFolder();
afterAll(async () => {
  folder.remove();
  await server?.stop();
});

const EARLIER = await earlierSchemas();

describe.each(databasesOfEachChange(server))("a database on %s", (_kind, create) => {
  test.each(EARLIER)("whose last migration is %s is migrated, and goes on", async (last) => {
    const directory = mkdtempSync(join(folder.path, "data-"));
    const env: Readonly<Record<string, string>> = await create();
    await makeEarlier(env["DATABASE_URL"] ?? join(directory, "orch.db"), last);
    await using engine = await openEngine({ directory, env });
    const { tasks, quarantined } = await engine.call("list_tasks", {});
    expect(tasks.map(({ task_id, status }: { task_id: string; status: string }) => [task_id, status]).sort()).toEqual([
      ["asks-approval", "need_approval"],
      ["taught", "ok"],
    ]);
    expect(quarantined).toEqual([]);
    await engine.call("approve", { task_id: "asks-approval", decision: "approve" });
    const now = await engine.run("now", { intent: "restart", target: { service: "a" } });
    expect(now).toMatchObject({ status: "ok", outcome: { reason_code: "verified" } });
    expect(await engine.outcomeOf("asks-approval")).toMatchObject({ status: "ok" });
    for (const task_id of ["taught", "asks-approval", "now"]) {
      const bundle = await engine.call("get_evidence", { task_id });
      expect(verifyBundle(JSON.parse(JSON.stringify(bundle))).faults, task_id).toEqual([]);
    }
  });
});
