// The notes that a server started by hand begins with.
import { createNotesModel, type NotesModel } from "./notes-model.ts";

const MEETINGS = ["Monday", "roadmap", "budget", "suppliers", "retrospective"];
const OTHERS = ["Shopping", "Ideas", "Reading list", "Router passwords", "Holiday", "Recipe", "Backup plan"];

/** An inbox with notes on meetings and others, and an archive for meetings. */
export function sampleNotes(): NotesModel {
  const model = createNotesModel();
  model.add({ note_id: "inbox", title: "Inbox", type: "book" });
  model.add({ note_id: "archive", title: "Archive", type: "book" });
  model.add({ note_id: "meetings", title: "Meetings", type: "book", parents: ["archive"] });
  for (const title of [...MEETINGS.map((topic) => `Meeting ${topic}`), ...OTHERS]) {
    const note_id = title.toLowerCase().replaceAll(" ", "-");
    model.add({ note_id, title, parents: ["inbox"], content: `About: ${title}` });
  }
  return model;
}
