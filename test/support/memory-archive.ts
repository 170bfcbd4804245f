// What the Store in memory keeps of the archive. Its journals stay where they are.

import { hasEnded } from "../../src/domain/outcome.ts";
import { parseOrigin, type Sop } from "../../src/domain/sop.ts";
import type { KeptArchive } from "../../src/domain/task.ts";
import type { Rows } from "./memory-rows.ts";

export const memoryArchive = (kept: () => Rows): KeptArchive => ({
  listArchivable: async ({ limit, after, ended_before, unverified_since }) =>
    [...kept().tasks.values()]
      .flatMap((task) => {
        const { task_id, ended_at, status, verification, contract } = task;
        if (!kept().scores.has(task_id)) return [];
        if (ended_at === null || ended_at >= ended_before || !hasEnded(status)) return [];
        const isOpen =
          verification === null &&
          status === "ok" &&
          (ended_at >= unverified_since || contract.verify_by !== undefined);
        const isProof = [...kept().sops.values()].some(
          (sop) => sop.status === "active" && (taughtBy(sop) === task_id || lastRunOf(kept(), sop.sop_id) === task_id),
        );
        if (isOpen || verification?.verified === false || isProof || kept().archived.has(task_id)) return [];
        return [{ task_id, ended_at }];
      })
      .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
      .filter((one) => after === null || keyOf(one) > keyOf(after))
      .slice(0, limit),
  archivedEnd: async (file) =>
    Math.max(
      0,
      ...[...kept().archived.values()].map((one) => (one.file === file ? one.file_offset + one.file_bytes : 0)),
    ),
  listArchiveFiles: async () =>
    [...Map.groupBy(kept().archived.values(), ({ file }) => file)]
      .map(([file, all]) => ({ file, file_end: Math.max(...all.map((one) => one.file_offset + one.file_bytes)) }))
      .sort((one, other) => (one.file < other.file ? -1 : 1)),
  findArchived: async (task_id) => kept().archived.get(task_id) ?? null,
});

function taughtBy({ origin }: Pick<Sop, "origin">): string | null {
  const parsed = parseOrigin(origin);
  return parsed.by === "task" || parsed.by === "update_sop" ? parsed.task_id : null;
}

const keyOf = ({ ended_at, task_id }: { readonly ended_at: string; readonly task_id: string }) =>
  `${ended_at} ${task_id}`;

const lastRunOf = ({ scores }: Rows, sop_id: string): string | null =>
  [...scores.values()]
    .filter((score) => score.sop_id === sop_id && score.status === "ok")
    .sort((one, other) => (one.ended_at > other.ended_at ? -1 : 1))
    .at(0)?.task_id ?? null;
