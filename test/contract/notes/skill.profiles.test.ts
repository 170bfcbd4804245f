// Plans of moves through the whole of orch, on every notes server: the approval, the moves, and the reported results.
import { describe, expect, test } from "vitest";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import { meetings, openNotesEngine } from "./notes-engine.ts";
import { PROFILES_OF_EACH_CHANGE } from "./open-notes.ts";

const MEETINGS = ["m1", "m2", "m3"];
const briefly = (all: readonly { note_id: string; code: string }[]) => all.map((one) => `${one.note_id} ${one.code}`);

describe.each(PROFILES_OF_EACH_CHANGE)("on the notes server %s", (profile) => {
  test("planning and a dry run write nothing [4.notes.plan_note_moves] [4.notes.plan_executes_nothing] [4.notes.apply_dry_run]", async () => {
    await using orch = await openNotesEngine(profile);
    const before = orch.model.snapshot();
    const planned = await orch.submit(meetings("plan_note_moves"));
    expect(planned).toMatchObject({ status: "ok", outcome: { skill_code: "planned" } });
    const { move_plan } = planned.result;
    expect(move_plan).toEqual(MEETINGS.map((note_id) => ({ note_id, target_parent_note_id: "y2026" })));
    for (const asked of [{}, { dry_run: true }]) {
      const tried = await orch.submit({ operation: "apply_note_moves", move_plan, ...asked });
      expect(tried).toMatchObject({ status: "ok", outcome: { skill_code: "dry_run" }, result: { move_plan } });
    }
    expect(orch.writes()).toEqual([]);
    expect(orch.model.snapshot()).toEqual(before);
  });

  test("the approval of a plan names every note, and exactly these notes are moved [4.notes.execute_move_plan] [4.skill.approval]", async () => {
    await using orch = await openNotesEngine(profile);
    orch.model.add({ note_id: "m4", title: "Meeting 4", parents: ["inbox", "archive"] });
    const isChosen = profile !== "native";
    expect(await orch.submit(meetings())).toMatchObject({ status: "need_approval" });
    expect(orch.writes()).toEqual([]);
    const { content } = await orch.engine.approvalOf("task-1");
    const line = (n: number) => `"Meeting ${n}" (m${n}): from "Inbox" (inbox) to "Archive / 2026" (y2026)`;
    const fourth = [
      `${line(4)}; it stays under archive as well`,
      expect.stringMatching(/^This notes server drops the prefix/),
    ];
    const others = isChosen ? fourth : [expect.stringMatching(/^Left out: "Meeting 4" \(m4\) is shown in 2 places/)];
    expect(content.details).toEqual([...[1, 2, 3].map(line), ...others]);
    await orch.engine.call("cancel_task", { task_id: "task-1" });

    orch.model.delete("m4");
    const wanted = orch.model.snapshot().map((branch) => branch.replace(/^inbox > m/, "y2026 > m"));
    expect(await orch.approved(meetings())).toMatchObject({
      status: "ok",
      outcome: { reason_code: "skill_done", skill_code: "moved", message: "3 notes moved and verified." },
      result: { done: MEETINGS.map((note_id) => ({ note_id })), left_out: [], failed: null, not_done: [] },
    });
    expect(orch.model.snapshot()).toEqual(wanted.sort());
    expect(orch.puts().map(({ args }) => args.noteId)).toEqual(MEETINGS);
    const evidence = await orch.evidence("task-2");
    expect(verifyBundle(JSON.parse(JSON.stringify(evidence))).faults).toEqual([]);
    expect(evidence.skill_steps.at(-1)).toMatchObject({
      name: "verify where the notes and their targets are",
      state: "passed",
    });
  });

  test("a rejected plan is blocked, and no note is moved [4.notes.rejection]", async () => {
    await using orch = await openNotesEngine(profile);
    const before = orch.model.snapshot();
    expect(await orch.submit(meetings())).toMatchObject({ status: "need_approval" });
    const task = await orch.decide("reject", { reason: "not this year" });
    expect(task).toMatchObject({ status: "blocked", outcome: { reason_code: "approval_rejected" } });
    expect([orch.writes(), orch.model.snapshot()]).toEqual([[], before]);
  });

  test.each([
    // What npm reports as an internal error may have had its effect, so the note is read: it has not.
    ["refuse_write", profile === "npm" ? "not_applied" : "refused", ["inbox"]],
    ["lying_success", "not_verified", ["inbox"]],
    ["crash_in_move", "in_two_places", ["inbox", "y2026"]],
  ] as const)("with %s the plan stops at that note and fails as %s [4.notes.failure]", async (fault, code, parents) => {
    await using orch = await openNotesEngine(profile);
    orch.switches.before_write = ({ args }) => {
      if (args.noteId === "m2") orch.switches[fault] = 1;
    };
    const task = await orch.approved(meetings());
    expect(task).toMatchObject({
      status: "failed",
      outcome: { reason_code: "skill_failed", skill_code: code },
      result: { done: [{ note_id: "m1" }], failed: { note_id: "m2", code }, not_done: [{ note_id: "m3" }] },
    });
    expect(MEETINGS.map(orch.model.parentsOf)).toEqual([["y2026"], parents, ["inbox"]]);
    expect(orch.puts()).toHaveLength(2);
  });

  test.each(["lose_reply_after_write", "garbage"] as const)(
    "with %s the plan reads the actual state and continues",
    async (fault) => {
      await using orch = await openNotesEngine(profile);
      orch.switches.before_write = ({ args }) => {
        if (args.noteId === "m2") orch.switches[fault] = 1;
      };
      expect(await orch.approved(meetings())).toMatchObject({ status: "ok", outcome: { skill_code: "moved" } });
      expect(orch.puts()).toHaveLength(3);
    },
  );

  test("notes that have changed since the approval are left out, and the rest is moved [4.notes.failure]", async () => {
    await using orch = await openNotesEngine(profile);
    const { model } = orch;
    for (const n of [4, 5]) model.add({ note_id: `m${n}`, title: `Meeting ${n}`, parents: ["inbox"] });
    const task = await orch.approved(meetings(), () => {
      model.delete("m1");
      model.move({ note_id: "m2", from: "inbox", to: "archive" });
      model.move({ note_id: "m3", from: "inbox", to: "y2026" });
      model.clone({ note_id: "m4", to: "archive" });
      model.add({ note_id: "m6", title: "Meeting 6", parents: ["inbox"] });
    });
    expect(task).toMatchObject({
      status: "failed",
      outcome: { skill_code: "partly_moved", message: expect.stringMatching(/^1 note moved and verified.*3 left out/) },
      result: { done: [{ note_id: "m5" }], failed: null, not_done: [] },
    });
    const { left_out } = task.result;
    expect(briefly(left_out)).toEqual(["m1 gone", "m2 moved_meanwhile", "m3 already_in_place", "m4 cloned"]);
    for (const { reason } of left_out) expect(reason).toMatch(/^is /);
    expect(["m2", "m3", "m4", "m5", "m6"].map(model.parentsOf)).toEqual([
      ["archive"],
      ["y2026"],
      ["inbox", "archive"],
      ["y2026"],
      ["inbox"],
    ]);
    expect(orch.puts()).toHaveLength(1);
  });

  test("the approval says which notes become public, and a target that was shared since is refused [4.notes.execute_move_plan]", async () => {
    await using orch = await openNotesEngine(profile);
    const { model } = orch;
    model.add({ note_id: "_hidden", title: "Hidden" });
    model.add({ note_id: "_share", title: "Shared", parents: ["_hidden"] });
    const since = await orch.approved(meetings(), () => model.clone({ note_id: "archive", to: "_share" }));
    expect(since).toMatchObject({ status: "failed", outcome: { skill_code: "nothing_moved" }, result: { done: [] } });
    const left = { code: "target_moved", reason: expect.stringMatching(/has changed its place.*is public now/) };
    expect(since.result.left_out).toEqual(Array(3).fill(expect.objectContaining(left)));
    expect(orch.writes()).toEqual([]);
    let content = { action: "", details: [""] };
    const published = await orch.approved(meetings(), async () => {
      content = (await orch.engine.approvalOf("task-2")).content;
    });
    expect(content.action).toMatch(/3 notes would become public/);
    expect(content.details[0]).toMatch(/; it becomes public, with all notes below it: its place is shared then$/);
    expect(published).toMatchObject({ status: "ok", outcome: { skill_code: "moved" } });
  });

  test("a plan that is cancelled on its way says what was done, and how to undo it [4.notes.failure]", async () => {
    await using orch = await openNotesEngine(profile);
    for (let n = 4; n <= 40; n += 1) orch.model.add({ note_id: `m${n}`, title: `Meeting ${n}`, parents: ["inbox"] });
    const before = orch.model.snapshot();
    orch.switches.before_write = ({ args }) => {
      if (args.noteId === "m5") void orch.engine.call("cancel_task", { task_id: "task-1" });
    };
    const task = await orch.approved(meetings());
    expect(task).toMatchObject({ status: "cancelled", outcome: { reason_code: "cancelled" } });
    const { done, not_done, reverse_plan } = task.result;
    const moved = orch.model.childrenOf("y2026");
    expect(done.map((one: { note_id: string }) => one.note_id)).toEqual(moved);
    expect(moved.length).toBeGreaterThanOrEqual(5);
    expect(task.outcome).toMatchObject({
      message: expect.stringContaining(`${moved.length} notes moved, ${40 - moved.length} not done.`),
      next: [{ text: expect.stringContaining("give reverse_plan to apply_note_moves") }],
    });
    expect(not_done).toHaveLength(40 - moved.length);
    orch.switches.before_write = undefined;
    const undone = await orch.approved({ operation: "apply_note_moves", move_plan: reverse_plan, dry_run: false });
    expect(undone).toMatchObject({ status: "ok", outcome: { skill_code: "moved" } });
    expect(orch.model.snapshot()).toEqual(before);
  });
});
