// `npm run guard:score FILE.jsonl`: how the guard does on a labelled file in the sample's format. One line per miss, then
// a table per family; exit 1 below the bar. Without a file: all labelled files, and the samples of tldr-pages and NL2Bash.
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { inspect } from "../../guard.ts";
import { CONTEXT } from "./context.ts";
import { corpusLines } from "./corpora.ts";

const PLAIN_FAMILIES = new Set(["rm", "git", "docker"]);

const WARM_UP = 1_000;

const Labelled = z.object({
  command: z.string(),
  verdict: z.enum(["always_blocked", "not_blocked", "either"]),
  family: z.string(),
  /** One of the findings that the block must have. */
  code: z.string().optional(),
});
type Labelled = z.infer<typeof Labelled>;

type Judged = Labelled & { readonly got: "block" | "ask" | "allow"; readonly codes: string; readonly ms: number };

export type Score = {
  readonly misses: readonly Judged[];
  readonly families: ReadonlyMap<string, readonly Judged[]>;
  /** Shares of 0 to 1, and milliseconds. */
  readonly blocked: number;
  readonly wrongly_blocked: number;
  readonly wrongly_asked: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly below_bar: readonly string[];
};

/** Rejects lines that are not of the format with their number. */
export function readLabelled(path: string): Labelled[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.flatMap((line, at) => {
    if (line.trim() === "") return [];
    const parsed = Labelled.safeParse(JSON.parse(line));
    if (!parsed.success) throw new Error(`${path}:${at + 1}: ${z.prettifyError(parsed.error)}`);
    return [parsed.data];
  });
}

/** The time is the best of three runs: the first ones measure the compiler, and others share the machine. */
function judged(line: Labelled): Judged {
  const times = [0, 1, 2].map(() => {
    const started = performance.now();
    inspect(line.command, CONTEXT);
    return performance.now() - started;
  });
  const { verdict, findings } = inspect(line.command, CONTEXT);
  return { ...line, got: verdict, codes: findings.map(({ code }) => code).join(","), ms: Math.min(...times) };
}

const isMiss = ({ verdict, got }: Judged): boolean =>
  (verdict === "always_blocked" && got !== "block") || (verdict === "not_blocked" && got !== "allow");

export function scoreOf(lines: readonly Labelled[]): Score {
  for (let round = 0; round < WARM_UP / Math.max(1, lines.length); round += 1) lines.forEach(judged);
  const all = lines.map(judged);
  const bad = all.filter(({ verdict }) => verdict === "always_blocked");
  const good = all.filter(({ verdict }) => verdict === "not_blocked");
  const times = all.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const figures = {
    blocked: share(bad, ({ got }) => got === "block"),
    wrongly_blocked: share(good, ({ got }) => got === "block", 0),
    wrongly_asked: share(good, ({ got }) => got === "ask", 0),
    p50_ms: times[Math.floor(times.length * 0.5)] ?? 0,
    p99_ms: times[Math.floor(times.length * 0.99)] ?? 0,
  };
  const plain = bad.filter(({ family, got }) => PLAIN_FAMILIES.has(family) && got !== "block");
  const below_bar = [
    ...(plain.length > 0 ? ["families rm, git and docker: 100 % blocked"] : []),
    ...(figures.blocked < 0.97 ? ["always_blocked: at least 97 % blocked"] : []),
    ...(figures.wrongly_blocked > 0.01 ? ["not_blocked: at most 1 % blocked"] : []),
    ...(figures.wrongly_asked > 0.04 ? ["not_blocked: at most 4 % sent to approval"] : []),
    ...(figures.p99_ms > 2 ? ["p99 under 2 ms per command"] : []),
  ];
  return { ...figures, misses: all.filter(isMiss), families: Map.groupBy(all, ({ family }) => family), below_bar };
}

function share(lines: readonly Judged[], test: (line: Judged) => boolean, none = 1): number {
  return lines.length === 0 ? none : lines.filter(test).length / lines.length;
}

const percent = (part: number): string => `${(part * 100).toFixed(1)} %`;

function print(score: Score): void {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  for (const { family, verdict, got, command, codes } of score.misses) {
    say(`MISS ${family} ${verdict} got ${got}${codes === "" ? "" : ` (${codes})`}: ${JSON.stringify(command)}`);
  }
  say(
    `${"family".padEnd(10)}${"to block".padStart(9)}${"blocked".padStart(9)}${"to let".padStart(9)}${"blocked".padStart(9)}${"asked".padStart(7)}${"open".padStart(6)}`,
  );
  for (const [family, lines] of score.families) {
    const count = (verdict: string, got?: string) =>
      String(lines.filter((line) => line.verdict === verdict && (got === undefined || line.got === got)).length);
    say(
      `${family.padEnd(10)}${count("always_blocked").padStart(9)}${count("always_blocked", "block").padStart(9)}` +
        `${count("not_blocked").padStart(9)}${count("not_blocked", "block").padStart(9)}${count("not_blocked", "ask").padStart(7)}${count("either").padStart(6)}`,
    );
  }
  say(
    `always_blocked ${percent(score.blocked)} blocked; not_blocked ${percent(score.wrongly_blocked)} blocked, ` +
      `${percent(score.wrongly_asked)} asked; p50 ${score.p50_ms.toFixed(3)} ms, p99 ${score.p99_ms.toFixed(3)} ms`,
  );
  for (const bar of score.below_bar) say(`below the bar: ${bar}`);
}

function scoreAll(paths: readonly string[]): number {
  const scores = paths.map((path) => {
    process.stdout.write(`${basename(path)}\n`);
    const score = scoreOf(readLabelled(path));
    print(score);
    return score;
  });
  return scores.some(({ below_bar }) => below_bar.length > 0) ? 1 : 0;
}

const LABELLED = ["labelled-blocked.jsonl", "labelled-benign.jsonl"].map((file) => join(import.meta.dirname, file));

if (import.meta.main) {
  const [path] = process.argv.slice(2);
  try {
    process.exitCode = scoreAll(path === undefined ? LABELLED : [path]);
    if (path === undefined) for (const line of corpusLines()) process.stdout.write(`${line}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}
