// What planning many moves costs beside the bare calls that it makes: the notes skill in a task of its own, through the
// client of the tool servers, against a notes server in a process of its own that takes a while over every call, and that
// has to be asked about each note.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Agent, request } from "undici";
import { createNotesModel } from "../simulators/notes/notes-model.ts";
import { startNotesServer } from "../simulators/notes/notes-server.ts";
import { openEngine } from "../support/engine.ts";
import { median, ms, row, timed, times } from "./table.ts";

const NOTES = 5_000;
const DELAY_MS = 5;
/** As in capabilities/notes/examine-moves.ts. */
const AT_ONCE = 16;
const ROUNDS = 3;

export async function benchPlanning(): Promise<void> {
  await using server = await startServer();
  await using engine = await openEngine({ env: { MCP_NOTES_URL: server.url } });
  let planned = 0;
  const planMs = () => timed(() => plan(engine, `plan-${++planned}`));
  const before = await server.calls();
  await planMs();
  const calls = (await server.calls()) - before;
  await bareMs(server.url, calls);
  const bare: number[] = [];
  const full: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await bareMs(server.url, calls));
    full.push(await planMs());
  }
  const ratio = median(full.map((value, n) => value / (bare[n] ?? value)));
  row(
    `plan ${NOTES.toLocaleString("en")} notes, ${DELAY_MS} ms a call`,
    ["floor", ms(median(bare))],
    ["orch", ms(median(full))],
    ["ratio", times(ratio)],
  );
}

async function plan(engine: Awaited<ReturnType<typeof openEngine>>, task_id: string): Promise<void> {
  const task = await engine.submit({
    ...{ task_id, intent: "reorganize_notes_tree", target: {}, delegation_mode: "known_only" },
    constraints: { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 1 },
    payload: {
      operation: "plan_note_moves",
      source_scope: { parent_note_id: "inbox" },
      target_parent_note_id: "archive",
      selection_rule: { title_contains: "Meeting" },
    },
  });
  const moves = task.result?.move_plan?.length;
  if (moves !== NOTES) throw new Error(`a bench plan holds ${moves} moves: ${task.outcome?.message}`);
}

/** As many calls, as many of them at once, on connections that are kept. */
async function bareMs(url: string, calls: number): Promise<number> {
  const dispatcher = new Agent({ connections: AT_ONCE });
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  let left = calls;
  const worker = async () => {
    while (left-- > 0) {
      const params = { name: "get_note", arguments: { noteId: `m${left % NOTES}` } };
      const body = JSON.stringify({ jsonrpc: "2.0", id: left, method: "tools/call", params });
      const answer = await request(url, { method: "POST", headers, body, dispatcher });
      await answer.body.json();
    }
  };
  const taken = await timed(() => Promise.all(Array.from({ length: AT_ONCE }, worker)));
  await dispatcher.close();
  return taken;
}

async function startServer() {
  const child = fork(fileURLToPath(import.meta.url), ["serve"]);
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

async function serve(): Promise<void> {
  const model = createNotesModel();
  model.add({ note_id: "inbox", title: "Inbox", type: "book" });
  model.add({ note_id: "archive", title: "Archive", type: "book" });
  for (let n = 0; n < NOTES; n++) model.add({ note_id: `m${n}`, title: `Meeting ${n}`, parents: ["inbox"] });
  const server = await startNotesServer("npm", { model, switches: { delay_ms: DELAY_MS } });
  process.on("message", () => process.send?.(server.calls().length));
  process.once("disconnect", () => void server[Symbol.asyncDispose]());
  process.send?.(server.url);
}

const [, startedAs, role] = process.argv;
if (startedAs === fileURLToPath(import.meta.url) && role === "serve") await serve();
