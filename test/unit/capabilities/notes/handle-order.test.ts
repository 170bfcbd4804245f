import { describe, expect, test } from "vitest";
import { handleOrder } from "../../../../capabilities/notes/handle-order.ts";
import { NotesFault } from "../../../../capabilities/notes/notes-server.ts";
import { opened, orFault } from "../../../../capabilities/notes/work.ts";
import type { Json } from "../../../../src/domain/json.ts";
import { createMutex } from "../../../../src/domain/mutex.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";
import { createRuns } from "../../../support/notes/skill-runs.ts";
import { meetings, someNotes, undertake } from "../../../support/notes/undertake.ts";

const { server } = memoryNotes(undefined, someNotes());
const end = (payload: Record<string, Json>) => undertake(payload, server).end();

describe("a contract of the notes skill [4.notes.contract]", () => {
  test.each(["teach_if_unknown", "agent"] as const)("is refused with delegation_mode %s", async (delegation_mode) => {
    const { contract, run } = createRuns({ operation: "fetch_note_tree", root_note_id: "root" });
    const work = { notes: async () => server, patience: [0], mutex: createMutex() };
    expect(await run((ctx) => handleOrder({ ctx, ...work }, { ...contract, delegation_mode }))).toMatchObject({
      status: "blocked",
      code: "contract_unsuitable",
      message: expect.stringContaining("known_only"),
    });
  });
});

describe("a payload [4.notes.dispatch]", () => {
  test("without a known operation is answered with those that there are", async () => {
    const known =
      "payload.operation must be one of fetch_note_tree, list_children, resolve_target_note, apply_note_change, verify_tree_placement, verify_note_tree, plan_note_moves, apply_note_moves, execute_move_plan";
    for (const operation of ["delete_everything", "constructor", 7, null]) {
      const ended = await end({ operation });
      expect(ended).toMatchObject({ status: "blocked", code: "payload_invalid" });
      expect(ended.message).toContain(known);
    }
    expect((await end({})).message).toContain(known);
  });

  test.each<[string, Record<string, Json>, string[]]>([
    [
      "fetch_note_tree",
      { depth: 6 },
      ["payload.root_note_id is required", "payload.depth must be at most 5, the most that any notes server returns"],
    ],
    ["fetch_note_tree", { root_note_id: "root", depth: 1.5 }, ["payload.depth must be a whole number"]],
    [
      "resolve_target_note",
      { title: "a", path: "b" },
      ["payload needs a path such as Projects/2026, or a title, and not both"],
    ],
    ["resolve_target_note", { path: " / " }, ["payload.path must name a note"]],
    ["resolve_target_note", { path: 7 }, ["payload.path must be a string or an array of strings"]],
    [
      "apply_note_change",
      { note_id: "a/b", mode: "delete", content: 1 },
      [
        "payload.note_id must be the id of a note: letters, digits, - and _, at most 128",
        "payload.mode must be replace or append",
        "payload.content must be of type string",
      ],
    ],
    [
      "apply_note_change",
      { note_id: "a", mode: "append", content: " \n" },
      ["payload.content must not be blank for append"],
    ],
    [
      "verify_tree_placement",
      { note_id: "a", expected_parent_note_id: "" },
      ["payload.expected_parent_note_id must be"],
    ],
    ["verify_note_tree", { expected_parent_note_id: "a", note_ids: [] }, ["payload.note_ids must name a note"]],
    [
      "plan_note_moves",
      { ...meetings(), source_scope: {}, selection_rule: { title_contains: " ", regex: ".*" } },
      [
        "payload.source_scope.parent_note_id is required",
        "payload.selection_rule.title_contains must not be blank",
        "payload.selection_rule.regex is not a field of this operation",
      ],
    ],
    [
      "apply_note_moves",
      { move_plan: [], dry_run: "no" },
      ["payload.move_plan must hold a move", "payload.dry_run must be true or false"],
    ],
    [
      "apply_note_moves",
      {
        move_plan: [
          { note_id: "a", target_parent_note_id: "b" },
          { note_id: "a", target_parent_note_id: "c" },
        ],
      },
      ["payload.move_plan.1.note_id is moved by move_plan.0 already"],
    ],
    ["execute_move_plan", { ...meetings(), dry_run: false }, ["payload.dry_run is not a field of this operation"]],
  ])("for %s names every field that is wrong: %j", async (operation, given, wrong) => {
    const ended = await end({ operation, ...given });
    expect(ended).toMatchObject({ status: "blocked", code: "payload_invalid" });
    for (const words of wrong) expect(ended.message).toContain(words);
  });

  test("with thousands of wrong fields is answered with the first and their number", async () => {
    const move_plan = Array.from({ length: 9_000 }, (_, n) => ({ note_id: `a/${n}`, target_parent_note_id: "c" }));
    const { message } = await end({ operation: "apply_note_moves", move_plan });
    expect(message).toContain("8980 more fields are wrong");
    expect(message.length).toBeLessThan(4096);
  });
});

describe("a fault of the notes server [4.notes.failure]", () => {
  const faulty = (code: NotesFault["code"]) => {
    const broken = memoryNotes(() => ({
      children: () => Promise.reject(new NotesFault(code, `get_child_notes: ${"very ".repeat(2000)}broken`)),
    }));
    return undertake({ operation: "plan_note_moves", ...meetings("root") }, broken.server);
  };

  test.each([
    ["unreachable", "failed"],
    ["unreadable", "failed"],
    ["refused", "failed"],
    ["incomplete", "failed"],
    ["unknown_tools", "blocked"],
  ] as const)("%s ends the task %s, with the beginning of its words", async (code, status) => {
    const ended = await faulty(code).end();
    expect(ended).toMatchObject({ status, code, message: expect.stringContaining("get_child_notes") });
    expect(ended.message.length).toBeLessThan(1_000);
  });

  test.each([
    ["token_refused", "blocked", "MCP_NOTES_TOKEN"],
    ["host_refused", "blocked", "MCP_NOTES_URL"],
    ["disabled", "blocked", "enable the MCP server"],
    ["too_long", "blocked", "4 MiB"],
    ["application_down", "failed", "start the notes application"],
    ["too_many_requests", "failed", "wait"],
  ] as const)("%s ends it %s, and says what has to be done", async (code, status, words) => {
    expect(await faulty(code).end()).toMatchObject({ status, code, next: expect.stringContaining(words) });
  });

  test("is the same one when the handler is started again", async () => {
    const task = faulty("unreachable");
    expect(await task.end()).toEqual(await task.end());
  });
});

test("a server is opened when it is first needed, once, and again only if that failed", async () => {
  let times = 0;
  const notes = opened(async () => {
    times += 1;
    if (times === 1) throw new NotesFault("unreachable", "no route");
    return server;
  });
  expect(times).toBe(0);
  await expect(notes()).rejects.toThrow("no route");
  expect(await Promise.all([notes(), notes()])).toEqual([server, server]);
  expect(times).toBe(2);
});

test("a fault is a value, unless it comes of being stopped, and a bug is thrown", async () => {
  const stop = new AbortController();
  const failing = () => Promise.reject(new NotesFault("unreachable", "stopped"));
  expect(await orFault(stop, failing)).toEqual({ ok: false, is: "fault", code: "unreachable", message: "stopped" });
  await expect(orFault(stop, () => Promise.reject(new Error("a bug")))).rejects.toThrow("a bug");
  stop.abort();
  await expect(orFault(stop, failing)).rejects.toThrow(NotesFault);
});
