// What planning many moves costs beside the bare calls that it makes: the notes skill in a task of its own, through the
// client of the tool servers, against a notes server in a process of its own that takes a while over every call, and that
// has to be asked about each note.
import { Agent, request } from "undici";
import { openEngine } from "../support/engine.ts";
import { startServer } from "./notes-server.ts";
import { median, ms, row, timed, times } from "./table.ts";

const NOTES = 5_000;
const DELAY_MS = 5;
/** As in capabilities/notes/examine-moves.ts. */
const AT_ONCE = 16;
const ROUNDS = 3;

export async function benchPlanning(): Promise<void> {
  await using server = await startServer({ profile: "npm", notes: NOTES, delay_ms: DELAY_MS });
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
    task_id,
    intent: "reorganize_notes_tree",
    target: {},
    delegation_mode: "known_only",
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
