import { expect, test } from "vitest";
import { OrchError } from "../../../../src/domain/errors.ts";
import type { Archivable, ArchivedTask } from "../../../../src/domain/task.ts";
import { createArchiver } from "../../../../src/features/keeping/archiver.ts";
import { AT } from "../../../support/builders.ts";

const tasks: readonly Archivable[] = ["a", "b", "c"].map((task_id) => ({ task_id, ended_at: AT }));

test("a task that cannot be read stays, and those after it are archived", async () => {
  const done: ArchivedTask[] = [];
  const warnings: object[] = [];
  const archiver = createArchiver({
    store: {
      listArchivable: async ({ after }) => tasks.filter(({ task_id }) => task_id > (after?.task_id ?? "")),
      listArchiveFiles: async () => [],
      archivedEnd: async () => 0,
      commit: async ({ changes = [] }) => {
        for (const change of changes) if (change.on === "task_archived") done.push(change.archived);
        return { ok: true, events: [] };
      },
    },
    clock: () => new Date(AT),
    keep_days: 180,
    verifiedBundle: async (task_id) => {
      if (task_id === "a") throw new OrchError("quarantined", "its row cannot be read");
      return { bundle: { journal: [{ seq: 1, hash: "h" }] }, faults: [] };
    },
    ensureThere: async () => undefined,
    append: async (month, _endOf, bundles) =>
      bundles.map(({ task_id }, nth) => ({
        task_id,
        file: month,
        file_offset: nth,
        file_bytes: 1,
        bundle_digest: "d",
      })),
    log: { info: () => undefined, warn: (details) => warnings.push(details) },
  });
  await archiver.look();
  expect(done.map(({ task_id }) => task_id)).toEqual(["b", "c"]);
  expect(warnings).toEqual([{ task_id: "a", faults: ["its row cannot be read"] }]);
});
