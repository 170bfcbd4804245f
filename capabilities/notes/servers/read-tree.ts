// Reads a tree of get_subtree and get_note_tree in all the forms in which they leave notes out, and finds notes by their title.
import { z } from "zod";
import { type FoundNote, NoteId, type Tree, type TreeNode } from "../notes-server.ts";
import { head, unreadable } from "./read-reply.ts";
import { Brief, briefOf, distinct, gapIn, phraseOf } from "./shapes.ts";

/** The root only; `readTree` reads the notes below it. */
export const Root = Brief.extend({
  childCount: z.int().nonnegative().optional(),
  /** A sentence at the depth where the server stops. */
  children: z.union([z.array(z.unknown()), z.string()]).optional(),
  childNoteIds: z.array(NoteId).optional(),
  truncated: z.unknown().optional(),
});
export type Root = z.infer<typeof Root>;

/** In place of the other notes of a level. */
const Cut = z.object({ type: z.literal("truncated") });

export function readTree(root: Root, tool: string): Tree {
  const gaps: string[] = [];
  const nodeOf = (node: Root, above: ReadonlySet<string>): TreeNode => {
    if (above.has(node.noteId)) throw unreadable(tool, `the note ${node.noteId} lies within itself`);
    const way = new Set([...above, node.noteId]);
    const { shown, isComplete, gaps: here } = childrenIn(node, tool);
    gaps.push(...here);
    distinct(shown.map(briefOf), tool);
    return { ...briefOf(node), children: shown.map((child) => nodeOf(child, way)), is_cut: !isComplete };
  };
  const whole = nodeOf(root, new Set());
  return { root: root.truncated === true ? { ...whole, is_cut: true } : whole, gaps };
}

/** The children that the server returns, whether they are all, and those that could not be read. */
export function childrenIn(
  node: Root,
  tool: string,
): { readonly shown: readonly Root[]; readonly isComplete: boolean; readonly gaps: readonly string[] } {
  const { children = [], childCount = 0, childNoteIds = [] } = node;
  if (typeof children === "string") return { shown: [], isComplete: false, gaps: [] };
  const entries = children.filter((child) => !Cut.safeParse(child).success);
  const gaps = entries.flatMap((child) => gapIn(child) ?? []);
  const shown = entries.filter((child) => gapIn(child) === null).map((child) => nodeIn(child, tool));
  const there = Math.max(children.length, childCount, childNoteIds.length);
  return { shown, isComplete: shown.length + gaps.length === there, gaps };
}

function nodeIn(child: unknown, tool: string): Root {
  const { success, data, error } = Root.safeParse(child);
  if (success) return data;
  throw unreadable(tool, `one of its notes is ${head(JSON.stringify(child))}: ${z.prettifyError(error)}`);
}

type Search = { readonly found: readonly FoundNote[]; readonly truncated: boolean };

/**
 * Finds notes by title in the query language of the application. A phrase also matches types and labels, and similar text, so the
 * note with the title could be cut off among many. Notes with the title, ignoring case; if there are none, the matches of the
 * phrase.
 */
export async function byTitle(title: string, ask: (query: string) => Promise<Search>): Promise<Search> {
  const exact = await ask(exactly(title));
  return exact.found.length > 0 ? exact : ask(phraseOf(title));
}

/** By a regular expression: `=` compares the whole title on some versions and a part of it on others. */
const exactly = (title: string): string =>
  `note.title %= ${phraseOf(`^${title.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`)}`;
