// Two tasks that are at the same notes at the same time, through the whole of orch, on every notes server: neither knows of the
// other, and no note is lost over it.
import { describe, expect, test } from "vitest";
import { meetings, openNotesEngine } from "./notes-engine.ts";
import { PROFILES_OF_EACH_CHANGE } from "./open-notes.ts";

describe.each(PROFILES_OF_EACH_CHANGE)("on the notes server %s", (profile) => {
  test("two approved plans of the same moves make each of them once [4.notes.execute_move_plan]", async () => {
    await using orch = await openNotesEngine(profile);
    const before = orch.model.reachable();
    for (const service of ["a", "b"]) {
      expect(await orch.submit(meetings(), { target: { service } })).toMatchObject({ status: "need_approval" });
    }
    orch.switches.delay_ms = 20;
    const asked = await Promise.all(["task-1", "task-2"].map((task_id) => orch.engine.approvalOf(task_id)));
    const ended = await Promise.all(
      asked.map(({ approval_id }) =>
        orch.engine.call("approve", { approval_id, decision: "approve", wait_seconds: 30 }),
      ),
    );
    expect([...before].filter((note_id) => !orch.model.reachable().has(note_id))).toEqual([]);
    expect(["m1", "m2", "m3"].map(orch.model.parentsOf)).toEqual([["y2026"], ["y2026"], ["y2026"]]);
    expect(orch.puts()).toHaveLength(3);
    const results = ended.map(({ task }) => task.result);
    expect(ended.map(({ task }) => task.status)).toEqual(["ok", "ok"]);
    expect(results.flatMap(({ done }) => done)).toHaveLength(3);
    expect(results.flatMap(({ left_out }) => left_out.map((one: { code: string }) => one.code))).toEqual(
      Array(3).fill("already_in_place"),
    );
  });

  test("appends get through while a script writes directly before them, and its words stay [4.notes.apply_note_change]", async () => {
    await using orch = await openNotesEngine(profile);
    const note = orch.model.note("m1");
    if (note === undefined) throw new Error("there is no note");
    let lines = 0;
    // Three of four times, so that a server that compares refuses as often.
    let writes = 0;
    orch.switches.before_write = () => {
      writes += 1;
      if (writes % 4 === 0) return;
      lines += 1;
      note.content += `<p>line ${lines} of the script</p>`;
    };
    const contents = Array.from({ length: 8 }, (_, n) => `words of ${n}`);
    const codes: string[] = [];
    for (const content of contents) {
      const { outcome } = await orch.submit({ operation: "apply_note_change", note_id: "m1", mode: "append", content });
      codes.push(outcome.skill_code);
    }
    expect(codes).toEqual(contents.map(() => "changed"));
    for (const content of contents) expect(note.content.match(new RegExp(content, "g"))).toHaveLength(1);
    expect(note.content.match(/of the script/g)).toHaveLength(lines);
  });
});
