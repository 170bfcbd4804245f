// What a person at the terminal is told to do can be typed there.
import { expect, test } from "vitest";
import { inCommands } from "../../../src/cli/command-names.ts";
import { COMMANDS } from "../../../src/cli/command-table.ts";
import { REASONS } from "../../../src/domain/outcome.ts";
import { SHAPES } from "../../../src/operations/shapes.ts";

const ONE_WORD = ["teach", "approve", "explain"];

test.each(SHAPES.map(({ name }) => name).filter((name) => !ONE_WORD.includes(name)))(
  "%s has a command in its place",
  (name) => {
    const [, command] = /^see orch ([a-z ]+?)(?: --follow)? now$/.exec(inCommands(`see ${name} now`)) ?? [];
    expect(COMMANDS.map((entry) => entry.name)).toContain(command);
  },
);

test.each(Object.values(REASONS))("%s", (next) => {
  const said = inCommands(next);
  for (const { name } of SHAPES) if (!ONE_WORD.includes(name)) expect(said).not.toContain(name);
});

test("reads as a sentence", () => {
  expect(inCommands(REASONS.verified)).toBe("record your own external check with orch verify");
  expect(inCommands(REASONS.approval_required)).toBe("ask a human, then orch approve or orch reject");
  expect(inCommands(REASONS.sop_unknown)).toBe(
    "teach this task its steps with orch teach, one check step per success criterion, or orch cancel",
  );
  expect(inCommands("wait: ask again with get_task and wait_seconds")).toBe("wait: ask again with orch task ID --wait");
});

test("leaves alone what only looks like one", () => {
  expect(inCommands("widget_task, submit_tasks and update_sop")).toBe("widget_task, submit_tasks and update_sop");
});
