// The form of a note's id. Ids are shown to humans and returned in plans, so they may contain nothing that acts on a terminal
// or reads as other words.
import { z } from "zod";

export const NoteId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,128}$/, "must be the id of a note: letters, digits, - and _, at most 128");
