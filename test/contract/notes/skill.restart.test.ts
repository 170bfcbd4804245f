// The notes application restarts twice in the middle of 300 moves: in a write whose answer is lost, and after one that was answered.
import { describe, expect, test } from "vitest";
import { meetings, openNotesEngine } from "./notes-engine.ts";
import { PROFILES } from "./open-notes.ts";

const NOTES = 300;
/** Longer than the first two waits for a server that is down (D-263). */
const RESTART_MS = 1_500;

describe.each(PROFILES)("on the notes server %s", (profile) => {
  test("an application that restarts in the middle of 300 moves is waited for, and each note is moved once, in order [4.notes.failure]", async () => {
    await using orch = await openNotesEngine(profile);
    for (let n = 4; n <= NOTES; n += 1) orch.model.add({ note_id: `m${n}`, title: `Meeting ${n}`, parents: ["inbox"] });
    const planned = (await orch.submit(meetings("plan_note_moves"))).result.move_plan;
    const ids = planned.map(({ note_id }: { note_id: string }) => note_id);
    let restarts = 0;
    const goDown = (): void => {
      restarts += 1;
      orch.switches.down = true;
      setTimeout(() => {
        orch.forgetSessions();
        orch.switches.down = false;
      }, RESTART_MS);
    };
    orch.switches.before_write = ({ args }) => {
      if (args.action === "unlink") return;
      const { length } = orch.puts();
      if (length === 100) orch.switches.lose_reply_after_write = 1;
      if (length === 100 || length === 200) goDown();
    };
    let task = await orch.approved(meetings());
    while (task.status === "running")
      task = await orch.engine.call("get_task", { task_id: "task-2", wait_seconds: 30 });
    expect(task).toMatchObject({
      status: "ok",
      outcome: { skill_code: "moved", message: "300 notes moved and verified." },
    });
    expect(restarts).toBe(2);
    expect(orch.model.childrenOf("y2026")).toEqual(ids);
    expect(orch.model.childrenOf("inbox")).toEqual(["shop"]);
    // A server that moves in two steps may be asked once more to finish the half that a restart has left.
    const sent = orch.puts().map(({ args }) => args.noteId);
    expect(sent.length - new Set(sent).size).toBeLessThanOrEqual(restarts);
    expect(new Set(sent)).toEqual(new Set(ids));
  }, 120_000);
});
