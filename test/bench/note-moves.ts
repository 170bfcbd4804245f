#!/usr/bin/env node
// npm run bench:notes: what a plan of many moves costs on each kind of notes server, from the order to the verified end: requests for
// each note, and seconds. The servers are simulated, each in a process of its own: absolute figures are of this machine and this moment.
import type { NotesProfile } from "../simulators/notes/notes-server.ts";
import { openEngine } from "../support/engine.ts";
import { startServer } from "./notes-server.ts";
import { row, say } from "./table.ts";

const FEW = 600;
const MANY = 3_000;

async function benchMoves(profile: NotesProfile, notes: number): Promise<void> {
  await using server = await startServer({ profile, notes, delay_ms: 0 });
  await using engine = await openEngine({ env: { MCP_NOTES_URL: server.url } });
  const asking = await timed(server.calls, async () => engine.submit(CONTRACT));
  const { approval_id } = await engine.approvalOf("moves");
  const moving = await timed(server.calls, async () => {
    await engine.call("approve", { approval_id, decision: "approve" });
    for (;;) {
      const task = await engine.call("get_task", { task_id: "moves", wait_seconds: 30 });
      if (task.status !== "running") return task;
    }
  });
  if (moving.value.outcome?.skill_code !== "moved" || moving.value.result.done.length !== notes)
    throw new Error(`the bench has moved not all notes: ${moving.value.outcome?.message}`);
  row(
    `${notes.toLocaleString("en")} notes, ${profile}`,
    ["asked", seconds(asking.ms)],
    ["moved", seconds(moving.ms)],
    ["together", seconds(asking.ms + moving.ms)],
    ["until asked", `${(asking.calls / notes).toFixed(2)} a note`],
    ["then", `${(moving.calls / notes).toFixed(2)} requests a move`],
  );
}

const CONTRACT = {
  task_id: "moves",
  intent: "reorganize_notes_tree",
  target: {},
  delegation_mode: "known_only",
  constraints: { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 10 },
  payload: {
    operation: "execute_move_plan",
    source_scope: { parent_note_id: "inbox" },
    target_parent_note_id: "archive",
    selection_rule: { title_contains: "Meeting" },
  },
};

async function timed<T>(calls: () => Promise<number>, run: () => Promise<T>) {
  const [before, start] = [await calls(), performance.now()];
  const value = await run();
  const ms = performance.now() - start;
  return { value, ms, calls: (await calls()) - before };
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

say("orch bench of the notes skill\n");
for (const profile of ["native", "git", "npm"] as const) await benchMoves(profile, FEW);
await benchMoves("native", MANY);
