// `npm run measures` prints how large the code is. With `--check` it fails where a figure is larger than in record.json, as CI does; with
// `--write` it records smaller ones, and a larger one only together with `--larger`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../../own-file.ts";
import { countMeasures, type Measures } from "./count.ts";

const RECORD = join(import.meta.dirname, "record.json");

const { values: options } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    larger: { type: "boolean", default: false },
  },
});

const found = countMeasures(ROOT);
const recorded: Partial<Measures> = JSON.parse(readFileSync(RECORD, "utf8"));
const rows = Object.entries(found).map(([name, value]) => ({
  name,
  value,
  before: Object.entries(recorded).find(([other]) => other === name)?.[1] ?? value,
}));
const larger = rows.filter(({ value, before }) => value > before);

for (const { name, value, before } of rows) {
  const change = value === before ? "" : `  (${value > before ? "+" : ""}${value - before})`;
  process.stdout.write(`${name.padEnd(50)}${value.toLocaleString("en").padStart(9)}${change}\n`);
}

if (options.write && (larger.length === 0 || options.larger)) {
  writeFileSync(RECORD, `${JSON.stringify(found, null, 2)}\n`);
} else if ((options.check || options.write) && larger.length > 0) {
  const names = larger.map(({ name }) => name).join(", ");
  process.stderr.write(
    `Larger than in src/tools/measures/record.json: ${names}. Make it smaller, or say in the commit why it has to be larger and run: npm run measures -- --write --larger\n`,
  );
  process.exitCode = 1;
}
