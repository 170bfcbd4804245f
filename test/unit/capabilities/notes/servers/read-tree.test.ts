import { describe, expect, test } from "vitest";
import { Root, readTree } from "../../../../../capabilities/notes/servers/read-tree.ts";

const node = (noteId: string, more: object = {}) => ({ noteId, title: noteId.toUpperCase(), type: "text", ...more });
const read = (reply: object) => readTree(Root.parse(reply), "get_subtree");
const MORE = { noteId: "", title: "... and 20 more", type: "truncated" };
const DEEPER = "3 children not shown (depth limit reached)";

test("a tree that is whole is read as it is", () => {
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
    ["a node that stands for more", node("a", { children: [node("b"), MORE] })],
    ["a sentence in the place of children", node("a", { children: DEEPER })],
    ["fewer children than are counted", node("a", { childCount: 2, children: [node("b")] })],
    ["children that are counted and not there", node("a", { childCount: 2 })],
    ["ids of children that are not shown", node("a", { childNoteIds: ["b", "c"] })],
    ["a child that could not be read", node("a", { children: [node("b"), { noteId: "c", error: "HTTP 500" }] })],
    ["a child with an error beside what is known of it", node("a", { children: [node("b", { error: "odd" })] })],
    ["its own word for it", node("a", { truncated: true, children: [node("b")] })],
  ])("by %s", (_what, reply) => {
    expect(read(reply).truncated).toBe(true);
    expect(read(node("r", { children: [node("q"), { ...reply, truncated: undefined }] })).truncated).toBe(
      !("truncated" in reply),
    );
  });

  test("without what stands for more among its children", () => {
    expect(read(node("a", { children: [node("b"), MORE] })).root.children.map(({ note_id }) => note_id)).toEqual(["b"]);
  });
});

test("children that are counted and all there leave nothing out", () => {
  expect(
    read(node("a", { childCount: 1, childNoteIds: ["b"], children: [node("b", { childCount: 0 })] })).truncated,
  ).toBe(false);
});

test.each([
  ["no id", { noteId: "", title: "x", type: "text" }],
  ["an id that is none", node("c\u001b[31m")],
  ["an id that is too long", node("c".repeat(129))],
  ["ids of children that are none", node("c", { childNoteIds: ["x y"] })],
  ["no title", { noteId: "c", type: "text" }],
  ["no type", { noteId: "c", title: "x" }],
  ["children of another type", node("c", { children: 3 })],
  ["a count that is none", node("c", { childCount: -1 })],
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
    ["that does so further down", node("r", { children: [node("a", { children: [node("b"), node("b")] })] }), "twice"],
  ])("%s", (_what, reply, words) => {
    expect(() => read(reply)).toThrow(
      expect.objectContaining({ code: "unreadable", message: expect.stringContaining(words) }),
    );
  });

  test("which a note in two places is not", () => {
    const twice = node("a", { children: [node("b", { children: [node("d")] }), node("c", { children: [node("d")] })] });
    expect(read(twice).truncated).toBe(false);
  });
});
