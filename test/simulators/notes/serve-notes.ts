#!/usr/bin/env node
// A fake notes server to try things on by hand: node test/simulators/notes/serve-notes.ts native 8123
import { parseArgs } from "node:util";
import { z } from "zod";
import { createNotesModel } from "./notes-model.ts";
import { startNotesServer } from "./notes-server.ts";

const MEETINGS = ["Monday", "roadmap", "budget", "suppliers", "retrospective"];
const OTHERS = ["Shopping", "Ideas", "Reading list", "Router passwords", "Holiday", "Recipe", "Backup plan"];

function sampleTree() {
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

const Arguments = z.tuple([z.enum(["native", "git", "npm"]).default("native"), z.coerce.number().int().default(0)]);

const { positionals } = parseArgs({ allowPositionals: true });
const [profile, port] = Arguments.parse([positionals[0], positionals[1]]);
const { url } = await startNotesServer(profile, { port, model: sampleTree() });
process.stdout.write(`${url}\n`);
