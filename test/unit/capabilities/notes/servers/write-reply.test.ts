import { describe, expect, test } from "vitest";
import {
  confirmsContent,
  confirmsMove,
  faultIn,
  writtenBy,
} from "../../../../../capabilities/notes/servers/write-reply.ts";
import type { ToolAnswer } from "../../../../../src/domain/tool.ts";
import { fails, says } from "./canned.ts";

const MOVE = { note_id: "a1", from: "p1", to: "p2" };
const moved = (answer: ToolAnswer) => writtenBy(answer, "move_note", confirmsMove("move_note", MOVE));
const changed = (answer: ToolAnswer) => writtenBy(answer, "write_note", confirmsContent("write_note", "a1"));

const NAMED = { noteId: "a1", newParentNoteId: "p2" };
const BRANCH = { branchId: "p2_a1", noteId: "a1", parentNoteId: "p2" };

describe("a move", () => {
  test.each([
    ["with success and both ids", { success: true, ...NAMED, title: "One" }],
    ["with both ids alone", { ...NAMED, message: "moved" }],
    ["with success and the branch it has made", { success: true, action: "move", branch: BRANCH, url: "http://x" }],
    ["with success alone", { success: true }],
  ])("is done when the server says so %s", (_how, reply) => {
    expect(moved(says(reply))).toEqual({ is: "done" });
  });

  test.each([
    ["fails", fails("no such parent"), "no such parent"],
    ["is refused before it runs", fails("HTTP 401", false), "HTTP 401"],
    ["answers with an error as content", says({ error: "would create cycle" }), "would create cycle"],
    ["answers with an error beside a success", says({ success: true, ...NAMED, error: "no" }), "no"],
    ["answers with success: false", says({ ...NAMED, success: false }), "false"],
    ["answers with a success that is no boolean", says({ ...NAMED, success: "true" }), '"true"'],
    ["asks which branch is meant", says({ noteId: "a1", requiresBranchId: true, message: "2 places" }), "2 places"],
    ["asks back and says success", says({ success: true, ...NAMED, requiresBranchId: true }), "requiresBranchId"],
  ])("is refused, in the server's words, when it %s", (_how, answer, words) => {
    expect(moved(answer)).toEqual({ is: "refused", message: expect.stringContaining(words) });
    expect(moved(answer)).toEqual({ is: "refused", message: expect.stringMatching(/^move_note: /) });
  });

  test.each([
    ["there is no answer", fails("lost; whether the tool took effect is not known", "unknown"), "not known"],
    ["the answer cannot be parsed", says("OK, moved!"), "OK, moved!"],
    ["the answer is empty", says(), "0 texts"],
    ["the answer is a list", says([true]), "[true]"],
    ["the answer says nothing of it", says({ noteId: "a1" }), "does not say"],
    ["another note was moved", says({ success: true, noteId: "a2", newParentNoteId: "p2" }), "another move"],
    ["it went elsewhere", says({ success: true, noteId: "a1", newParentNoteId: "p3" }), "another move"],
    [
      "the branch is that of another note",
      says({ success: true, branch: { ...BRANCH, noteId: "a2" } }),
      "another move",
    ],
    ["the branch is elsewhere", says({ success: true, branch: { ...BRANCH, parentNoteId: "p1" } }), "another move"],
    ["the branch is no branch", says({ success: true, branch: 5 }), "answered"],
    ["the output is no result", { ok: true, stdout: "[]" } as const, "no result"],
  ])("is never done when %s", (_how, answer, words) => {
    expect(moved(answer)).toEqual({ is: "unknown", message: expect.stringContaining(words) });
  });
});

describe("a change of content", () => {
  test.each([{ success: true, noteId: "a1", title: "One" }, { success: true }])("is done by %j", (reply) => {
    expect(changed(says(reply))).toEqual({ is: "done" });
  });

  test("is done with the content that the server has made of it", () => {
    expect(changed(says({ success: true, noteId: "a1", content: "* one" }))).toEqual({ is: "done", answer: "* one" });
  });

  test.each([
    [fails("protected"), "refused"],
    [says({ error: "protected" }), "refused"],
    [says({ success: false, noteId: "a1" }), "refused"],
    [fails("lost", "unknown"), "unknown"],
    [says({ noteId: "a1" }), "unknown"],
    [says({ success: true, noteId: "a2" }), "unknown"],
    [says("Done."), "unknown"],
  ])("is not done by %j", (answer, is) => {
    expect(changed(answer)).toMatchObject({ is });
  });
});

test("a bug is not taken for a fault of the server", () => {
  const bug = new TypeError("x is not a function");
  const confirms = () => {
    throw bug;
  };
  expect(() => writtenBy(says({}), "move_note", confirms)).toThrow(bug);
  expect(() => faultIn(bug)).toThrow(bug);
});
