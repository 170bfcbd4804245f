// What a worker of the engine runs for a job: it loads the script, calls `main` with the arguments in the order of their
// names, and writes what comes back, or what was thrown, into a file. Run by bun, with one directory as its argument.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const directory = process.argv[2] ?? "";
const { main } = await import(join(directory, "main.ts"));
const { task_contract, steps, context } = JSON.parse(await readFile(join(directory, "args.json"), "utf8"));
const done = await main(task_contract, steps, context).then(
  (result: unknown) => ({ success: true, result: result ?? null }),
  (error: Error) => ({
    success: false,
    result: { error: { name: error.name, message: error.message, stack: error.stack } },
  }),
);
await writeFile(join(directory, "result.json"), JSON.stringify(done));
process.exit(done.success ? 0 : 1);
