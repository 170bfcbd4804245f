// orch as it is put together, with its database and a simulated notes server: contracts go in, what they come to comes out.
import { createNotesModel } from "../../simulators/notes/notes-model.ts";
import { type NotesProfile, startNotesServer } from "../../simulators/notes/notes-server.ts";
import { openEngine } from "../../support/engine.ts";

/** Inbox with `Meeting 1` to `Meeting 3` and `Shopping`; Archive with 2026. */
function someNotes() {
  const model = createNotesModel();
  model.add({ note_id: "inbox", title: "Inbox", type: "book" });
  model.add({ note_id: "archive", title: "Archive", type: "book" });
  model.add({ note_id: "y2026", title: "2026", type: "book", parents: ["archive"] });
  for (const n of [1, 2, 3])
    model.add({ note_id: `m${n}`, title: `Meeting ${n}`, parents: ["inbox"], content: "so far" });
  model.add({ note_id: "shop", title: "Shopping", parents: ["inbox"] });
  return model;
}

/** From the inbox to 2026. */
export const meetings = (operation = "execute_move_plan", to = "y2026") => ({
  operation,
  source_scope: { parent_note_id: "inbox" },
  target_parent_note_id: to,
  selection_rule: { title_contains: "Meeting" },
});

export async function openNotesEngine(profile: NotesProfile) {
  const notes = await startNotesServer(profile, { model: someNotes() });
  const engine = await openEngine({ env: { MCP_NOTES_URL: notes.url } });
  const constraints = { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 1 };
  let tasks = 0;

  const submit = (payload: object, over: object = {}) =>
    engine.submit({
      task_id: `task-${++tasks}`,
      intent: "reorganize_notes_tree",
      delegation_mode: "known_only",
      target: {},
      success_criteria: [],
      constraints,
      payload,
      ...over,
    });
  /** Of the task that was submitted last, once it has ended. */
  const decide = async (decision: "approve" | "reject", more: object = {}) => {
    const { approval_id } = await engine.approvalOf(`task-${tasks}`);
    return (await engine.call("approve", { approval_id, decision, wait_seconds: 30, ...more })).task;
  };
  return {
    ...notes,
    engine,
    submit,
    decide,
    /** Submits, lets something happen while the human thinks, and approves. */
    approved: async (payload: object, meanwhile: () => unknown = () => undefined) => {
      const asked = await submit(payload);
      if (asked.status !== "need_approval") throw new Error(`it does not ask: ${JSON.stringify(asked)}`);
      await meanwhile();
      return decide("approve");
    },
    evidence: (task_id: string) => engine.call("get_evidence", { task_id }),
    [Symbol.asyncDispose]: async () => {
      await engine[Symbol.asyncDispose]();
      await notes[Symbol.asyncDispose]();
    },
  };
}
