// The restore drill as a procedure that is shipped (capabilities/library): imported, promoted and run on the database of its own server.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/database.ts";
import { openEngine } from "../../support/engine.ts";

const LIBRARY = join(import.meta.dirname, "../../../capabilities/library");
const PROGRAM = join(import.meta.dirname, "../../../src/orch.ts");

test("the shipped restore drill backs up, restores into a scratch directory and is DONE when every journal was verified", async () => {
  using folder = disposable();
  const bin = join(folder.path, "bin");
  for (const name of ["bin", "backups", "scratch", "data"]) mkdirSync(join(folder.path, name));
  writeFileSync(join(bin, "orch"), `#!/bin/sh\nexec ${process.execPath} ${PROGRAM} "$@"\n`);
  chmodSync(join(bin, "orch"), 0o755);
  const directory = join(folder.path, "data");
  await using engine = await openEngine({ directory, path: `${bin}:${process.env["PATH"]}` });
  const here = (file: string) =>
    readFileSync(join(LIBRARY, file), "utf8")
      .replaceAll("/var/lib/orch", directory)
      .replaceAll("/var/backups/orch", join(folder.path, "backups"))
      .replaceAll("/var/tmp/orch-drill", join(folder.path, "scratch"));
  const { sop, approval_id } = await engine.call("import_sop", { file: here("restore-drill.sop.yaml") });
  await engine.call("approve", { approval_id, decision: "approve" });
  await expect.poll(async () => (await engine.call("get_sop", { sop_id: sop.sop_id })).sop.status).toBe("active");
  await engine.endTrial(sop.sop_id);
  const contract = JSON.parse(here("restore-drill.contract.json"));
  const task = await engine.call("submit_task", { ...contract, wait_seconds: 30 });
  expect(task.outcome).toMatchObject({ status: "ok", reason_code: "verified" });
  expect(existsSync(join(folder.path, "scratch", contract.task_id, "orch.db"))).toBe(true);
  const evidence = await engine.call("get_evidence", { task_id: contract.task_id });
  expect(JSON.stringify(evidence.journal)).toContain("read and found whole");
});

function disposable() {
  const folder = temporaryFolder();
  return { path: folder.path, [Symbol.dispose]: folder.remove };
}
