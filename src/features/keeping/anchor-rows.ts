// What is kept for anchors: the ends of journals that the root of a day is over (D-372).
import type { AnchorChange, KeptAnchors } from "../../domain/anchor.ts";
import type { Database } from "../../store/database.ts";
import { guarded } from "../../store/database-errors.ts";
import type { Session } from "../../store/sql.ts";

export const readAnchors = ({ client: { journalEvent, anchorLeaf } }: Pick<Database, "client">): KeptAnchors => ({
  readGrowth: guarded((after, take) =>
    journalEvent.findMany({
      where: { cursor: { gt: after } },
      orderBy: { cursor: "asc" },
      take,
      select: { cursor: true, thread_id: true, seq: true, hash: true, at: true },
    }),
  ),
  readLeaves: guarded((day) =>
    anchorLeaf.findMany({ where: { day }, select: { thread_id: true, seq: true, hash: true } }),
  ),
  listAnchored: guarded((thread_id, take) =>
    anchorLeaf.findMany({
      where: { thread_id },
      orderBy: { day: "desc" },
      take,
      select: { day: true, seq: true, hash: true },
    }),
  ),
});

export async function insertLeaves({ day, leaves }: AnchorChange, { anchorLeaf }: Session): Promise<true> {
  await anchorLeaf.createMany({ data: leaves.map(({ thread_id, seq, hash }) => ({ thread_id, day, seq, hash })) });
  return true;
}
