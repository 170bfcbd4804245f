// What is written fits the terminal: help, doctor, records, headings and the line of a wait.
import { Writable } from "node:stream";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import type { TaskView } from "../../../src/api/operations/shapes/task-view.ts";
import { cut, fitTable } from "../../../src/cli/fit-table.ts";
import { COMMANDS } from "../../../src/cli/table/commands.ts";
import { heading, wrapped, wrappedCommand } from "../../../src/cli/text-format.ts";
import { createWaitLine } from "../../../src/cli/wait-for-task.ts";
import { runInProcess } from "../../support/cli-in-process.ts";

const WIDTHS = [40, 80, 120];
const groups = ["", "new", "sop", "policy", "eval", "complete"];
const tooWide = (text: string, width: number) => text.split("\n").filter((line) => stringWidth(line) > width);

describe("the help", () => {
  test.each([...groups, ...COMMANDS.map(({ name }) => name)])("fits for 'orch %s', and has examples", async (name) => {
    for (const columns of WIDTHS) {
      const { stdout } = await runInProcess([...name.split(" ").filter(Boolean), "--help"], { columns });
      expect(tooWide(stdout, columns)).toEqual([]);
      expect(stdout).toContain("\nExamples:\n");
    }
  });

  test("breaks an example so that it can be pasted", () => {
    const line = "  orch resolve deploy-1 succeeded --reason 'the new image runs' --wait";
    const lines = wrappedCommand(line, 40);
    expect(lines).toEqual(["  orch resolve deploy-1 succeeded \\", "    --reason 'the new image runs' --wait"]);
  });
});

test.each(WIDTHS)("the list of doctor fits %i columns", async (columns) => {
  const absent = () => Promise.reject(new Error("not in this test"));
  const found =
    "SQLite 3 in the data directory, with a schema that is older than this version of orch and is changed at start";
  const checks = ["database", "routing model"].map((name) => ({ name, state: "broken" as const, found, fix: found }));
  const others = {
    serve: absent,
    bridge: absent,
    embed: absent,
    skills: absent,
    backup: absent,
    restore: absent,
    migrate: absent,
    evalRouting: absent,
    evalAgent: absent,
  };
  const parts = { ...others, doctor: () => Promise.resolve(checks) };
  const { stdout } = await runInProcess(["doctor"], { columns, parts });
  expect(tooWide(stdout, columns)).toEqual([]);
});

test("a record cuts what may be cut, and gives an id that is too long a line of its own", () => {
  const columns = ["APPROVAL", cut("TARGET")];
  const lines = fitTable(columns, [["767864ad-89c7-4ef5-982d-cf965c4c3139", "service=".padEnd(3000, "x")]], 40);
  expect(lines).toEqual(["APPROVAL", "  767864ad-89c7-4ef5-982d-cf965c4c3139", `TARGET    service=${"x".repeat(21)}…`]);
});

test("a heading is broken at the width of the terminal, and its id stays whole", () => {
  const lines = heading(["deploy-1", "teaching", `deploy service=${"w".repeat(50)}`, "for 3m"], 40);
  expect(tooWide(lines.join("\n"), 40)).toEqual([]);
  expect(lines[0]).toMatch(/^deploy-1 {2}teaching/);
});

test("wrapped prose begins no further line with a blank", () => {
  expect(wrapped("aaaa bbbb  cccc", 9)).toEqual(["aaaa bbbb", "cccc"]);
});

test.each([40, 80])("the line of a wait says on %i columns that Ctrl-C leaves the task running", (columns) => {
  let text = "";
  const stderr = new Writable({
    write: (chunk, _encoding, done) => {
      text += chunk;
      done();
    },
  });
  const line = createWaitLine(
    {
      clock: () => new Date(0),
      stderr: Object.assign(stderr, { isTTY: true, columns }),
      onInterrupt: () => () => undefined,
      out: { json: false } as Parameters<typeof createWaitLine>[0]["out"],
    },
    "t-1",
  );
  const waiting_text = "Waits for task a-task-with-a-rather-long-name, which goes first on the same target.";
  line.show({ label: "RUNNING", waiting_text } as TaskView);
  expect(text).toMatch(/^\r\S*running: .*; Ctrl-C leaves it running$/);
  expect(stringWidth(text.slice(1))).toBeLessThan(columns);
});
