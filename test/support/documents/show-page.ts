// `npm run docs:play -- docs/proof.md`: does what pages say and prints what came of each step, for who writes them.
import { pageText } from "./page.ts";
import { type Played, playPage } from "./play-page.ts";

const LONGEST = 8_000;

function show({ step, printed, fault }: Played): void {
  const what =
    step.kind === "skip" ? `not run: ${step.reason}` : step.kind === "write" ? step.file : step.script.trim();
  process.stdout.write(`\n--- line ${step.line}: ${what}\n${printed.slice(0, LONGEST)}`);
  if (fault !== null) process.stdout.write(`^^^ ${fault}\n`);
}

for (const path of process.argv.slice(2)) {
  const played = await playPage(pageText(path), show);
  if (played.some(({ fault }) => fault !== null)) process.exitCode = 1;
}
