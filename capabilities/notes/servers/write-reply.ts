// Reads the result of a write from the reply of its tool. A reply counts as done when it can be read, is about the written note
// and says that it was done. It is not evidence beyond that: the caller reads the result.
import { z } from "zod";
import type { ToolAnswer } from "../../../src/domain/tool.ts";
import { type MoveRequest, NotesFault, type Written } from "../notes-server.ts";
import { complaintIn, contentOf, head, jsonOf, onlyOne } from "./read-reply.ts";

export const DONE = { is: "done" } as const satisfies Written;
export const refused = (message: string): Written => ({ is: "refused", message });
export const unknown = (message: string): Written => ({ is: "unknown", message });

/** `confirms` receives the one text of the reply. When it throws a NotesFault, the result is unknown. */
export function writtenBy(answer: ToolAnswer, tool: string, confirms: (text: string) => Written): Written {
  if (!answer.ok) {
    const words = `${tool}: ${head(answer.stderr)}`;
    return answer.executed === "unknown" || IS_DONE.test(answer.stderr) ? unknown(words) : refused(words);
  }
  try {
    return confirms(onlyOne(contentOf(answer.stdout, tool), tool));
  } catch (error) {
    if (error instanceof NotesFault) return unknown(error.message);
    throw error;
  }
}

/** The tool has run, and its answer could not be taken. */
const IS_DONE = /^the tool was run\b|^the answer is nested deeper/;

const Where = {
  noteId: z.string().optional(),
  newParentNoteId: z.string().optional(),
  oldParentNoteId: z.string().optional(),
};

/** Servers confirm with `success`, with the two ids, or with the branch that they have created. */
const Confirmation = z.object({
  ...Where,
  success: z.literal(true).optional(),
  branchId: z.string().optional(),
  content: z.string().optional(),
  branch: z.object({ noteId: z.string(), parentNoteId: z.string() }).optional(),
});

type Confirmation = z.infer<typeof Confirmation>;

/** `not` says what the reply does not confirm, or confirms instead. */
const confirming =
  (tool: string, judge: (said: Confirmation, not: (words: string) => Written) => Written) =>
  (text: string): Written => {
    const reply = jsonOf(text, tool);
    const complaint = complaintIn(reply);
    if (complaint !== null) return refused(`${tool}: ${complaint}`);
    const { data } = Confirmation.safeParse(reply);
    if (data === undefined) throw new NotesFault("unreadable", `${tool} answered ${head(text)}`);
    return judge(data, (words) => unknown(`${tool} ${words}: ${head(text)}`));
  };

export const confirmsMove = (tool: string, { note_id, from, to }: MoveRequest) =>
  confirming(tool, ({ noteId, newParentNoteId, oldParentNoteId: out_of, branch, success }, not) => {
    const others = [noteId, branch?.noteId].filter((id) => id !== undefined && id !== note_id);
    const elsewhere = [newParentNoteId, branch?.parentNoteId].filter((id) => id !== undefined && id !== to);
    if (others.length > 0 || elsewhere.length > 0) return not("confirms another move");
    const namesBoth = noteId !== undefined && newParentNoteId !== undefined;
    if (success !== true && !namesBoth) return not("does not say that it has moved it");
    return out_of === undefined || out_of === from || out_of === to ? DONE : { ...DONE, out_of };
  });

/** A clone that exists already is confirmed like a new one, and in both cases without `success`. */
export const confirmsClone = (tool: string, { note_id, to }: { readonly note_id: string; readonly to: string }) =>
  confirming(tool, ({ branch }, not) => {
    const isIt = branch?.noteId === note_id && branch.parentNoteId === to;
    return isIt ? DONE : not(`does not say that it shows it under ${to}`);
  });

export const confirmsUnlink = (tool: string, branchId: string) =>
  confirming(tool, ({ branchId: unlinked, success }, not) => {
    const isIt = success === true && (unlinked === undefined || unlinked === branchId);
    return isIt ? DONE : not(`does not say that it has unlinked ${branchId}`);
  });

export const confirmsContent = (tool: string, note_id: string) =>
  confirming(tool, ({ noteId, success, content }, not) => {
    if (noteId !== undefined && noteId !== note_id) return not("confirms another note");
    if (success === true) return content === undefined ? DONE : { ...DONE, answer: content };
    return not("does not say that it has written it");
  });

/** For a write that reads first, and writes nothing when it cannot read. */
export function faultIn(error: unknown): NotesFault {
  if (error instanceof NotesFault) return error;
  throw error;
}
