// Each operation of the notes skill through the whole of orch, on every notes server: its codes and refused contracts.
import { describe, expect, test } from "vitest";

import { sha256 } from "../../../src/domain/json.ts";
import { meetings, openNotesEngine } from "./notes-engine.ts";
import { PROFILES_OF_EACH_CHANGE } from "./open-notes.ts";

const ended = (status: string, skill_code: string, result: object = {}) =>
  expect.objectContaining({
    status,
    outcome: expect.objectContaining({ skill_code }),
    result: expect.objectContaining(result),
  });

const REFUSED_LINK = /payload\.content has links or pictures that notes do not keep, irc:\/\/h\/x/;

describe.each(PROFILES_OF_EACH_CHANGE)("on the notes server %s", (profile) => {
  test("each operation is dispatched, and ends with a code of its own [4.notes.dispatch]", async () => {
    await using orch = await openNotesEngine(profile);
    const { model, submit } = orch;
    const place = (note_id: string, expected_parent_note_id: string) =>
      submit({ operation: "verify_tree_placement", note_id, expected_parent_note_id });
    const all = (expected_parent_note_id: string, ...note_ids: string[]) =>
      submit({ operation: "verify_note_tree", expected_parent_note_id, note_ids });
    const find = (by: object) => submit({ operation: "resolve_target_note", ...by });

    expect(await find({ path: "Archive/2026" })).toEqual(ended("ok", "resolved", { note_id: "y2026" }));
    expect(await find({ title: "2026" })).toEqual(ended("ok", "resolved", { path: "Archive / 2026" }));
    expect(await find({ title: "Meeting" })).toEqual(ended("failed", "not_found", { complete: true }));
    model.add({ note_id: "other2026", title: "2026", parents: ["inbox"] });
    const several = await find({ title: "2026" });
    expect(several).toEqual(ended("failed", "ambiguous"));
    expect(several.result.candidates.map((one: { path: string }) => one.path).sort()).toEqual([
      "Archive / 2026",
      "Inbox / 2026",
    ]);
    expect(await find({ title: "2026", root_note_id: "archive" })).toEqual(ended("ok", "resolved"));

    expect(await place("m1", "inbox")).toEqual(ended("ok", "placed"));
    expect(await place("m1", "archive")).toEqual(ended("failed", "not_placed", { parent_note_ids: ["inbox"] }));
    expect(await all("inbox", "m1", "m2")).toEqual(ended("ok", "placed", { missing: [] }));
    expect(await all("inbox", "m1", "y2026")).toEqual(ended("failed", "not_placed", { missing: ["y2026"] }));

    expect(await submit(meetings("plan_note_moves"))).toEqual(ended("ok", "planned"));
    const none = { ...meetings("plan_note_moves"), selection_rule: { title_contains: "meeting" } };
    expect(await submit(none)).toEqual(ended("ok", "nothing_selected", { move_plan: [] }));
    expect(orch.writes()).toEqual([]);
  });

  test("content is replaced and appended to, unless its digest has changed [4.notes.apply_note_change]", async () => {
    await using orch = await openNotesEngine(profile);
    const change = (over: object) => orch.submit({ operation: "apply_note_change", note_id: "m1", ...over });
    const replaced = await change({ mode: "replace", content: "new words" });
    expect(replaced).toEqual(ended("ok", "changed", { digest_before: sha256("so far") }));
    expect(orch.model.note("m1")?.content).toContain("new words");
    expect(orch.model.note("m1")?.content).not.toContain("so far");
    const { digest_after: expected_digest } = replaced.result;
    expect(await change({ mode: "append", content: "and more", expected_digest })).toEqual(ended("ok", "changed"));
    expect(orch.model.note("m1")?.content).toMatch(/new words[\s\S]*and more/);
    const stale = await change({ mode: "append", content: "too late", expected_digest });
    expect(stale).toEqual(ended("failed", "changed_meanwhile", { expected_digest }));
    expect(orch.writes()).toHaveLength(2);
  });

  test("the same text twice changes the note once, and both are a success [4.notes.apply_note_change]", async () => {
    await using orch = await openNotesEngine(profile);
    const change = {
      operation: "apply_note_change",
      note_id: "m1",
      mode: "replace",
      content: "# Status\n\n- up\n- up",
    };
    expect(await orch.submit(change)).toEqual(ended("ok", "changed"));
    const once = orch.model.note("m1")?.content;
    expect(once).toContain("<li>up</li>");
    expect(await orch.submit(change)).toEqual(ended("ok", "unchanged"));
    expect(orch.model.note("m1")?.content).toBe(once);
  });

  test("code is appended on a line of its own, and keeps what is before it [4.notes.apply_note_change]", async () => {
    await using orch = await openNotesEngine(profile);
    orch.model.add({ note_id: "script", title: "Script", type: "code", content: "if (a) {" });
    const append = (content: string) =>
      orch.submit({ operation: "apply_note_change", note_id: "script", mode: "append", content });
    expect(await append("\tb();")).toEqual(ended("ok", "changed"));
    expect(await append("}\n")).toEqual(ended("ok", "changed"));
    expect(orch.model.note("script")?.content.trimEnd()).toBe("if (a) {\n\tb();\n}");
  });

  test("a link that the note would not keep is refused before anything is written, and in code it is text [4.notes.apply_note_change]", async () => {
    await using orch = await openNotesEngine(profile);
    orch.model.add({ note_id: "code", title: "c.md", type: "code", content: "so far\n" });
    const append = { operation: "apply_note_change", mode: "append", content: "talk at [chat](irc://h/x)" };
    const refused = await orch.submit({ ...append, note_id: "m1" });
    expect(refused.outcome).toMatchObject({
      skill_code: "payload_invalid",
      message: expect.stringMatching(REFUSED_LINK),
    });
    expect([refused.status, orch.writes().length]).toEqual(["blocked", 0]);
    expect((await orch.submit({ ...append, note_id: "code" })).outcome.skill_code).toBe("changed");
  });

  test("a note that shows nothing is emptied all the same, or says why it cannot be [4.notes.apply_note_change]", async () => {
    await using orch = await openNotesEngine(profile);
    Object.assign(orch.model.note("m1") ?? {}, { content: '<section class="include-note"></section>' });
    const empty = { operation: "apply_note_change", note_id: "m1", mode: "replace", content: "" };
    const { outcome } = await orch.submit(empty);
    if (profile === "npm") expect(outcome.message).toContain("this notes server cannot empty a note");
    else expect([outcome.skill_code, orch.model.note("m1")?.content]).toEqual(["changed", ""]);
  });

  test("a lost response causes no second write", async () => {
    await using orch = await openNotesEngine(profile);
    orch.switches.lose_reply_after_write = 1;
    const append = { operation: "apply_note_change", note_id: "m1", mode: "append", content: "and more" };
    expect(await orch.submit(append)).toEqual(ended("ok", "changed"));
    expect(orch.model.note("m1")?.content.match(/and more/g)).toHaveLength(1);
    expect(orch.writes()).toHaveLength(1);
  });

  test("a contract without notes in its scope is blocked before any call [4.notes.scope]", async () => {
    await using orch = await openNotesEngine(profile);
    const constraints = { implicit_scope: ["wiki"], require_approval_for: [], max_minutes: 1 };
    for (const payload of [meetings(), { operation: "fetch_note_tree", root_note_id: "root" }]) {
      expect(await orch.submit(payload, { constraints })).toMatchObject({
        status: "blocked",
        outcome: { reason_code: "outside_scope", message: expect.stringContaining("notes") },
      });
    }
    expect(orch.calls()).toEqual([]);
  });
});

