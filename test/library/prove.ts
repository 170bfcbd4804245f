// Proves the procedures of the library and prints a table; -- --only NAME,NAME for some of them. Exit
// code 1 where one did not end as it has to.
import { parseArgs } from "node:util";
import { fitTable } from "../../src/cli/fit-table.ts";
import { readLibrary } from "../../src/features/procedures/library-commands.ts";
import type { LibraryFile } from "../../src/schema/sop-file.ts";
import { createControls } from "./controls.ts";
import { stopPostgres } from "./data-scenes.ts";
import { badWays, type Run, runOnce } from "./prove-procedure.ts";
import { SCENES } from "./scenes.ts";

const { values } = parseArgs({ options: { only: { type: "string" } } });
const controls = createControls();
const only = values.only?.split(",");

type Row = { readonly name: string; readonly cells: readonly string[]; readonly ok: boolean };

const proofs = ({ task }: Run): string[] => (task.checks ?? []).map((check: { proof: string | null }) => check.proof);
const ended = ({ task }: Run): string => `${task.label} at ${task.outcome?.step_index ?? "-"}`;

/** Its checks in an empty world that has the programs of this machine: red, or `-` where the machine has no such program. */
async function controlled(entry: LibraryFile): Promise<{ readonly text: string; readonly ok: boolean }> {
  const answers = (await controls.answersOf(entry)).map(({ answer }) => answer);
  const text = answers.map((answer) => (answer === "cannot_tell" ? "-" : answer)).join(" ") || "by its run";
  return { text, ok: !answers.includes("green") };
}

async function prove(name: string): Promise<Row> {
  const entry = LIBRARY.get(name);
  const open = SCENES[name];
  if (entry === undefined || open === undefined) return { name, cells: ["there is no scene"], ok: false };
  const good = await runOnce(entry, { open, way: { kind: "as_it_is" }, twice: true });
  if (good === null) return { name, cells: ["not possible here"], ok: true };
  const control = await controlled(entry);
  const bad: Run[] = [];
  for (const way of badWays(entry)) {
    const run = await runOnce(entry, { open, way });
    if (run !== null) bad.push(run);
  }
  const [without, lies] = [bad.filter(({ way }) => way.kind !== "lies"), bad.filter(({ way }) => way.kind === "lies")];
  const all = proofs(good);
  const cells = [
    good.asked ? "yes, asks" : "yes",
    `${good.task.label}, ${all.filter((proof) => proof === "proved").length} of ${all.length} proved`,
    `${good.again?.label ?? "-"}`,
    control.text,
    without.map(ended).join(", "),
    lies.map(ended).join(", "),
  ];
  const ok = good.task.status === "ok" && control.ok && bad.every(({ task }) => task.status === "failed");
  return { name, cells, ok };
}

const LIBRARY = new Map((await readLibrary()).map(({ name, entry }) => [name, entry]));
const names = [...LIBRARY.keys()].filter((name) => only === undefined || only.includes(name));
const rows: Row[] = [];
for (const name of names) {
  rows.push(await prove(name));
}
await stopPostgres();
const titles = ["PROCEDURE", "AS IT HAS TO", "TAUGHT", "RAN", "AGAIN", "CONTROL", "WITHOUT ITS CHANGE", "WITH A LIAR"];
const table = rows.map(({ name, cells, ok }) => [
  name,
  ok ? "yes" : "NO",
  ...titles.slice(2).map((_, at) => cells[at] ?? ""),
]);
process.stdout.write(`${fitTable(titles, table, null).join("\n")}\n`);
process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1;
