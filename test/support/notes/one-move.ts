// One move of a note in memory, on a server whose move does what a test says.
import { boundTo, lineageOf } from "../../../capabilities/notes/ancestors.ts";
import { moveNote } from "../../../capabilities/notes/move-note.ts";
import type { NotesServer, Withdrawn, Written } from "../../../capabilities/notes/notes-server.ts";
import { createMutex } from "../../../src/domain/mutex.ts";
import type { SkillContext } from "../../../src/ports.ts";
import type { NotesModel } from "../../simulators/notes/notes-model.ts";
import { memoryNotes } from "./memory-notes.ts";
import { createRuns } from "./skill-runs.ts";
import { someNotes } from "./undertake.ts";

const { note } = memoryNotes(undefined, someNotes()).server;
const boundOf = async (note_id: string) => {
  const lineage = await lineageOf(note_id, note);
  return lineage === null ? "" : boundTo(lineage);
};
const bound = { from: await boundOf("inbox"), to: await boundOf("y2026") };
export const MOVE = { note_id: "m1", title: "Meeting 1", from: "inbox", to: "y2026", target_title: "2026", bound };

/** Nothing speaks against the move. */
export const unopposed = async (): Promise<null> => null;

export type Moving = (model: NotesModel, plain: NotesServer) => Written | Withdrawn | Promise<Written | Withdrawn>;

/** Runs one move on a server whose move is `moving`. Returns the outcome, the number of writes, and the parents. */
export async function moved(
  moving: Moving,
  { run = moveNote, prepare = () => undefined }: { run?: typeof moveNote; prepare?: (model: NotesModel) => void } = {},
) {
  const model = someNotes();
  prepare(model);
  const notes = memoryNotes((plain) => ({ move: async () => moving(model, plain) }), model);
  const became = await withContext((ctx) =>
    run({ ctx, notes: async () => notes.server, patience: [0, 0, 0], mutex: createMutex() }, MOVE),
  );
  return { ...became, writes: notes.writes(), parents: model.parentsOf("m1") };
}

export async function withContext<T>(work: (ctx: SkillContext) => Promise<T>): Promise<T> {
  let result: T | undefined;
  await createRuns({}).run(async (ctx) => {
    result = await work(ctx);
    return { status: "ok", code: "done", message: "Done." };
  });
  if (result === undefined) throw new Error("it was left");
  return result;
}

export const really: Moving = (_, plain) => plain.move(MOVE, unopposed);
export const DONE: Written = { is: "done" };
export const UNKNOWN: Written = { is: "unknown", message: "the connection was cut" };
