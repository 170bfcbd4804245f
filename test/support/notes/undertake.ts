// An operation of the notes skill on notes in memory.
import { handleOrder } from "../../../capabilities/notes/handle-order.ts";
import type { NotesServer } from "../../../capabilities/notes/notes-server.ts";
import type { Json } from "../../../src/domain/json.ts";
import { createMutex, type Mutex } from "../../../src/domain/mutex.ts";
import type { SkillEnd } from "../../../src/domain/skill.ts";
import { createNotesModel } from "../../simulators/notes/notes-model.ts";
import { createRuns, type Point } from "./skill-runs.ts";

/** Tasks that are given the same line wait for each other as those of one process do. */
export function undertake(payload: Record<string, Json>, server: NotesServer, shared?: Mutex) {
  const runs = createRuns(payload);
  // What is killed holds nothing any more: each run has a line of its own, where none is shared.
  const run = (isKilledAt?: (point: Point) => boolean) => {
    const work = { notes: async () => server, patience: [0, 0, 0], mutex: shared ?? createMutex() };
    return runs.run((ctx) => handleOrder({ ctx, ...work }, runs.contract), isKilledAt);
  };
  /** For what neither asks nor is killed. */
  const end = async (): Promise<SkillEnd> => {
    const ended = await run();
    if ("is" in ended) throw new Error(`left: ${JSON.stringify(ended)}`);
    return ended;
  };
  return { ...runs, run, end };
}

/** Inbox with `Meeting 1` to `Meeting 3`, `Shopping` and a folder `Meetings`; Archive with 2026. */
export function someNotes() {
  const model = createNotesModel();
  model.add({ note_id: "inbox", title: "Inbox", type: "book" });
  model.add({ note_id: "archive", title: "Archive", type: "book" });
  model.add({ note_id: "y2026", title: "2026", type: "book", parents: ["archive"] });
  for (const n of [1, 2, 3]) {
    model.add({ note_id: `m${n}`, title: `Meeting ${n}`, parents: ["inbox"], content: `About meeting ${n}` });
  }
  model.add({ note_id: "shop", title: "Shopping", parents: ["inbox"] });
  model.add({ note_id: "folder", title: "Meetings", type: "book", parents: ["inbox"] });
  return model;
}

export const meetings = (to = "y2026", title_contains = "Meeting"): Record<string, Json> => ({
  source_scope: { parent_note_id: "inbox" },
  target_parent_note_id: to,
  selection_rule: { title_contains },
});
