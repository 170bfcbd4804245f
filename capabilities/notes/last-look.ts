// The last look of a plan: whether its notes are under their targets, and whether the targets are still what was approved. A user
// may have moved a target directly before a move, where no guard could see it any more (D-259).
import { boundTo, lineageOf, remembering } from "./ancestors.ts";
import { judgeTargetAgain } from "./guards.ts";
import type { PlannedMove } from "./moves.ts";
import type { NotesServer } from "./notes-server.ts";
import { type Expected, missingIn } from "./verify-placement.ts";
import { readStep, throughOutage, type Work } from "./work.ts";

export type Objectionable = { note_id: string; title: string; to: string; code: string; reason: string };
export type LastLook = { missing: Expected[]; objections: Objectionable[] };

/** `expected` includes notes that were in place already; `made` are the moves that were made. */
export const lastLook = (work: Work, expected: readonly Expected[], made: readonly PlannedMove[]): Promise<LastLook> =>
  readStep(work, "verify where the notes and their targets are", (notes) =>
    throughOutage(work, async () => {
      const [missing, objections] = await Promise.all([missingIn(notes, expected), objectionsTo(notes, made)]);
      return { missing, objections };
    }),
  );

async function objectionsTo({ note }: NotesServer, made: readonly PlannedMove[]): Promise<Objectionable[]> {
  const lineage = remembering((note_id: string) => lineageOf(note_id, remembering(note)));
  const moved = new Set(made.map(({ note_id }) => note_id));
  const objections = await Promise.all(
    made.map(async ({ note_id, title, to, bound }) => {
      const target = await lineage(to);
      // Where the plan has moved the target as well, its place is another than before.
      const isOther = [...(target?.above.keys() ?? [])].some((id) => moved.has(id));
      const now = target && isOther ? { to: boundTo(target) } : bound;
      const found = judgeTargetAgain({ note_id, to }, target, { target_title: null, bound: now });
      return found === null ? [] : [{ note_id, title, to, code: found.code, reason: found.reason }];
    }),
  );
  return objections.flat();
}