describe.each(PROFILES_OF_EACH_CHANGE)("on the notes server %s", (profile) => {
  test("a folder of more notes than a tree shows is listed whole, as a tree and page by page [4.notes.fetch_note_tree]", async () => {
    await using orch = await openNotesEngine(profile);
    for (let n = 0; n < 12; n += 1) orch.model.add({ note_id: `c${n}`, title: `C ${n}`, parents: ["shop"] });
    const tree = await orch.submit({ operation: "fetch_note_tree", root_note_id: "shop", depth: 2 });
    expect(tree).toEqual(ended("ok", "tree_read", { truncated: false }));
    expect(tree.result.tree.children).toHaveLength(12);
    const list = (offset: number) => orch.submit({ operation: "list_children", note_id: "shop", offset, limit: 8 });
    const [first, second] = [await list(0), await list(8)];
    expect(first).toEqual(ended("ok", "children_listed", { total: 12, next_offset: 8 }));
    expect(second.result.next_offset).toBeNull();
    const ids = [...first.result.children, ...second.result.children].map((one: { note_id: string }) => one.note_id);
    expect(ids.toSorted()).toEqual(orch.model.childrenOf("shop").toSorted());
  });
});

describe.each(["native", "git"] as const)("on the notes server %s", (profile) => {
  test("a tree is read in one call, by default with five levels [4.notes.fetch_note_tree] [4.notes.fetch_reads_only] [8.depth]", async () => {
    await using orch = await openNotesEngine(profile);
    for (let n = 1; n <= 6; n += 1) {
      orch.model.add({ note_id: `d${n}`, title: `Depth ${n}`, parents: [n === 1 ? "shop" : `d${n - 1}`] });
    }
    const tree = await orch.submit({ operation: "fetch_note_tree", root_note_id: "shop" });
    expect(tree).toEqual(ended("ok", "tree_truncated", { truncated: true, depth: 5 }));
    expect(
      JSON.stringify(tree.result.tree)
        .match(/Depth \d/g)
        ?.sort(),
    ).toEqual([1, 2, 3, 4, 5].map((n) => `Depth ${n}`));
    expect(orch.calls()).toHaveLength(1);
    expect(orch.writes()).toEqual([]);
    const whole = await orch.submit({ operation: "fetch_note_tree", root_note_id: "d2" });
    expect(whole).toEqual(ended("ok", "tree_read", { truncated: false }));
    expect(await orch.submit({ operation: "fetch_note_tree", root_note_id: "nowhere1" })).toMatchObject({
      status: "failed",
      outcome: { skill_code: "not_found" },
    });
  });
});

test("a tree is read by lists on a notes server without a tool for trees [4.notes.fetch_note_tree]", async () => {
  await using orch = await openNotesEngine("npm");
  const read = { operation: "fetch_note_tree", root_note_id: "root" };
  expect(await orch.submit(read)).toEqual(ended("ok", "tree_read", { truncated: false }));
  expect(orch.writes()).toEqual([]);
});
