// The notes skill as a handler among others: a plan of two moves, on a notes server that counts what is written to it.
import { createNotesModel } from "../simulators/notes/notes-model.ts";
import { startNotesServer } from "../simulators/notes/notes-server.ts";
import { skillHandlerSuite } from "./skill-handler.ts";

function someNotes() {
  const model = createNotesModel();
  model.add({ note_id: "inbox", title: "Inbox", type: "book" });
  model.add({ note_id: "archive", title: "Archive", type: "book" });
  for (const n of [1, 2]) model.add({ note_id: `m${n}`, title: `Meeting ${n}`, parents: ["inbox"] });
  return model;
}

const PLAN = {
  operation: "execute_move_plan",
  source_scope: { parent_note_id: "inbox" },
  target_parent_note_id: "archive",
  selection_rule: { title_contains: "Meeting" },
};

skillHandlerSuite("reorganize_notes_tree", {
  openWorld: async () => {
    const notes = await startNotesServer("native", { model: someNotes() });
    return {
      env: { MCP_NOTES_URL: notes.url },
      changes: () => notes.writes().map(({ args }) => `${args.noteId} under ${args.newParentNoteId}`),
      [Symbol.asyncDispose]: notes[Symbol.asyncDispose],
    };
  },
  contract: {
    intent: "reorganize_notes_tree",
    delegation_mode: "known_only",
    payload: PLAN,
    constraints: { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 1 },
  },
  code: "moved",
  asks: true,
  calls: true,
  wrong: [
    ["payload.operation", { ...PLAN, operation: "tidy_up" }],
    ["payload.source_scope", { ...PLAN, source_scope: undefined }],
    ["payload.target_parent_note_id", { ...PLAN, target_parent_note_id: "a/b" }],
    ["payload.selection_rule.title_contains", { ...PLAN, selection_rule: { title_contains: " " } }],
    ["payload.dry_run", { ...PLAN, dry_run: false }],
  ],
});
