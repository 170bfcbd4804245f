// The skills of the checkout, and the one that docs/skills.md shows to the letter, by the cases of `orch skill test` (D-278). It stops
// and cancels a task after every fourth of its commits, and with ORCH_TESTS=all after each.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { migratedIn, openEngineWith } from "../../src/app/trial-engine.ts";
import { skillsOf } from "../../src/features/skills/process/find-skills.ts";
import type { SkillTest } from "../../src/features/skills/trial/skill-test.ts";
import { casesOf } from "../../src/features/skills/trial/test-skill.ts";
import { createNotesModel } from "../simulators/notes/notes-model.ts";
import { startNotesServer } from "../simulators/notes/notes-server.ts";

const CHECKOUT = join(import.meta.dirname, "../..");
const EXAMPLE = join(CHECKOUT, "test/support/example-skills/lamps/handler.ts");

const LAMPS: SkillTest = {
  open: ({ changed }) => {
    const on = new Set(["hall", "attic"]);
    const run = ({ lamp }: { readonly lamp: string }) => {
      if (on.delete(lamp)) changed(`${lamp} is off`);
      return "switched";
    };
    return { servers: { lamps: { switch: { run } } } };
  },
  task: { intent: "switch_off", payload: { lamps: ["hall", "attic"] } },
  code: "switched_off",
  changes: ["hall is off", "attic is off"],
  asks: true,
  wrong: [
    { field: "payload.lamps", payload: {} },
    { field: "payload.lamps", payload: { lamps: [] } },
    { field: "payload.lamps.0", payload: { lamps: [1] } },
    { field: "payload.lamps", payload: { lamps: ["hall", "hall"] } },
  ],
};

function someNotes() {
  const model = createNotesModel();
  model.add({ note_id: "inbox", title: "Inbox", type: "book" });
  model.add({ note_id: "archive", title: "Archive", type: "book" });
  for (const n of [1, 2]) model.add({ note_id: `m${n}`, title: `Meeting ${n}`, parents: ["inbox"] });
  return model;
}

const PLAN = {
  operation: "execute_move_plan",
  source_scope: { parent_note_id: "inbox" },
  target_parent_note_id: "archive",
  selection_rule: { title_contains: "Meeting" },
};
const { source_scope, ...NO_SOURCE } = PLAN;

/** A plan of two moves, on a notes server that counts what is written to it. */
const NOTES: SkillTest = {
  open: async () => {
    const notes = await startNotesServer("native", { model: someNotes() });
    return {
      env: { MCP_NOTES_URL: notes.url },
      changes: () => notes.writes().map(({ args }) => `${args.noteId} under ${args.newParentNoteId}`),
      close: () => notes[Symbol.asyncDispose](),
    };
  },
  task: { intent: "reorganize_notes_tree", payload: PLAN, implicit_scope: ["notes"] },
  code: "moved",
  changes: ["m1 under archive", "m2 under archive"],
  asks: true,
  wrong: [
    { field: "payload.operation", payload: { ...PLAN, operation: "tidy_up" } },
    { field: "payload.source_scope", payload: NO_SOURCE },
    { field: "payload.target_parent_note_id", payload: { ...PLAN, target_parent_note_id: "a/b" } },
    { field: "payload.selection_rule.title_contains", payload: { ...PLAN, selection_rule: { title_contains: " " } } },
    { field: "payload.dry_run", payload: { ...PLAN, dry_run: false } },
  ],
};

const base = await mkdtemp(join(tmpdir(), "orch-skills-"));
afterAll(() => rm(base, { recursive: true, force: true }));
const migrated = await migratedIn(base);
const isTaken = (title: string): boolean => {
  const [, commit] = /^(?:stopped|cancelled) after commit (\d+) /.exec(title) ?? [];
  return process.env["ORCH_TESTS"] === "all" || commit === undefined || Number(commit) % 4 === 1;
};

async function casesFor(file: string, skillTest: SkillTest) {
  const skills = await skillsOf([{ file, offered: [], memory_mb: 512, printed: () => undefined }]);
  expect(skills.unusable).toEqual([]);
  const cases = await casesOf(skillTest, { test: skillTest, openEngine: openEngineWith({ skills, migrated }) });
  return cases.filter(({ title }) => isTaken(title)).map(({ title, run }) => [title, run] as const);
}

describe.each([
  ["of notes", join(CHECKOUT, "capabilities/notes/handler.ts"), NOTES],
  ["that the guide shows", EXAMPLE, LAMPS],
] as const)("the skill %s", async (_name, file, skillTest) => {
  test.each(await casesFor(file, skillTest))("%s", async (_title, run) => expect(await run()).toBeNull());
});

test("the guide shows the skill that is tried here", async () => {
  const guide = await readFile(join(CHECKOUT, "docs/skills.md"), "utf8");
  expect(guide).toContain(`\`\`\`ts\n${await readFile(EXAMPLE, "utf8")}\`\`\``);
});
