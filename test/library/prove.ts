// Proves the procedures of the library and prints a table; -- --only NAME,NAME for some of them, --json for a line each. Exit
// code 1 where one did not end as it has to.
import { parseArgs } from "node:util";
import { fitTable } from "../../src/cli/fit-table.ts";
import { readLibrary } from "../../src/cli/read-library.ts";
import { stopPostgres } from "./data-scenes.ts";
import { badWays, type Run, runOnce } from "./prove-procedure.ts";
import { SCENES } from "./scenes.ts";

const { values } = parseArgs({ options: { only: { type: "string" }, verbose: { type: "boolean" } } });
const only = values.only?.split(",");

type Row = { readonly name: string; readonly cells: readonly string[]; readonly ok: boolean };

const proofs = ({ task }: Run): string[] => (task.checks ?? []).map((check: { proof: string | null }) => check.proof);
const ended = ({ task }: Run): string => `${task.label} at ${task.outcome?.step_index ?? "-"}`;

async function prove(name: string): Promise<Row> {
  const entry = LIBRARY.get(name);
  const open = SCENES[name];
  if (entry === undefined || open === undefined) return { name, cells: ["there is no scene"], ok: false };
  const good = await runOnce(entry, { open, way: { kind: "as_it_is" } });
  if (good === null) return { name, cells: ["not possible here", "", "", ""], ok: true };
  if (values.verbose === true) process.stderr.write(`${name} ${JSON.stringify({ ...good, world: 0 }, null, 1)}\n`);
  const bad: Run[] = [];
  for (const way of badWays(entry)) {
    const run = await runOnce(entry, { open, way });
    if (run !== null) bad.push(run);
  }
  const [controls, lies] = [bad.filter(({ way }) => way.kind !== "lies"), bad.filter(({ way }) => way.kind === "lies")];
  const isRight = (run: Run) => run.task.status === "failed";
  const isProved = proofs(good).every((proof) => proof === "proved");
  const ok = good.task.status === "ok" && bad.every(isRight);
  const cells = [
    good.asked ? "yes, asks" : "yes",
    `${good.task.label}, ${isProved ? "all proved" : proofs(good).join(" ")}`,
    controls.map(ended).join(", "),
    lies.map(ended).join(", "),
  ];
  return { name, cells, ok };
}

const LIBRARY = new Map((await readLibrary()).map(({ name, entry }) => [name, entry]));
const names = [...LIBRARY.keys()].filter((name) => only === undefined || only.includes(name));
const rows: Row[] = [];
for (const name of names) {
  rows.push(await prove(name));
  process.stderr.write(`${name}\n`);
}
await stopPostgres();
const titles = ["PROCEDURE", "TAUGHT", "RAN", "WITHOUT ITS CHANGE", "WITH A LIAR", "AS IT HAS TO"];
const table = rows.map(({ name, cells, ok }) => [name, ...cells, ok ? "yes" : "NO"]);
process.stdout.write(`${fitTable(titles.map((title) => ({ title })), table, null).join("\n")}\n`);
process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1;
