// What an id of a note can be, whoever gives it: ids are shown to humans as they are and handed back in plans, so nothing may
// be in them that could act on a terminal or read as other words.
import { z } from "zod";

export const NoteId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,128}$/, "must be the id of a note: letters, digits, - and _, at most 128");
