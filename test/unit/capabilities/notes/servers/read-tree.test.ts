import { describe, expect, test } from "vitest";
import { Root, readTree } from "../../../../../capabilities/notes/servers/read-tree.ts";

const node = (noteId: string, more: object = {}) => ({ noteId, title: noteId.toUpperCase(), type: "text", ...more });
const read = (reply: object) => readTree(Root.parse(reply), "get_subtree");
const MORE = { noteId: "", title: "... and 20 more", type: "truncated" };
const DEEPER = "3 children not shown (depth limit reached)";

test("a complete tree is read unchanged", () => {
  const tree = read(node("a", { children: [node("b", { children: [node("c", { children: [] })] }), node("d")] }));
  const leaf = (note_id: string) => ({
    note_id,
    title: note_id.toUpperCase(),
    type: "text",
    children: [] as unknown[],
  });
  expect(tree).toEqual({
    root: { ...leaf("a"), children: [{ ...leaf("b"), children: [leaf("c")] }, leaf("d")] },
    truncated: false,
  });
});

describe("a tree is truncated", () => {
  test.each([
    ["a placeholder for further notes", node("a", { children: [node("b"), MORE] })],
    ["a sentence instead of children", node("a", { children: DEEPER })],
    ["fewer children than counted", node("a", { childCount: 2, children: [node("b")] })],
    ["children that are counted but missing", node("a", { childCount: 2 })],
    ["ids of children that are not shown", node("a", { childNoteIds: ["b", "c"] })],
    ["a child that could not be read", node("a", { children: [node("b"), { noteId: "c", error: "HTTP 500" }] })],
    ["a child that has data and an error", node("a", { children: [node("b", { error: "odd" })] })],
    ["its truncated flag", node("a", { truncated: true, children: [node("b")] })],
  ])("by %s", (_what, reply) => {
    expect(read(reply).truncated).toBe(true);
    expect(read(node("r", { children: [node("q"), { ...reply, truncated: undefined }] })).truncated).toBe(
      !("truncated" in reply),
    );
  });

  test("with the placeholder left out of its children", () => {
    expect(read(node("a", { children: [node("b"), MORE] })).root.children.map(({ note_id }) => note_id)).toEqual(["b"]);
  });
});

test("a tree that has all of its counted children is not truncated", () => {
  expect(
    read(node("a", { childCount: 1, childNoteIds: ["b"], children: [node("b", { childCount: 0 })] })).truncated,
  ).toBe(false);
});

test.each([
  ["no id", { noteId: "", title: "x", type: "text" }],
  ["an invalid id", node("c\u001b[31m")],
  ["an id that is too long", node("c".repeat(129))],
  ["invalid ids of children", node("c", { childNoteIds: ["x y"] })],
  ["no title", { noteId: "c", type: "text" }],
  ["no type", { noteId: "c", title: "x" }],
  ["children of another type", node("c", { children: 3 })],
  ["an invalid count", node("c", { childCount: -1 })],
])("a child with %s cannot be read", (_what, child) => {
  expect(() => read(node("a", { children: [child] }))).toThrow(
    expect.objectContaining({ name: "NotesFault", code: "unreadable" }),
  );
});

describe("a tree cannot be used", () => {
  test.each([
    [
      "that holds a note within itself",
      node("a", { children: [node("b", { children: [node("a")] })] }),
      "within itself",
    ],
    ["that is its own child", node("a", { children: [node("a")] }), "within itself"],
    ["that holds a child twice", node("a", { children: [node("b"), node("c"), node("b")] }), "the note b twice"],
    ["that repeats a grandchild", node("r", { children: [node("a", { children: [node("b"), node("b")] })] }), "twice"],
  ])("%s", (_what, reply, words) => {
    expect(() => read(reply)).toThrow(
      expect.objectContaining({ code: "unreadable", message: expect.stringContaining(words) }),
    );
  });

  test("unlike a tree with a note in two places", () => {
    const twice = node("a", { children: [node("b", { children: [node("d")] }), node("c", { children: [node("d")] })] });
    expect(read(twice).truncated).toBe(false);
  });
});
