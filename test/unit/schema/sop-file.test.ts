// An SOP as a YAML file: an export that is imported again gives the same bytes.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OrchError } from "../../../src/domain/errors.ts";
import { structuralIssue } from "../../../src/domain/json.ts";
import { Step } from "../../../src/domain/step.ts";
import { readSopFile, SopFile, writeSopFile } from "../../../src/schema/sop-file.ts";
import { check, cmd, wait } from "../../support/builders.ts";

const AWKWARD = [
  ...[
    "yes",
    "no",
    "null",
    "~",
    "1e3",
    "0x1F",
    "012",
    "1_000",
    "12:30:45",
    "2026-03-06",
    ".inf",
    "-",
    "---",
    "...",
    "<<",
  ],
  ...[
    "- a",
    "? a",
    "a: b",
    "a #b",
    "#",
    "%TAG",
    "@x",
    "`x`",
    "&a",
    "*a",
    "!tag",
    "{a",
    "[a",
    "a, b]",
    "|",
    ">",
    "'",
    '"',
  ],
  ...[
    "it's",
    'say "x"',
    "a\\nb",
    "tab\there",
    "\ttab first",
    " leading",
    "trailing ",
    "  ",
    "\u00a0",
    "größe",
    "本番",
    "🚀",
  ],
  ...[
    "one\ntwo",
    "one\n\n\ntwo\n",
    "\nfirst line is empty",
    "trailing newlines\n\n\n",
    "  indented\nless",
    "a\n  b\n c\n",
  ],
  ...["a\rb", "\u2028x\u2029", "\u0085", "\u0007bell", "\ufeffbom", "\u001b[31m", "x".repeat(300), "a b ".repeat(60)],
  ...["cat <<'EOF' > f\n  key: value\n# no comment\nEOF\n", 'if true; then\n\techo "$x"\nfi'],
];

const text = fc.oneof(
  fc.constantFrom(...AWKWARD),
  fc.string({ unit: "binary" }).map((value) => value.toWellFormed()),
  fc.string({ unit: "grapheme" }),
);
const line = text.map((value) => value.replaceAll("\0", "").slice(0, 900)).filter((value) => value.trim() !== "");
const json = fc.jsonValue({ maxDepth: 4, stringUnit: "grapheme" });
const step = fc.oneof(
  line.map(cmd),
  line.map(check),
  fc.constantFrom("500ms", "1.5s", "1h").map(wait),
  fc.record({
    kind: fc.constant("mcp_call"),
    value: fc.constant(""),
    server: fc.constantFrom("notes", "null", "1e3"),
    tool: fc.constantFrom("create", "yes", "~"),
    arguments: fc.dictionary(fc.oneof(fc.constantFrom("a", "yes", "1", "<<", "a: b"), line), json),
  }),
);
const sopFile = fc
  .record({
    intent: fc.constantFrom("deploy", "no", "null"),
    target: fc.dictionary(fc.constantFrom("service", "yes", "no", "n", "null", "e1"), line),
    safety_level: fc.constantFrom("standard", "approval_required"),
    preconditions: fc.array(line, { maxLength: 3 }),
    criteria: fc.dictionary(line, fc.nat(20)),
    steps: fc.array(step, { minLength: 1, maxLength: 5 }),
  })
  .filter((value) => structuralIssue(value) === null)
  .map((value) => SopFile.safeParse(value))
  .filter(({ success }) => success)
  .map(({ data }) => SopFile.parse(data));

const roundTrip = (file: SopFile) => {
  const written = writeSopFile(file);
  const read = readSopFile(written);
  expect(read).toEqual(file);
  expect(writeSopFile(read)).toBe(written);
};

const minimal: SopFile = {
  intent: "deploy",
  target: { service: "web" },
  safety_level: "standard",
  preconditions: [],
  criteria: {},
  steps: [check("true")],
};
const issuesOf = (file: string) => {
  try {
    return { read: readSopFile(file) };
  } catch (error) {
    if (error instanceof OrchError && error.code === "input_invalid") return error.issues;
    throw error;
  }
};

describe("a file", () => {
  test("gives back any SOP, and the same bytes again", () => {
    fc.assert(fc.property(sopFile, roundTrip), { numRuns: 300 });
  });

  test.each(AWKWARD.filter((value) => value.trim() !== ""))("gives back %j in every field", (value) => {
    const call = Step.parse({
      kind: "mcp_call",
      server: "notes",
      tool: "t",
      arguments: { [value]: [value, { value }] },
    });
    const steps = [cmd(value), check(value), call];
    const target = { service: `<${value}>`.normalize("NFC") };
    roundTrip({ ...minimal, target, preconditions: [value], criteria: { [value]: 1 }, steps });
  });

  test("has the layout that a human would write", () => {
    const steps = [cmd("set -e\nmake\n"), wait("30s"), check(`curl ${"-H x ".repeat(30)}localhost`)];
    expect(writeSopFile({ ...minimal, criteria: { "the page is served": 2 }, steps })).toBe(`intent: deploy
target:
  service: web
safety_level: standard
preconditions: []
criteria:
  the page is served: 2
steps:
  - kind: cmd
    value: |
      set -e
      make
  - kind: wait
    value: 30s
  - kind: check
    value: curl ${"-H x ".repeat(30)}localhost
`);
  });

  test("may leave out what has a default", () => {
    expect(readSopFile("{intent: deploy, target: {}, steps: [{kind: check, value: 'true'}]}")).toEqual({
      intent: "deploy",
      target: {},
      safety_level: "standard",
      preconditions: [],
      steps: [check("true")],
    });
  });
});

describe("an invalid file is refused with the path of the fault:", () => {
  const file = writeSopFile(minimal);

  test.each([
    ["text", "hello", ""],
    ["nothing", "", ""],
    ["broken YAML", "steps: [", "file"],
    ["two documents", `${file}---\n${file}`, "file"],
    ["a key twice", `${file}intent: restart\n`, "file"],
    ["a field that is unknown", `${file}stepz: []\n`, ""],
    ["a value of another type", file.replace('"true"', "true"), "steps.0.value"],
    ["a reserved key", file.replace("service: web", "__proto__: web"), "target.__proto__"],
    ["half a character", file.replace("web", '"\\ud83d"'), "file"],
    ["an alias", file.replace("preconditions: []", "preconditions: [&a x, *a]"), "file"],
    ["a bomb of aliases", "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nintent: *c\n", "file"],
    ["nesting without end", `intent: ${"[".repeat(20_000)}`, "file"],
  ])("%s", (_what, wrong, path) => {
    expect(issuesOf(wrong)).toEqual(
      expect.arrayContaining([expect.objectContaining({ path: expect.stringContaining(path) })]),
    );
  });

  test("a number that JSON programs change", () => {
    const message = expect.stringContaining("send it as text");
    expect(issuesOf(file.replace("service: web", "service: 9007199254740993"))).toMatchObject([
      { path: "target.service", message },
    ]);
  });
});
