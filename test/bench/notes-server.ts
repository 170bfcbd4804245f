// A simulated notes server in a process of its own, with many notes in its inbox, for the benches of the notes skill.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createNotesModel } from "../simulators/notes/notes-model.ts";
import { type NotesProfile, startNotesServer } from "../simulators/notes/notes-server.ts";

/** `delay_ms` is what it takes over every call. */
type Served = { readonly profile: NotesProfile; readonly notes: number; readonly delay_ms: number };

export async function startServer({ profile, notes, delay_ms }: Served) {
  const child = fork(fileURLToPath(import.meta.url), ["serve", profile, String(notes), String(delay_ms)]);
  const [url] = await once(child, "message");
  return {
    url: String(url),
    /** How many have been made so far. */
    calls: async (): Promise<number> => {
      const answer = once(child, "message");
      child.send("calls");
      return Number((await answer)[0]);
    },
    [Symbol.asyncDispose]: async () => {
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
    },
  };
}

async function serve(profile: NotesProfile, notes: number, delay_ms: number): Promise<void> {
  const model = createNotesModel();
  model.add({ note_id: "inbox", title: "Inbox", type: "book" });
  model.add({ note_id: "archive", title: "Archive", type: "book" });
  for (let n = 0; n < notes; n++) model.add({ note_id: `m${n}`, title: `Meeting ${n}`, parents: ["inbox"] });
  const server = await startNotesServer(profile, { model, switches: { delay_ms } });
  process.on("message", () => process.send?.(server.calls().length));
  process.once("disconnect", () => void server[Symbol.asyncDispose]());
  process.send?.(server.url);
}

const [, startedAs, role, profile, notes, delay_ms] = process.argv;
if (startedAs === fileURLToPath(import.meta.url) && role === "serve")
  await serve(profile as NotesProfile, Number(notes), Number(delay_ms));
