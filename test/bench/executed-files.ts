// `npm run bench:files [-- --list]`: how many files and functions one submit of a known two-step SOP executes, by folder.
// --list names the files.
import { dirname } from "node:path";
import { type Executed, measureExecution } from "../support/executed-files.ts";
import { say } from "./table.ts";

const sum = (counts: Iterable<number>): number => [...counts].reduce((all, count) => all + count, 0);

function show(name: string, executed: Executed, list: boolean): void {
  say(`${name}: ${executed.size} files, ${sum(executed.values())} functions`);
  const folders = Map.groupBy(executed, ([path]) => dirname(path));
  const bySize = [...folders].sort(([, a], [, b]) => b.length - a.length);
  for (const [folder, files] of bySize) {
    say(`  ${folder.padEnd(40)}${String(files.length).padStart(4)}${String(sum(files.map(([, n]) => n))).padStart(6)}`);
    if (list) for (const [path, count] of files.sort()) say(`    ${path.padEnd(60)}${String(count).padStart(4)}`);
  }
}

const { server, runner } = await measureExecution();
const list = process.argv.includes("--list");
show("server", server, list);
show("runner", runner, list);
