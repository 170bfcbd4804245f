// Uses what the examples of docs/extending.md add, in a copy of the code to which they were applied, and prints what it found. Run by
// test/integration/extending.test.ts.
import { createEventFormat } from "../../src/cli/follow-task.ts";
import { COMMANDS } from "../../src/cli/table/commands.ts";
import { contractBody } from "./builders.ts";
import { openEngine } from "./engine.ts";

await using engine = await openEngine({ env: { NOTE_CHARACTERS: "12" } });
const { freeze } = await engine.call("freeze", { reason: "the disk is replaced", intent: "deploy" });
const { freeze_id } = freeze;
const noted = await engine.call("note_freeze", { freeze_id, note: "it has come" });
const refused = await engine.refusal("note_freeze", { freeze_id, note: "a longer story" });

const last = (await engine.store.readJournal(`freeze/${freeze_id}`)).at(-1);
const [line = ""] = last === undefined ? [] : createEventFormat((_style, text) => text)(last);

const contract = contractBody({ intent: "restart", success_criteria: ["it is there"] });
const explained = await engine.call("explain", {
  contract,
  steps: [
    { kind: "wait_until", value: "30" },
    { kind: "check", value: "test -d /" },
  ],
});
const task = await engine.submit(contract);

process.stdout.write(
  JSON.stringify({
    noted,
    issues: refused.issues,
    kind: last?.kind,
    line,
    steps: explained.steps.map(({ kind, findings }: { kind: string; findings: unknown[] }) => [kind, findings.length]),
    goal: task.goal,
    command: COMMANDS.find(({ name }) => name === "note-freeze")?.summary,
  }),
);
