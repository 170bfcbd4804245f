// Pure parts of the console.
import { describe, expect, test } from "vitest";
import { readProcedure, writeProcedure } from "../../editor/procedure-text.ts";

const TEXT = `# first a comment
steps:
  - kind: cmd
    value: |
      mkdir -p /srv/app
      echo done
  - kind: mcp_call
    server: docker
    arguments: { a.b: { c: 1 } }
  - kind: check
    value: test -d /srv/app
criteria:
  the page: is served: 2
`.replace("the page: is served", '"the page: is served"');

const marked = (path: string, text = TEXT): string => {
  const { from, to } = readProcedure(text).rangeOf(path);
  return text.slice(from, to);
};

describe("a path that an issue names is marked in the text", () => {
  test.each([
    ["steps.0.kind", "cmd"],
    ["steps.0.value", "mkdir -p /srv/app"],
    ["steps.2.value", "test -d /srv/app"],
    ["steps.1.arguments.a.b.c", "1"],
    ["criteria.the page: is served", "2"],
  ])("%s is %j", (path, text) => {
    expect(marked(path)).toBe(text);
  });

  test("a field that is missing is marked where its owner begins", () => {
    expect(marked("steps.1.tool")).toBe("kind: mcp_call");
    expect(marked("steps.7.value")).toMatch(/^- kind: cmd$/);
  });

  test("a field without a value is marked by its name", () => {
    expect(marked("steps.0.value", "steps:\n  - kind: cmd\n    value:\n  - kind: check\n")).toBe("value");
  });

  test("no mark is of more than one line, and none is outside of the text", () => {
    for (const path of ["", "steps", "steps.0", "criteria", "nothing.at.all"]) {
      expect(marked(path)).not.toContain("\n");
      const { from, to } = readProcedure(TEXT).rangeOf(path);
      expect(0 <= from && from <= to && to <= TEXT.length).toBe(true);
    }
  });
});

describe("a text that is no procedure says so where it is wrong", () => {
  test.each([
    ["steps: [", "[", /Flow sequence/],
    ["steps: []\nsteps: []", "steps: []", /unique/],
    ["- kind: cmd", "- kind: cmd", /needs the field steps/],
    ["steps: &a []\ncriteria: *a", "*a", /aliases/],
    ["step: []", "[]", /"step" is not a field of a procedure/],
  ])("%j", (text, place, message) => {
    const [fault] = readProcedure(text).faults;
    expect(text.slice(fault?.from, fault?.to)).toContain(place.slice(0, 1));
    expect(fault?.message).toMatch(message);
  });

  test("an empty text is no procedure, and breaks nothing", () => {
    expect(readProcedure("").faults[0]?.message).toBe("needs the field steps");
  });
});

describe("a text to begin with", () => {
  test("is read as what it was written from", () => {
    const fields = { steps: [{ kind: "cmd", value: "a: b\n# no comment\n" }], criteria: { "yes: 1": 0, "- x": 0 } };
    expect(readProcedure(writeProcedure(fields)).fields).toEqual(fields);
  });

  test("keeps a comment on its line, with line feeds in it too", () => {
    const text = writeProcedure({ steps: [] }, ["from a model\nsteps: [evil]\u202e"]);
    expect(text).toBe("# from a model?steps: [evil]?\nsteps: []\n");
  });
});
