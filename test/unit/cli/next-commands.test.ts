// What may be done next can be done: each action names an operation and fits its input, and as commands it can be pasted.
import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { SHAPES } from "../../../src/api/operations/shapes.ts";
import { commandsFor, nextLines } from "../../../src/cli/next-commands.ts";
import { createParser } from "../../../src/cli/parser.ts";
import { COMMANDS } from "../../../src/cli/table/commands.ts";
import { advice } from "../../../src/domain/next-action.ts";
import { nextByReason } from "../../../src/domain/outcome.ts";
import { REASON_CODES } from "../../../src/domain/reason-code.ts";
import { aContract, check } from "../../support/builders.ts";

const OPERATION_NAMES = SHAPES.map(({ name }) => name);

/** What the supervisor adds to the arguments that are known. */
const FILLED_IN: Readonly<Record<string, object>> = {
  submit_task: aContract(),
  teach: { steps: [check("true")] },
  approve: { decision: "approve" },
  resolve_step: { resolution: "retry" },
  record_verification: { verified: true, source: "the page" },
};

const factsOf = (reason_code: string) => ({
  thread_id: reason_code === "promotion_pending" ? "promotion/5503fd40" : "deploy-1",
  approval_id: "a-1",
  step_index: 2,
});

const actions = REASON_CODES.flatMap((code) =>
  nextByReason(code, factsOf(code)).map((action) => [code, action.operation ?? "nothing", action] as const),
);

/** The command and what commander read, of a line as a shell would split it. */
async function parsed(line: string) {
  const ran: { name: string; given: unknown }[] = [];
  const surface = { stdout: new Writable(), stderr: new Writable(), version: "1", json: true };
  const parser = createParser(COMMANDS, surface, async ({ name }, _globals, given) => {
    ran.push({ name, given });
  });
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  await parser.parseAsync(words.slice(1), { from: "user" });
  return ran[0];
}

test.each(REASON_CODES)("%s says what may be done next", (code) => {
  expect(nextByReason(code, factsOf(code))).not.toEqual([]);
});

test("a decision on an approval of unknown id names the task that waits for it", () => {
  const facts = { thread_id: "deploy-1", approval_id: null, step_index: null };
  expect(nextByReason("approval_required", facts)[0]?.arguments).toEqual({ task_id: "deploy-1" });
});

describe("an action", () => {
  test.each(actions)(
    "after %s, %s, fits the input of its operation",
    (_code, _name, { operation, arguments: given }) => {
      if (operation === null) return expect(given).toEqual({});
      const shape = SHAPES.find(({ name }) => name === operation);
      expect(shape?.input.safeParse({ ...FILLED_IN[operation], ...given }).error).toBeUndefined();
    },
  );

  test.each(actions)("after %s, %s, names no operation and no command in its sentence", (_code, _name, { text }) => {
    for (const name of OPERATION_NAMES.filter((one) => one.includes("_"))) expect(text).not.toContain(name);
    expect(text).not.toMatch(/\borch [a-z]+ [A-Z]/);
    expect(text).toMatch(/^[A-Z].*\.$/s);
  });

  test.each(actions)("after %s, %s, is a command line that the parser takes", async (_code, _name, action) => {
    const lines = commandsFor(action);
    if (action.operation !== null) expect(lines).not.toEqual([]);
    for (const line of lines) {
      const { name } = (await parsed(line.replace(/(?<=--(by|source) )[A-Z]+/, "x"))) ?? {};
      expect(`${line} `).toContain(`orch ${name} `);
    }
  });
});

test.each(OPERATION_NAMES)("%s has a command", (operation) => {
  expect(commandsFor({ operation, arguments: {}, text: "" })).not.toEqual([]);
});

describe("as commands", () => {
  const linesAfter = (code: (typeof REASON_CODES)[number]) => nextLines(nextByReason(code, factsOf(code)));

  test("what is known is filled in, and the rest is in capitals", () => {
    expect(linesAfter("sop_unknown")).toEqual([
      "Teach this task its steps, one check step for each success criterion.",
      "  orch teach FILE --task deploy-1",
      "Cancel the task.",
      "  orch cancel deploy-1",
    ]);
  });

  test("a choice of the caller is a line for each", () => {
    expect(linesAfter("approval_required").slice(1, 3)).toEqual([
      "  orch approve a-1 --by NAME",
      "  orch reject a-1 --by NAME",
    ]);
    expect(linesAfter("step_outcome_unknown").slice(1)).toEqual([
      "  orch resolve deploy-1 succeeded --step 2",
      "  orch resolve deploy-1 failed --step 2",
      "  orch resolve deploy-1 retry --step 2",
    ]);
    const decided = { operation: "approve", arguments: { decision: "reject", approval_id: "a-1" }, text: "" };
    expect(commandsFor(decided)).toEqual(["orch reject a-1 --by NAME"]);
  });

  test("a command that answers two sentences is printed once, and begins as it was called", () => {
    const lines = nextLines(nextByReason("step_failed", factsOf("step_failed")), "orch --url http://127.0.0.1:1");
    expect(lines).toEqual([
      "Look at what the steps did before you submit again.",
      "  orch --url http://127.0.0.1:1 evidence deploy-1",
      "Replace the SOP if it is wrong.",
      "Submit again and teach better steps.",
      "  orch --url http://127.0.0.1:1 submit FILE",
    ]);
  });

  test("a value that is no plain word is in quotes, and one that cannot be pasted is a name", async () => {
    const cancelled = (task_id: string) => commandsFor({ operation: "cancel_task", arguments: { task_id }, text: "" });
    expect(cancelled("$(id); x")).toEqual(["orch cancel '$(id); x'"]);
    expect(await parsed("orch cancel '$(id); x'")).toEqual({ name: "cancel", given: { id: "$(id); x" } });
    expect(cancelled("it's")).toEqual(["orch cancel 'it'\\''s'"]);
    for (const bad of ["-x", "--url=http://evil", "a\u202eb", "a\nb", ""])
      expect(cancelled(bad)).toEqual(["orch cancel ID"]);
  });

  test("what this program has no command for, and what is to be done elsewhere, is only said", () => {
    expect(commandsFor({ operation: "of_another_version", arguments: {}, text: "Do it." })).toEqual([]);
    expect(nextLines([advice("Talk to the human.")])).toEqual(["Talk to the human."]);
  });
});
