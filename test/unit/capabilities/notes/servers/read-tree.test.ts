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
    is_cut: false,
  });
  expect(tree).toEqual({
    root: { ...leaf("a"), children: [{ ...leaf("b"), children: [leaf("c")] }, leaf("d")] },
    gaps: [],
  });
});

describe("a note of a tree is cut", () => {
  test.each([
    ["a placeholder for further notes", node("a", { children: [node("b"), MORE] })],
    ["a sentence instead of children", node("a", { children: DEEPER })],
    ["fewer children than counted", node("a", { childCount: 2, children: [node("b")] })],
    ["children that are counted but missing", node("a", { childCount: 2 })],
    ["ids of children that are not shown", node("a", { childNoteIds: ["b", "c"] })],
    ["its truncated flag", node("a", { truncated: true, children: [node("b")] })],
  ])("by %s", (_what, reply) => {
    expect(read(reply).root.is_cut).toBe(true);
    const below = read(node("r", { children: [node("q"), { ...reply, truncated: undefined }] })).root;
    expect([below.is_cut, below.children[1]?.is_cut]).toEqual([false, !("truncated" in reply)]);
  });

  test("with the placeholder left out of its children", () => {
    expect(read(node("a", { children: [node("b"), MORE] })).root.children.map(({ note_id }) => note_id)).toEqual(["b"]);
  });
});

test("a note that has all of its counted children is not cut", () => {
  expect(
    read(node("a", { childCount: 1, childNoteIds: ["b"], children: [node("b", { childCount: 0 })] })).root.is_cut,
  ).toBe(false);
});

describe("a child that cannot be read is a gap, and the rest of the tree is read", () => {
  test.each([
    ["an error in its place", { noteId: "c", error: "HTTP 500" }],
    ["data and an error", node("c", { error: "odd" })],
    ["no title and no type, as a synchronisation leaves it", { noteId: "c", childCount: 0 }],
  ])("with %s", (_what, odd) => {
    const { root, gaps } = read(node("a", { childCount: 2, children: [node("b"), odd] }));
    expect([root.is_cut, root.children.map(({ note_id }) => note_id), gaps]).toEqual([false, ["b"], ["c"]]);
  });
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
    expect(read(twice).root.children.map(({ children }) => children.length)).toEqual([1, 1]);
  });
});
