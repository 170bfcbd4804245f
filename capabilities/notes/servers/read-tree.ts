// Reads a tree of get_subtree and get_note_tree, and all the forms in which they leave notes out.
import { z } from "zod";
import { NoteId } from "../note-id.ts";
import type { Tree, TreeNode } from "../notes-server.ts";
import { head } from "./head.ts";
import { unreadable } from "./read-reply.ts";
import { Brief, briefOf, distinct } from "./shapes.ts";

/** The root only; `readTree` reads the notes below it. */
export const Root = Brief.extend({
  childCount: z.int().nonnegative().optional(),
  /** A sentence at the depth where the server stops. */
  children: z.union([z.array(z.unknown()), z.string()]).optional(),
  childNoteIds: z.array(NoteId).optional(),
  truncated: z.unknown().optional(),
});
export type Root = z.infer<typeof Root>;

/** In place of a note: some notes are left out here, or one could not be read. */
const Gap = z.union([z.object({ type: z.literal("truncated") }), z.object({ error: z.string() })]);

export function readTree(root: Root, tool: string): Tree {
  let truncated = root.truncated === true;
  const nodeOf = (node: Root, above: ReadonlySet<string>): TreeNode => {
    if (above.has(node.noteId)) throw unreadable(tool, `the note ${node.noteId} lies within itself`);
    const way = new Set([...above, node.noteId]);
    const { shown, isComplete } = childrenIn(node, tool);
    truncated ||= !isComplete;
    distinct(shown.map(briefOf), tool);
    return { ...briefOf(node), children: shown.map((child) => nodeOf(child, way)) };
  };
  return { root: nodeOf(root, new Set()), truncated };
}

/** The children that the server returns, and whether they are all. */
export function childrenIn(
  node: Root,
  tool: string,
): { readonly shown: readonly Root[]; readonly isComplete: boolean } {
  const { children = [], childCount = 0, childNoteIds = [] } = node;
  if (typeof children === "string") return { shown: [], isComplete: false };
  const shown = children.filter((child) => !Gap.safeParse(child).success).map((child) => nodeIn(child, tool));
  const there = Math.max(children.length, childCount, childNoteIds.length);
  return { shown, isComplete: shown.length === there };
}

function nodeIn(child: unknown, tool: string): Root {
  const { success, data, error } = Root.safeParse(child);
  if (success) return data;
  throw unreadable(tool, `one of its notes is ${head(JSON.stringify(child))}: ${z.prettifyError(error)}`);
}
