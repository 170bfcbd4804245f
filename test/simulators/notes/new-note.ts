// The tool that makes a note, which the three servers have with the same fields. What they answer differs.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Note, NotesModel } from "./notes-model.ts";

export const NEW_NOTE = {
  parentNoteId: z.string(),
  title: z.string(),
  type: z.string().default("text"),
  content: z.string().default(""),
};

type NewNote = z.infer<z.ZodObject<typeof NEW_NOTE>>;

export const created = (model: NotesModel, { parentNoteId, title, type, content }: NewNote): Note =>
  model.add({ note_id: randomUUID().replaceAll("-", "").slice(0, 12), title, type, content, parents: [parentNoteId] });
