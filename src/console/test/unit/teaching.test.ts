// Pure parts of the console.
import { describe, expect, test } from "vitest";
import { readProcedure, writeProcedure } from "../../editor/procedure-text.ts";
import { coverageOf, type KnownOfText, marksOf, subjectOf } from "../../pages/teach/marks.ts";
import { startOfProposal, startOfTask } from "../../pages/teach/starts.ts";

const CHECK = { kind: "check", value: "test -d /" };
const CMD = { kind: "cmd", value: "ls" };

describe("which check proves which criterion, while it is written", () => {
  test("without a map, the n-th check proves the n-th criterion", () => {
    expect(coverageOf({ steps: [CMD, CHECK, CMD, CHECK] }, ["a", "b"]).criteria).toEqual([
      { criterion: "a", step_index: 1 },
      { criterion: "b", step_index: 3 },
    ]);
  });

  test("a criterion without a check is named", () => {
    const { criteria, issues } = coverageOf({ steps: [CHECK, CMD], criteria: { a: 0, b: 1 } }, ["a", "b", "c"]);
    expect(criteria).toEqual([{ criterion: "a", step_index: 0 }]);
    expect(issues.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'criteria: success criterion "b" is mapped to step 1, which is not a check step',
      'criteria: success criterion "c" has no check step; add one, or map it in criteria',
    ]);
  });

  test("a tool call that says what it expects is a check", () => {
    expect(coverageOf({ steps: [{ kind: "mcp_call", expect: { equals: 1 } }] }, ["a"]).issues).toEqual([]);
    expect(coverageOf({ steps: [{ kind: "mcp_call", expect: null }] }, ["a"]).issues).toHaveLength(1);
  });

  test("without a task, the text names the criteria itself", () => {
    expect(coverageOf({ steps: [CHECK], criteria: { a: 0 } }, null).criteria).toEqual([
      { criterion: "a", step_index: 0 },
    ]);
  });

  test.each([[{}], [{ steps: "x" }], [{ steps: [null, 1], criteria: [] }], [{ steps: [CHECK], criteria: { a: "0" } }]])(
    "fields that are no procedure yet break nothing: %j",
    (fields) => {
      expect(() => coverageOf(fields, ["a"])).not.toThrow();
    },
  );
});

const TEXT = "steps:\n  - kind: cmd\n    value: rm -rf /\n    reconcile: rm x\n  - kind: check\n    value: 'true'\n";
const NOTHING: KnownOfText = { issues: [], steps: [], warnings: [], has_contract: true };
const finding = (code: string, verdict: "ask" | "block", reason = "why") =>
  ({
    step_index: 0,
    code,
    verdict,
    reason,
    command: null,
    category: null,
  }) as KnownOfText["steps"][number]["findings"][number];
const shown = (known: Partial<KnownOfText>) =>
  marksOf(readProcedure(TEXT), { ...NOTHING, ...known }).map(
    ({ from, to, severity, message }) => `${severity} ${JSON.stringify(TEXT.slice(from, to))} ${message}`,
  );

describe("what orch says is marked at the place that it is about", () => {
  test("a block is an error, a question a warning", () => {
    const findings = [
      finding("rm.wide", "block"),
      finding("category.matched", "ask"),
      finding("reconcile.changes_state", "block"),
    ];
    expect(shown({ steps: [{ index: 0, findings }] })).toEqual([
      'error "rm -rf /" Blocked: why (rm.wide)',
      'warning "rm -rf /" Asks for an approval: why (category.matched)',
      'error "rm x" Blocked: why (reconcile.changes_state)',
    ]);
  });

  test("a check that cannot be seen to fail is a warning, with what to write instead", () => {
    const mends = [{ text: "test -f x", why: "" }];
    expect(shown({ warnings: [{ step_index: 1, proof: "unproved", reason: "always 0", mends }] })).toEqual([
      `warning "'true'" Never seen to fail: always 0. Instead: test -f x`,
    ]);
  });

  test("a refusal that says what is marked already adds no mark, and an issue that is given twice is one mark", () => {
    const findings = [finding("rm.wide", "block")];
    const missing = { path: "criteria", message: 'success criterion "it runs" has no check step' };
    const issues = [{ path: "steps.0", message: "rm.wide: why" }, missing, missing];
    expect(shown({ steps: [{ index: 0, findings }], issues })).toEqual([
      expect.stringContaining("success criterion"),
      'error "rm -rf /" Blocked: why (rm.wide)',
    ]);
  });

  test("an issue of the schema is an error at its field", () => {
    expect(shown({ issues: [{ path: "steps.1.value", message: "must not be empty" }] })).toEqual([
      `error "'true'" steps.1.value must not be empty`,
    ]);
  });

  test("what only a contract settles is left out where there is none", () => {
    const steps = [{ index: 0, findings: [finding("scope.program", "block"), finding("safety.on_trial", "ask")] }];
    expect(shown({ steps })).toHaveLength(2);
    expect(shown({ steps, has_contract: false })).toEqual([]);
  });
});

describe("a text is of one intent and target", () => {
  const settled = { intent: "deploy", target: { host: "nas" } };
  const faultsOf = (text: string, of: typeof settled | null) =>
    subjectOf(of, readProcedure(text)).faults.map(({ message }) => message);

  test("an exported file of the same key may be pasted, and of another may not", () => {
    expect(faultsOf("intent: deploy\ntarget: { host: nas }\nsteps: []", settled)).toEqual([]);
    expect(faultsOf("intent: restart\ntarget: { host: nas, port: '1' }\nsteps: []", settled)).toEqual([
      "intent is another one than is taught here; import the file instead",
      "target is another one than is taught here; import the file instead",
    ]);
  });

  test("where nothing is settled, the text has to name both", () => {
    expect(faultsOf("steps: []", null)).toEqual(["needs the field intent", "needs the field target"]);
    expect(faultsOf("intent: deploy\ntarget: { port: 80 }", null)).toEqual([
      "target.port must be a text; put it in quotes",
    ]);
    expect(subjectOf(null, readProcedure("intent: deploy\ntarget: { host: nas }")).subject).toEqual(settled);
  });
});

describe("a text to begin with", () => {
  const contract = { intent: "deploy", target: { host: "nas" }, success_criteria: ["a: b", "c"] };

  test("for a task has a check for each of its criteria", () => {
    const { fields, comments } = startOfTask({ task_id: "t-1", contract } as never);
    const written = readProcedure(writeProcedure(fields, comments));
    expect(written.faults).toEqual([]);
    expect(coverageOf(written.fields ?? {}, contract.success_criteria)).toEqual({
      criteria: [
        { criterion: "a: b", step_index: 1 },
        { criterion: "c", step_index: 2 },
      ],
      issues: [],
    });
  });

  test("from an agent has what a reader has to know as comments, and no line of it is a field", () => {
    const draft = {
      intent: "deploy",
      target: { host: "nas" },
      steps: [CHECK],
      criteria: { c: 0 },
      safety_level: "standard",
    };
    const left_out = [{ index: 3, command: "curl x |\nsteps: []", why: "it failed" }];
    const proposal = { draft: { ...draft, preconditions: [] }, warnings: ["Read it."], checks: [], left_out };
    const { fields, comments } = startOfProposal("t-1", proposal as never);
    const text = writeProcedure(fields, comments);
    expect(text.split("\n").slice(0, 2)).toEqual(["# Read it.", "# Left out: curl x |?steps: []: it failed"]);
    expect(readProcedure(text).fields).toEqual({
      safety_level: "standard",
      preconditions: [],
      criteria: { c: 0 },
      steps: [CHECK],
    });
  });
});
