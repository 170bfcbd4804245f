// The notes and branches beneath the simulated notes servers: as the application's REST API keeps them.
import { expect, test } from "vitest";
import { copyOf, createNotesModel } from "../../simulators/notes/notes-model.ts";

function family() {
  const model = createNotesModel();
  model.add({ note_id: "a", title: "A" });
  model.add({ note_id: "b", title: "B", parents: ["a"] });
  model.add({ note_id: "c", title: "C", parents: ["b"] });
  return model;
}

test("a note is under the root unless other parents are named, and these come first to last", () => {
  const model = family();
  model.add({ note_id: "d", title: "D", parents: ["b", "a"] });
  expect(model.parentsOf("a")).toEqual(["root"]);
  expect(model.parentsOf("d")).toEqual(["b", "a"]);
  expect(model.childrenOf("b")).toEqual(["c", "d"]);
  expect(model.branchesOf("d").map(({ branch_id }) => branch_id)).toEqual(["b_d", "a_d"]);
});

test("a note that is there, or a parent that is not, is a mistake of the test", () => {
  const model = family();
  expect(() => model.add({ note_id: "a", title: "A" })).toThrow("there is a note a already");
  expect(() => model.add({ note_id: "x", title: "X", parents: ["gone"] })).toThrow("x has no parent gone");
  expect(() => model.add({ note_id: "x", title: "X", parents: [] })).toThrow("x has no parent");
});

test("a branch that is there is given back as it is, and none is made to a note that is not", () => {
  const model = family();
  const before = model.snapshot();
  expect(model.postBranch("b", "a")).toBe(model.branchesOf("b")[0]);
  expect(model.postBranch("b", "gone")).toBeUndefined();
  expect(model.postBranch("gone", "a")).toBeUndefined();
  expect(model.snapshot()).toEqual(before);
});

test("a copy has the same tree and goes its own way", () => {
  const model = family();
  model.clone({ note_id: "c", to: "root" });
  const copy = copyOf(model);
  expect(copy.snapshot()).toEqual(model.snapshot());
  expect(copy.parentsOf("c")).toEqual(["b", "root"]);
  copy.delete("c");
  Object.assign(copy.note("a") ?? {}, { title: "other" });
  expect(model.note("c")).toBeDefined();
  expect(model.note("a")?.title).toBe("A");
});
