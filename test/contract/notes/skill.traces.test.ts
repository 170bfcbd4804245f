// What the real notes application leaves of a synchronisation, and of a database that it cannot write, through the whole of orch, on
// every notes server.
import { describe, expect, test } from "vitest";
import { meetings, openNotesEngine } from "./notes-engine.ts";
import { PROFILES_OF_EACH_CHANGE } from "./open-notes.ts";

const GHOST = { note_id: "ghost", parent_note_id: "inbox" };
/** As the machine that serves and as the other one show a note that was deleted on one of them. */
const TRACES = [
  ["a place without title and type", { ...GHOST, title: null }],
  ["a deleted note in the list", { ...GHOST, title: "Meeting ghost" }],
] as const;

describe.each(PROFILES_OF_EACH_CHANGE)("on the notes server %s", (profile) => {
  // The children of a children_list server are found by a search, which does not find deleted notes.
  const traces = TRACES.filter(([, { title }]) => profile !== "npm" || title === null);

  test.each(traces)("a folder with %s is read, planned from and moved out of", async (_what, trace) => {
    await using orch = await openNotesEngine(profile);
    orch.model.leaveTrace(trace);
    const isRead = profile === "native" && trace.title !== null;
    const tree = await orch.submit({ operation: "fetch_note_tree", root_note_id: "inbox" });
    expect(tree).toMatchObject(
      isRead
        ? { status: "ok", outcome: { skill_code: "tree_read" } }
        : { status: "ok", outcome: { skill_code: "tree_truncated" }, result: { gaps: ["ghost"] } },
    );
    const planned = await orch.submit(meetings("plan_note_moves"));
    expect(planned.result.move_plan).toHaveLength(3);
    expect(planned.result).toMatchObject(
      isRead ? { left_out: [{ note_id: "ghost", code: "gone" }] } : { gaps: ["ghost"] },
    );
    const others = { ...meetings(), selection_rule: { title_contains: "Meeting 1" } };
    expect(await orch.approved(others)).toMatchObject({ status: "ok", outcome: { skill_code: "moved" } });
  });

  test.each(traces)("a target with %s takes notes, and is verified by its one list", async (_what, trace) => {
    await using orch = await openNotesEngine(profile);
    orch.model.leaveTrace({ ...trace, parent_note_id: "y2026" });
    expect(await orch.approved(meetings())).toMatchObject({ status: "ok", outcome: { skill_code: "moved" } });
    const verify = { operation: "verify_note_tree", expected_parent_note_id: "y2026", note_ids: ["m1", "ghost"] };
    const isListed = profile === "native" && trace.title !== null;
    expect(await orch.submit(verify)).toMatchObject(
      isListed
        ? { status: "ok", result: { placed: ["m1", "ghost"], missing: [] } }
        : { status: "failed", outcome: { skill_code: "not_placed" }, result: { placed: ["m1"], missing: ["ghost"] } },
    );
  });

  test("a locked database in the middle of a move is reported in its words, and a restart is advised", async () => {
    await using orch = await openNotesEngine(profile);
    orch.lockDisk();
    orch.switches.locked_in_move = 1;
    const task = await orch.approved(meetings());
    expect(task).toMatchObject({
      status: "failed",
      outcome: {
        skill_code: "in_two_places",
        message: expect.stringMatching(/database is locked.*restart the notes application, look again/),
      },
    });
    orch.restart();
    expect(["m1", "m2", "m3"].map(orch.model.parentsOf)).toEqual(Array(3).fill(["inbox"]));
  });
});

// The notes server cannot show the difference: its tools read the memory. docs/decisions/notes.md says so (D-263).
test("moves on a disk that cannot be written are said to be done, and are gone after a restart", async () => {
  await using orch = await openNotesEngine("native");
  orch.lockDisk();
  expect(await orch.approved(meetings())).toMatchObject({ status: "ok", outcome: { skill_code: "moved" } });
  orch.restart();
  const verify = { operation: "verify_note_tree", expected_parent_note_id: "y2026", note_ids: ["m1", "m2", "m3"] };
  expect(await orch.submit(verify)).toMatchObject({ status: "failed", outcome: { skill_code: "not_placed" } });
});
