// One server after the other on one data directory, and plans of moves that are made on it: each of its own two notes, of
// which the server dies on one. The notes server lives on, and moves in two steps.
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { startNotesServer } from "../../simulators/notes/notes-server.ts";
import { contractBody } from "../../support/builders.ts";
import { orderIn } from "../../support/kill-at.ts";
import { type OrchProcess, startOrchProcess, temporaryDirectory } from "../../support/orch-process.ts";

const PRELOAD = new URL("../../support/kill-at.ts", import.meta.url).pathname;

export type Plans = Awaited<ReturnType<typeof openPlans>>;

export async function openPlans() {
  const directory = await temporaryDirectory();
  const notes = await startNotesServer("git");
  notes.model.add({ note_id: "archive", title: "Archive", type: "book" });
  const env = { KILL_DIR: directory.path, MCP_NOTES_URL: notes.url };
  const start = () => startOrchProcess({ data_dir: directory.path, preload: PRELOAD, env });
  let orch: OrchProcess = await start();
  const next = async () => {
    await orch.kill("SIGKILL");
    rmSync(orderIn(directory.path), { force: true });
    orch = await start();
  };

  return {
    ...notes,
    /** Whichever server there is. */
    orch: () => orch,
    kill: () => void orch.child.kill("SIGKILL"),
    /** The next point of this name is the last one of the server. */
    killAt: (point: string) => writeFileSync(orderIn(directory.path), point),
    /** Kills the server unless it is gone already, and starts the next. */
    next,
    /** Starts the next if what a test before this one did was the end of the server. */
    ensure: async () => {
      if (orch.child.exitCode !== null || orch.child.signalCode !== null) await next();
    },
    /** Adds the notes `<name>1` and `<name>2`, and resolves with the approval that is asked for their moves. */
    ask: async (name: string): Promise<string> => {
      notes.model.add({ note_id: name, title: `From ${name}`, type: "book" });
      for (const n of [1, 2]) notes.model.add({ note_id: `${name}${n}`, title: `Meeting ${n}`, parents: [name] });
      const { body } = await orch.post("/v1/tasks", { ...contractOf(name), wait_seconds: 20 });
      return body.waiting.approval_id;
    },
    approve: (approval_id: string) => orch.post("/v1/approve", { approval_id, decision: "approve" }),
    /** Resolves once the server has died of it. */
    approveFatally: async (approval_id: string): Promise<void> => {
      const exited = once(orch.child, "exit", { signal: AbortSignal.timeout(20_000) });
      // Whether its answer gets out is another matter.
      const answered = orch.post("/v1/approve", { approval_id, decision: "approve" }).catch(() => undefined);
      await Promise.all([exited, answered]);
    },
    [Symbol.asyncDispose]: async () => {
      await orch.kill("SIGKILL");
      await notes[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

const contractOf = (name: string) =>
  contractBody({
    task_id: name,
    intent: "reorganize_notes_tree",
    delegation_mode: "known_only",
    success_criteria: [],
    target: { service: name },
    constraints: { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 1 },
    payload: {
      operation: "execute_move_plan",
      source_scope: { parent_note_id: name },
      target_parent_note_id: "archive",
      selection_rule: { title_contains: "Meeting" },
    },
  });
