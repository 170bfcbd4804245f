// `node src/guard/test/guard/score-scripts.ts DIR`: how the guard judges each file of a directory as one command. One line per script that
// is not allowed, with its first finding, then the shares and the causes by code.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "../../guard.ts";
import { CONTEXT } from "./context.ts";

type Judged = {
  readonly file: string;
  readonly verdict: "allow" | "ask" | "block";
  readonly causes: readonly string[];
};

function judged(directory: string, file: string): Judged {
  const { verdict, findings } = inspect(readFileSync(join(directory, file), "utf8"), CONTEXT);
  const shown = findings.map(({ code, command, reason }) => `${code}: ${command ?? reason}`.replaceAll("\n", " "));
  return { file, verdict, causes: shown };
}

function print(scripts: readonly Judged[], all: boolean): void {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const stopped = scripts.filter(({ verdict }) => verdict !== "allow");
  for (const { file, verdict, causes } of stopped) {
    for (const cause of all ? causes : causes.slice(0, 1)) say(`${verdict} ${file} ${cause}`);
  }
  for (const [code, of] of Map.groupBy(stopped, ({ causes }) => causes[0]?.split(":")[0])) say(`${code} ${of.length}`);
  const share = (wanted: string) => {
    const { length } = scripts.filter(({ verdict }) => verdict === wanted);
    return `${wanted} ${length} (${((100 * length) / scripts.length).toFixed(1)} %)`;
  };
  say(`${scripts.length} scripts: ${["allow", "ask", "block"].map(share).join(", ")}`);
}

const [directory, ...rest] = process.argv.slice(2);
if (directory === undefined) {
  process.stderr.write("usage: node src/guard/test/guard/score-scripts.ts DIR [--all]\n");
  process.exitCode = 2;
} else {
  const files = readdirSync(directory).toSorted();
  print(
    files.map((file) => judged(directory, file)),
    rest.includes("--all"),
  );
}
